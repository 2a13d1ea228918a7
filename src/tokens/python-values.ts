/** Values inside a template, and what Python takes for equal and for true. */

/** What the template engine hands to a function inside a list: values that still know their type. */
export interface TemplateValue {
  type: string;
  value: unknown;
}

/** By content, as in Python: lists and dictionaries too, and 1 equals True. */
export function pythonEqual(left: TemplateValue, right: TemplateValue): boolean {
  const [a, b] = [left.value, right.value];
  if (a instanceof Map && b instanceof Map) {
    return (
      a.size === b.size &&
      [...a].every(([key, value]) => b.has(key) && pythonEqual(value as TemplateValue, b.get(key) as TemplateValue))
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return (
      a.length === b.length && left.type === right.type && a.every((value, i) => pythonEqual(value, b[i] as TemplateValue))
    );
  }
  if (isNumeric(a) && isNumeric(b)) return Number(a) === Number(b);
  return a === b;
}

/** What is empty is false. */
export function pythonTruth({ value }: TemplateValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value instanceof Map ? value.size > 0 : Boolean(value);
}

const isNumeric = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
