/** Python's strftime, for the date that templates write into the system's turn. English names, whatever the machine's language. */

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

export function strftime(date: Date, format: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const hour12 = date.getHours() % 12 || 12;
  const yearDay = Math.round(
    (Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 0)) / 86_400_000,
  );
  const fields: Record<string, string> = {
    Y: String(date.getFullYear()).padStart(4, '0'),
    y: two(date.getFullYear() % 100),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    e: String(date.getDate()).padStart(2, ' '),
    B: MONTHS[date.getMonth()]!,
    b: MONTHS[date.getMonth()]!.slice(0, 3),
    h: MONTHS[date.getMonth()]!.slice(0, 3),
    A: DAYS[date.getDay()]!,
    a: DAYS[date.getDay()]!.slice(0, 3),
    H: two(date.getHours()),
    I: two(hour12),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    p: date.getHours() < 12 ? 'AM' : 'PM',
    j: String(yearDay).padStart(3, '0'),
    f: `${String(date.getMilliseconds()).padStart(3, '0')}000`,
    '%': '%',
  };
  fields.F = `${fields.Y}-${fields.m}-${fields.d}`;
  fields.T = `${fields.H}:${fields.M}:${fields.S}`;
  fields.D = `${fields.m}/${fields.d}/${fields.y}`;
  fields.R = `${fields.H}:${fields.M}`;
  // `%-d` is the same without the padding.
  return format.replace(/%(-?)([A-Za-z%])/g, (whole, bare: string, field: string) => {
    const text = fields[field];
    if (text === undefined) return whole;
    return bare ? text.replace(/^[0 ]+(?=.)/, '') : text;
  });
}
