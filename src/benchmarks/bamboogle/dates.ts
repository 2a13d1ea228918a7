/** Days of the calendar in normalised words: a day, the name of a month and a year, in any order. */

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** `sept` is as usual as `sep`; `may` is its own short form. */
const MONTH = new Map<string, number>([
  ...MONTHS.map((name, i): [string, number] => [name, i + 1]),
  ...MONTHS.map((name, i): [string, number] => [name.slice(0, 3), i + 1]),
  ['sept', 9],
]);
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const YEAR = /^\d{3,4}$/;

/** The dates in a row of words, each as `year-month-day`. Three words in a row make one; `of` does not count as a word. */
export function datesIn(words: readonly string[]): Set<string> {
  const dates = new Set<string>();
  const said = words.filter((word) => word !== 'of');
  for (let i = 0; i + 2 < said.length; i++) {
    const date = dateOf(said[i]!, said[i + 1]!, said[i + 2]!);
    if (date !== undefined) dates.add(date);
  }
  return dates;
}

/** The date that these words are and nothing else. */
export function onlyDate(words: readonly string[]): string | undefined {
  const said = words.filter((word) => word !== 'of');
  return said.length === 3 ? dateOf(said[0]!, said[1]!, said[2]!) : undefined;
}

function dateOf(...words: [string, string, string]): string | undefined {
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  for (const word of words) {
    const number = DAY.exec(word)?.[1];
    if (MONTH.has(word)) month ??= MONTH.get(word);
    else if (number !== undefined && Number(number) >= 1 && Number(number) <= 31) day ??= Number(number);
    else if (YEAR.test(word)) year ??= Number(word);
  }
  return day === undefined || month === undefined || year === undefined ? undefined : `${year}-${month}-${day}`;
}
