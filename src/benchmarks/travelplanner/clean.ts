/**
 * Clean-ups of a plan before it is judged, for models that write more than was asked: prices after names, a full stop, an
 * attraction without its semicolon. A text that already names a known place is left alone. The official evaluator has GPT-4
 * for this; judged strictly, a plan is taken as it stands.
 */
import type { Json, JsonObject } from '../../core/types.ts';
import { MEALS } from './check.ts';
import { placesFor } from './commonsense.ts';
import type { Database, Directory, Place } from './database.ts';
import { isDict } from './python-values.ts';
import { strip } from './text.ts';

const KEYS = ['current_city', 'transportation', ...MEALS, 'attraction', 'accommodation'];

export function cleanPlan(plan: Json, database: Database): Json {
  return Array.isArray(plan) ? plan.map((day) => (isDict(day) ? cleanDay(day, database) : day)) : plan;
}

function cleanDay(day: JsonObject, { restaurants, accommodations, attractions }: Database): JsonObject {
  // `{}` pads a plan to seven days, and is no day with everything missing.
  if (Object.keys(day).length === 0) return day;
  const missing = KEYS.filter((key) => !Object.hasOwn(day, key) || day[key] === null);
  const cleaned: JsonObject = { ...day, ...Object.fromEntries(missing.map((key) => [key, '-'])) };
  const apply = (key: string, clean: (text: string) => string) => {
    const value = cleaned[key];
    if (typeof value === 'string' && value !== '' && value !== '-') cleaned[key] = clean(value);
  };
  apply('current_city', tidy);
  apply('transportation', tidy);
  for (const meal of MEALS) apply(meal, (text) => known(text, restaurants));
  apply('accommodation', (text) => known(text, accommodations));
  apply('attraction', (text) => attractionList(text, attractions));
  return cleaned;
}

const known = <T extends Place>(text: string, directory: Directory<T>): string =>
  placesFor(directory, text).length > 0 ? text : tidy(text);

/** Every attraction with its semicolon; a remark about money after the last one is no attraction. */
function attractionList(text: string, attractions: Directory<Place>): string {
  const items = text.split(';').filter((item) => item.includes(',') || !isRemark(item));
  const cleaned = items.map((item) => strip(known(item, attractions))).filter((item) => item !== '');
  return cleaned.map((item) => `${item};`).join('');
}

/** A text without dollar signs, without remarks about money or nights at its end, and without a full stop. */
function tidy(text: string): string {
  let rest = strip(text.replaceAll('$', MONEY));
  for (;;) {
    const before = rest;
    if (rest.endsWith('.') && !isAbbreviated(rest)) rest = rest.slice(0, -1);
    const open = rest.endsWith(')') ? rest.lastIndexOf('(') : -1;
    if (open >= 0 && isRemark(rest.slice(open))) rest = rest.slice(0, open);
    const semicolon = rest.lastIndexOf(';');
    if (semicolon >= 0 && isRemark(rest.slice(semicolon))) rest = rest.slice(0, semicolon);
    rest = strip(rest);
    if (rest === before) return rest.replaceAll(MONEY, '');
  }
}

/** Stands for a dollar sign while remarks are looked for: a character that no text has. */
const MONEY = '\u{F0000}';

const isRemark = (text: string): boolean => {
  const lower = text.toLowerCase();
  return ['cost', 'price', 'night', '$', MONEY].some((word) => lower.includes(word));
};

/** `Washington D.C.` keeps its stop. */
const isAbbreviated = (text: string): boolean => text.at(-3) === '.';
