/**
 * Queries from the files that are public at a pinned commit. Training: the fine-tuning data has each request in words with
 * its plan, and the fields follow from the words and the reference information. Validation: another project's table.
 */
import type { Json, JsonObject } from '../../core/types.ts';
import { csvRecords } from '../csv.ts';
import { pythonLiteral } from '../python.ts';
import type { Numbered, Row } from './data.ts';
import type { Database } from './database.ts';
import { readLines, readText } from './files.ts';
import { CUISINES, type LocalConstraint, readQuery } from './query.ts';
import { type PlaceKind, placesIn } from './reference.ts';
import { datesFrom, levelOf } from './request.ts';

export function publicTraining(folder: string, database: Database): Numbered[] {
  const references = readLines(folder, 'database/train_ref_info.jsonl');
  return readLines(folder, 'std_travelplanner.jsonl').flatMap(({ messages }, i) => {
    const [, asked, answered] = messages as { content: string }[];
    const words = asked!.content.slice(asked!.content.lastIndexOf('Query:') + 'Query:'.length).trim();
    const query = readQuery(fieldsFrom(words, references[i] ?? {}, database));
    return 'problem' in query ? [] : [{ idx: i + 1, query, annotated: pythonLiteral(answered!.content) }];
  });
}

/** Places and days are in the titles of the legs; money, people and wishes only in the words. */
function fieldsFrom(words: string, reference: JsonObject, database: Database): JsonObject {
  const legs = Object.keys(reference).flatMap((title) => legIn(title) ?? []);
  const days = 2 * (legs.length - 1) + 1;
  const org = legs[0]?.origin ?? '';
  const city = legs[0]?.destination ?? '';
  const local = wishesIn(words);
  return {
    org,
    dest: days === 3 ? city : (database.stateOf(city) ?? city),
    days,
    visiting_city_number: legs.length - 1,
    date: datesFrom(legs[0]?.date ?? '', days),
    people_number: peopleIn(words),
    budget: Number(/\$([\d,]+)/.exec(words)?.[1]?.replaceAll(',', '')),
    local_constraint: { ...local },
    query: words,
    level: levelOf(local),
  };
}

function legIn(title: string): { origin: string; destination: string; date: string } | undefined {
  const match = /^Flight from (.+?) to (.+?) on ([\d-]{10})$/.exec(title);
  return match ? { origin: match[1]!, destination: match[2]!, date: match[3]! } : undefined;
}

function peopleIn(words: string): number {
  const digits = /(?:group|party) of (\d+)|(\d+) (?:people|person)/.exec(words);
  if (digits) return Number(digits[1] ?? digits[2]);
  if (/group of three/.test(words)) return 3;
  return /for two\b|two (?:people|individuals)|a pair/.test(words) ? 2 : 1;
}

function wishesIn(words: string): LocalConstraint {
  const has = (pattern: RegExp) => pattern.test(words);
  const rules = [
    ['smoking', /smoking/],
    ['parties', /parties/],
    ['children under 10', /children under/],
    ['visitors', /visitors/],
    ['pets', /pets?\b/],
  ] as const;
  const cuisine = CUISINES.filter((kind) => words.includes(kind)).sort((a, b) => words.indexOf(a) - words.indexOf(b));
  const room = has(/entire rooms?/i) ? 'entire room' : has(/private rooms?/i) ? 'private room' : null;
  const noDriving = has(/self-driv|drive ourselves/);
  return {
    'house rule': rules.find(([, pattern]) => has(pattern))?.[0] ?? null,
    cuisine: cuisine.length > 0 ? cuisine : null,
    'room type': room,
    transportation: noDriving ? 'no self-driving' : has(/flights?\b|flying/) ? 'no flight' : null,
  };
}

/** Requests are numbered by the example submission, which has them all; one of the table's is worded differently. */
export function publicValidation(folder: string, database: Database): Row[] {
  const numbers = new Map(readLines(folder, 'example_evaluation.jsonl').map(({ query, idx }) => [query, Number(idx)]));
  return csvRecords(readText(folder, 'validation_with_hidden_profile.csv'))
    .flatMap((field): Row[] => {
      const idx = numbers.get(field('query'));
      const columns = ['org', 'dest', 'days', 'visiting_city_number', 'date', 'people_number', 'local_constraint'];
      const fields = [...columns, 'budget', 'query', 'level'].map((name) => [name, field(name)]);
      const query = readQuery(Object.fromEntries(fields) as JsonObject);
      const sections = pythonLiteral(field('reference_information'));
      if (idx === undefined || 'problem' in query || !Array.isArray(sections)) return [];
      const reference = Object.fromEntries(
        (sections as { Description: string; Content: string }[]).map(({ Description: title, Content: text }) => [
          title,
          contentOf(title, text, database),
        ]),
      );
      return [{ idx, query, reference, annotated: undefined }];
    })
    .sort((a, b) => a.idx - b.idx);
}

/** A section as rows: places are those of the database, flights are read from the printed table. */
function contentOf(title: string, text: string, database: Database): Json {
  const places = /^(Attractions|Restaurants|Accommodations) in (.+)$/.exec(title);
  if (places) return placesIn(places[1] as PlaceKind, places[2]!, database);
  const leg = legIn(title);
  const flights = leg ? text.split('\n').flatMap((line) => flightIn(line, leg) ?? []) : [];
  return flights.length > 0 ? flights : text;
}

const FLIGHT = /^ *(F\d+) +(\d+) +(\d\d:\d\d) +(\d\d:\d\d) +(\S.*?) +([\d-]{10}) .* ([\d.]+)$/;

function flightIn(line: string, { origin, destination }: { origin: string; destination: string }): Json | undefined {
  const match = FLIGHT.exec(line);
  if (!match) return undefined;
  const [, number, price, departs, arrives, elapsed, date, distance] = match;
  return {
    'Flight Number': number!,
    Price: Number(price),
    DepTime: departs!,
    ArrTime: arrives!,
    ActualElapsedTime: elapsed!,
    FlightDate: date!,
    OriginCityName: origin,
    DestCityName: destination,
    Distance: Number(distance),
  };
}
