import { expect, it } from 'vitest';
import { pythonLiteral } from '../python.ts';
import { pythonRepr } from './python-repr.ts';

it.each([
  [{ name: 'Search', parameters: { query: 'a' } }, "{'name': 'Search', 'parameters': {'query': 'a'}}"],
  [[true, false, null, 1.5, -3], '[True, False, None, 1.5, -3]'],
  ["it's", '"it\'s"'],
  ['say "it\'s"', "'say \"it\\'s\"'"],
  ['a\\b\n\t\r', "'a\\\\b\\n\\t\\r'"],
  ['\x00\x7f\xa0é\u200b\u{e0001}\ud800', "'\\x00\\x7f\\xa0é\\u200b\\U000e0001\\ud800'"],
])('prints %j as Python does, and Python reads it back', (value, text) => {
  expect(pythonRepr(value)).toBe(text);
  expect(pythonLiteral(text)).toEqual(value);
});
