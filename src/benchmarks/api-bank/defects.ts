/**
 * What is wrong with the data, counted. The rows stay as they are, because the paper's number is over all of them; a reader
 * of a score should know which part of it no model can earn.
 */
import { canonicalJson } from '../../core/content-id.ts';
import type { Json } from '../../core/types.ts';
import { pythonLiteral } from '../python.ts';
import { LEVELS, type Level, loadRows, type Row } from './data.ts';
import { type Grounding, groundingOf } from './grounding.ts';
import { promptOf, readPrompt, type Segment } from './prompt.ts';
import { listen } from './said.ts';
import type { Tool } from './tool-list.ts';

export interface Defect {
  name: string;
  about: string;
  /** The ids of the rows that have it. */
  rows: string[];
  perLevel: Record<Level, number>;
}

/** A row and what can be read from it; `tool` is the one to call, if it is on the list at all. */
interface Reading {
  row: Row;
  tool: Tool | undefined;
  dialogue: Segment[];
  /** Of every value of the gold call; worked out when first asked for. */
  groundings(): Grounding[];
}

const KINDS: readonly { name: string; about: string; has(reading: Reading, all: readonly Reading[]): boolean }[] = [
  {
    name: 'numbers as text',
    about: 'a gold value is a number written as a string: a model that writes a JSON number is wrong',
    has: ({ row }) => values(row).some((value) => value.trim() !== '' && Number.isFinite(Number(value))),
  },
  {
    name: 'lists as text',
    about: 'a gold value is a list as Python prints it, such as "[\'John\']": a model that writes a JSON list is wrong',
    has: ({ row }) => values(row).some((value) => Array.isArray(pythonLiteral(value))),
  },
  {
    name: 'three asterisks',
    about: 'the heading of the dialogue opens with three asterisks and closes with two',
    has: ({ row }) => row.user.startsWith('***'),
  },
  {
    name: 'duplicate row',
    about: 'the same prompt and gold call as an earlier row',
    has: ({ row }, all) => all.find((other) => sameRow(other.row, row))!.row !== row,
  },
  {
    name: 'tool not listed',
    about: 'the tool to call is not among the tools shown',
    has: ({ tool }) => tool === undefined,
  },
  {
    name: 'parameter not listed',
    about: 'the gold call has a parameter that the tool does not have',
    has: ({ row, tool }) => tool !== undefined && keys(row).some((key) => !Object.hasOwn(tool.parameters, key)),
  },
  {
    name: 'parameter left out',
    about: 'the gold call lacks a parameter that the tool does not call optional',
    has: ({ row, tool }) =>
      tool !== undefined && requiredOf(tool).some((key) => !Object.hasOwn(row.gold.parameters, key)),
  },
  {
    name: 'broken value',
    about: 'a gold value is not of the type that the tool declares: empty, or with a piece of another parameter in it',
    has: ({ row, tool }) =>
      Object.entries(row.gold.parameters).some(
        ([key, value]) => tool && Object.hasOwn(tool.parameters, key) && !isOfType(value, tool.parameters[key]!.type),
      ),
  },
  {
    name: 'value not said',
    about: 'a gold value does not occur in the dialogue in any spelling: it has to be worked out, known or guessed',
    has: ({ groundings }) => groundings().includes('notSaid'),
  },
  {
    name: 'year not said',
    about: 'a gold date has a year that nobody mentions',
    has: ({ groundings }) => groundings().includes('yearNotSaid'),
  },
  {
    name: 'value spelled otherwise',
    about: 'a gold value occurs in the dialogue only with other capitals or punctuation',
    has: ({ groundings }) => groundings().includes('spelledOtherwise'),
  },
  {
    name: 'call already made',
    about: 'the gold call stands in the dialogue already, with its result',
    has: ({ row, dialogue }) =>
      dialogue.some(
        ({ kind, text }) => kind === 'tool_call' && canonicalJson(parsed(text)) === canonicalJson(row.gold),
      ),
  },
  {
    name: 'call of two dialogues',
    about: 'the same gold call is asked for in another dialogue too: the accounts and records of API-Bank are few',
    has: ({ row }, all) => all.some((other) => other.row.dialogue !== row.dialogue && sameCall(other.row, row)),
  },
];

/** Defects that no model can answer its way around; training leaves such rows out. */
const UNANSWERABLE: ReadonlySet<string> = new Set(['tool not listed', 'parameter not listed', 'broken value']);

export function defects(rows: readonly Row[]): Defect[] {
  const readings = rows.map(read);
  return KINDS.map(({ name, about, has }) => {
    const found = readings.filter((reading) => has(reading, readings)).map(({ row }) => row);
    const count = (level: Level) => found.filter((row) => row.level === level).length;
    return { name, about, rows: found.map(({ id }) => id), perLevel: { 1: count(1), 2: count(2), 3: count(3) } };
  });
}

/** The defects of the data in a folder, one line each: how many rows, per level, and what it means. */
export async function defectLines(folder: string): Promise<string[]> {
  return defects(await loadRows(folder)).map(
    ({ name, about, rows, perLevel }) =>
      `${name}: ${rows.length} rows (${LEVELS.map((level) => perLevel[level]).join(' + ')}): ${about}`,
  );
}

export function isAnswerable(row: Row): boolean {
  const reading = read(row);
  return !KINDS.some(({ name, has }) => UNANSWERABLE.has(name) && has(reading, []));
}

function read(row: Row): Reading {
  const prompt = readPrompt(promptOf(row));
  const tool = prompt?.list.tools.find(({ name }) => name === row.gold.name);
  const dialogue = prompt?.dialogue ?? [];
  let known: Grounding[] | undefined;
  const groundings = () => {
    known ??= groundingsOf(row, tool, dialogue);
    return known;
  };
  return { row, tool, dialogue, groundings };
}

function groundingsOf({ gold }: Row, tool: Tool | undefined, dialogue: readonly Segment[]): Grounding[] {
  const texts = dialogue.map(({ text }) => text);
  return Object.entries(gold.parameters).map(([key, value]) => {
    const parameter = tool && Object.hasOwn(tool.parameters, key) ? tool.parameters[key] : undefined;
    return groundingOf(value, parameter?.type ?? 'str', listen([...texts, parameter?.description ?? '']));
  });
}

/** What a call of this tool must have. The data has no mark for it but a word in some descriptions. */
export const requiredOf = (tool: Tool): string[] =>
  Object.keys(tool.parameters).filter((key) => !/\boptional\b/i.test(tool.parameters[key]!.description));

/** Whether a text is how the data writes a value of this type. */
export function isOfType(value: string, type: string): boolean {
  if (value === '') return false;
  if (type === 'int') return /^-?\d+$/.test(value);
  if (type === 'float') return /^-?\d+(?:\.\d+)?$/.test(value);
  if (type === 'bool') return value === 'True' || value === 'False';
  if (type.startsWith('list')) return Array.isArray(pythonLiteral(value));
  return true;
}

const values = ({ gold }: Row): string[] => Object.values(gold.parameters);
const keys = ({ gold }: Row): string[] => Object.keys(gold.parameters);

const sameCall = (a: Row, b: Row): boolean =>
  a.gold.name === b.gold.name && canonicalJson(a.gold) === canonicalJson(b.gold);
const sameRow = (a: Row, b: Row): boolean => a.user === b.user && a.system === b.system && sameCall(a, b);

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
