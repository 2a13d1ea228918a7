/**
 * The errands world a second time, from its description and by another method: no tree and no grammar, only text that is
 * cut and rewritten until sentences are left that each say one call. Where both agree, neither is likely to be wrong.
 */

interface Call {
  name: string;
  args: Record<string, string | number>;
}

export interface Answers {
  found: string;
  door: 'open' | 'shut';
}

/** What each sentence looks like; what the parentheses catch is of these kinds and goes to these arguments. */
const SENTENCES: readonly [start: RegExp, name: string, shape: RegExp, ...slots: [kind: string, arg: string][]][] = [
  [/^text/, 'text', /^text (.+) the (\w+)$/, ['person', 'to'], ['item', 'item']],
  [/^rem/, 'remind', /^remind (.+) on (\w+)$/, ['person', 'who'], ['day', 'day']],
  [/^boo/, 'book', /^book (\w+) for (as many|\w+)$/, ['city', 'place'], ['number', 'people']],
  [/^buy/, 'buy', /^buy (as many|\w+) (\w+)$/, ['number', 'count'], ['goods', 'goods']],
  [/^(dim|bri)/, 'light', /^(dim|brighten) (.+)$/, ['level', 'level'], ['room', 'room']],
  [/^play/, 'play', /^play (\w+) (?:in )?(.+)$/, ['music', 'music'], ['room', 'room']],
  [/^coo/, 'cook', /^cook (\w+)$/, ['dish', 'dish']],
  [/^wat/, 'water', /^water (.+)$/, ['plant', 'plant']],
  [/^was/, 'wash', /^wash (.+)$/, ['garment', 'garment']],
  [/^feed/, 'feed', /^feed (.+)$/, ['pet', 'pet']],
  [/^find/, 'find', /^find a (\w+) in (\w+)$/, ['lodging', 'kind'], ['city', 'city']],
  [/^che/, 'check', /^check the door$/],
];

/** What a corrected word can be. */
const KINDS: Record<string, RegExp> = {
  person: /^(Ana|Ben|Cleo|Dan|Eva|Finn)$/,
  item: /^(report|photo|invoice|map)$/,
  day: /^\w+day$/,
  city: /^(Lima|Oslo|Cairo|Kyoto)$/,
  number: /^(two|three|four|five|six)$/,
  goods: /^(apples|eggs|candles|stamps)$/,
  room: /^(kitchen|hall|attic|office|porch)$/,
  music: /^(jazz|blues|rock|folk)$/,
  dish: /^(soup|rice|stew|pasta)$/,
  plant: /^(roses|ferns|lilies|herbs)$/,
  garment: /^(shirt|coat|scarf|dress)$/,
  pet: /^(cat|dog|parrot|rabbit)$/,
  lodging: /^$/,
  level: /^$/,
};

const NUMBERS: Record<string, number> = { two: 2, three: 3, four: 4, five: 5, six: 6 };
const TIMES: Record<string, number> = { twice: 2, 'three times': 3, 'four times': 4 };

/** The calls of a request that makes sense; an error where this method is at a loss. */
export function secondInterpretation(text: string, { found, door }: Answers): Call[] {
  const twice = text.endsWith(', all of it twice');
  const whole = twice ? text.slice(0, -', all of it twice'.length) : text;
  const sentences = whole.split('. ');
  const body = sentences.pop()!;
  /** What was said about the sky and the door; what was not said about the door is as it is. */
  const said = sentences.join(' ');
  const isSo = (condition: string): boolean => {
    if (condition.startsWith('it')) return said.includes(condition);
    return said.includes('door') ? said.includes(condition) : condition.endsWith(door);
  };

  const last = new Map<string, string>();
  /** Rewrites one action until it is as many plain sentences as it has calls. */
  const callsOf = (action: string, correction: string | undefined): Call[] => {
    const [, once, times] = /^(.*?)(?: (twice|(?:three|four) times))?$/.exec(action)!;
    const row = SENTENCES.find(([start]) => start.test(once!));
    const caught = row?.[2].exec(once!);
    if (!row || !caught) throw new Error(`what is "${once}"?`);
    const [, name, , ...slots] = row;
    let calls: Call[] = [{ name, args: {} }];
    for (const [i, [kind, arg]] of slots.entries()) {
      let value = caught[i + 1]!;
      if (correction !== undefined && KINDS[kind]!.test(correction)) value = correction;
      if (value === 'it') value = found;
      else if (/^(them|there|the light there|as many)$/.test(value)) value = last.get(kind)!;
      if (value === undefined) throw new Error(`no ${kind} yet in "${text}"`);
      if (value !== found) last.set(kind, value);
      const words = value
        .replace(/^each of /, '')
        .replaceAll('the ', '')
        .split(/, | and /);
      calls = calls.flatMap(({ args }) =>
        words.map((word) => ({ name, args: { ...args, [arg]: NUMBERS[word] ?? word } })),
      );
    }
    return Array.from({ length: TIMES[times!] ?? 1 }, () => calls).flat();
  };

  // Each clause has a height; calls are made from the lowest to the highest.
  const placed: { height: number; calls: Call[] }[] = [];
  for (const part of `then ${body}`.split(/, (?=then |but first |but before that )/)) {
    const [, place, condition, action, correction, otherwise] =
      /^(then|but first|but before that) (?:if (it rains|it is dry|the door is \w+) )?(.+?)(?:, no, make it (?:the )?(\w+))?(?:, otherwise (.+))?$/.exec(
        part,
      )!;
    const calls = callsOf(action!, correction);
    const instead = otherwise === undefined ? [] : callsOf(otherwise, undefined);
    const heights = placed.map(({ height }) => height);
    let height = Math.max(0, ...heights) + 1;
    if (place === 'but first') height = Math.min(0, ...heights) - 1;
    if (place === 'but before that') {
      const previous = heights.at(-1)!;
      const below = Math.max(Math.min(...heights) - 1, ...heights.filter((other) => other < previous));
      height = (previous + below) / 2;
    }
    placed.push({ height, calls: condition === undefined || isSo(condition) ? calls : instead });
  }
  const calls = placed.sort((a, b) => a.height - b.height).flatMap((clause) => clause.calls);
  return twice ? [...calls, ...calls] : calls;
}
