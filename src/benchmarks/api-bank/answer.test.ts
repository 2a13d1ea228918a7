import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { extractCalls, pythonStrip } from './answer.ts';

const CALL = '{"name": "F", "parameters": {"a": "1"}}';
const VALUE = { name: 'F', parameters: { a: '1' } };

describe('what was called', () => {
  it.each([
    ['a block', `<think>x</think>\n<tool_call>\n${CALL}\n</tool_call>\n<response>y</response>`, [VALUE]],
    ['a block on one line', `<tool_call>${CALL}</tool_call>`, [VALUE]],
    ['a block that never ends', `<tool_call>\n${CALL}`, [VALUE]],
    ['no tags at all', CALL, [VALUE]],
    ['no opening tag', `${CALL}\n</tool_call> and more`, [VALUE]],
    ['several lines', `<tool_call>\n${CALL}\n\n   \n${CALL}\r\n</tool_call>`, [VALUE, VALUE]],
    ['words between lines', `<tool_call>\nfirst:\n${CALL}\nthen nothing\n</tool_call>`, [VALUE]],
    [
      'scalars, strings and lists',
      '<tool_call>\n5\n"a"\n[1]\nnull\ntrue\nNaN\n</tool_call>',
      [5, 'a', [1], null, true, Number.NaN],
    ],
    ['only the last block', `<tool_call>\n${CALL}\n</tool_call>\n<tool_call>\n{}\n</tool_call>`, [{}]],
    ['a mention after the block, which hides it', `<tool_call>\n${CALL}\n</tool_call> I used <tool_call>.`, []],
    ['a mention before it', `I use <tool_call> now\n<tool_call>\n${CALL}\n</tool_call>`, [VALUE]],
    ['a closing tag before it', `</tool_call><tool_call>${CALL}</tool_call>`, [VALUE]],
    ['JSON over several lines', '<tool_call>\n{\n"name": "F",\n"parameters": {}\n}\n</tool_call>', []],
    ['Python', "<tool_call>\n{'name': 'F', 'parameters': {}}\n</tool_call>", []],
    ['two values on a line', `<tool_call>\n${CALL} ${CALL}\n</tool_call>`, []],
    ['nothing', '', []],
    ['space that Python knows', `<tool_call>\x1c\x85\u3000${CALL}\xa0\x1f</tool_call>`, [VALUE]],
    ['a byte order mark, which is no space', `\ufeff${CALL}`, []],
    ['odd space inside the block', `<tool_call>\n${CALL}\n\xa0${CALL}\n</tool_call>`, [VALUE]],
  ])('is read from %s', (_, output, items) => {
    expect(extractCalls(output)).toEqual(items);
  });

  it('is nothing where half a character stands in it, because files cannot keep it', () => {
    expect(extractCalls(`<think>\ud800</think><tool_call>${CALL}</tool_call>`)).toEqual([]);
    expect(extractCalls(`<tool_call>\n${CALL}\n"\\ud800"\n</tool_call>`)).toEqual([]);
    expect(extractCalls(`<tool_call>\n${CALL}\n[{"\\udc00": 1}]\n</tool_call>`)).toEqual([]);
    expect(extractCalls(`<tool_call>\n${CALL}\n"\\ud83d\\ude00 😀"\n</tool_call>`)).toHaveLength(2);
  });

  it('drops a line that nests too deep, and keeps the others', () => {
    expect(extractCalls(`${'['.repeat(10_000)}${']'.repeat(10_000)}\n${CALL}`)).toEqual([VALUE]);
  });

  it('takes time in proportion to the text', () => {
    const hostile = ['<tool_call>', '</tool_call>', '{"a"}\n', '"\\x"\n', '\n', '[', '{"a":', ' ', '"\\u00e9', '9'];
    for (const piece of hostile) {
      const spent = cpuStopwatch();
      extractCalls(piece.repeat(Math.ceil(2_000_000 / piece.length)));
      expect(spent()).toBeLessThan(5000);
    }
  });
});

describe('stripping', () => {
  it('leaves the middle and strips nothing from a text of space alone but all', () => {
    expect(pythonStrip(' a b\n')).toBe('a b');
    expect(pythonStrip(' \n\t')).toBe('');
    expect(pythonStrip('\u200b a')).toBe('\u200b a');
  });
});
