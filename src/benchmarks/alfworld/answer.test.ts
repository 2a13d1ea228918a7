import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuStopwatch } from '../../../test/cpu-time.ts';
import { actionOf, extract, inDialect, normalise } from './answer.ts';

describe('the action in a reply', () => {
  it.each([
    ['<action>go to desk 1</action><action>look</action>', 'look'],
    ['<action>look</action> </action>', 'look'],
    ['<action>look', '<action>look'],
    ['I think.\nAction: open fridge 1\n<action>look</action>', 'look'],
    ['<action></action>\nlook', ''],
    ['<tool_call>{"name": "act", "parameters": {"action": "look"}}</tool_call>', 'look'],
    ['<tool_call>{"arguments": {"command": "look"}}</tool_call>', 'look'],
    ['<tool_call>{"arguments": "{\\"action\\": \\"look\\"}"}</tool_call>', 'look'],
    ['<tool_call>{"parameters": {"action": "look"}}</tool_call><tool_call>{broken</tool_call>', 'look'],
    ['<tool_call>{"parameters": {"action": 7}}</tool_call>\nAction: look', 'look'],
    ['Action: open fridge 1\nThat will do.\naction:  look \nDone.', 'look'],
    ['Action:\nlook', 'look'],
    ['first\n\n  look  \n\n', 'look'],
    ['', ''],
    [' \n\t ', ''],
  ])('in %j is %j', (reply, action) => {
    expect(extract(reply).trim()).toBe(action);
  });

  it.each([
    ['  Go to  Desk 1. ', 'go to desk 1'],
    ['"open drawer 3"', 'open drawer 3'],
    ["`'open drawer 3'`", 'open drawer 3'],
    ['> look', 'look'],
    ['put mug 1 in/on desk 2', 'move mug 1 to desk 2'],
    ['place the mug 1 onto desk 2', 'move the mug 1 to desk 2'],
    ['put mug 1 into desk 2', 'move mug 1 to desk 2'],
    ['PUT mug 1 in desk 2', 'move mug 1 to desk 2'],
    ['move mug 1 on desk 2', 'move mug 1 to desk 2'],
    ['move mug 1 to desk 2', 'move mug 1 to desk 2'],
    ['put in desk', 'put in desk'],
    ['put mug 1', 'put mug 1'],
    ['pick up mug 1 from desk 1', 'take mug 1 from desk 1'],
    ['pick up mug 1', 'pick up mug 1'],
    ['take the mug 1 from desk 1', 'take the mug 1 from desk 1'],
  ])('%j is normalised to %j', (action, normal) => {
    expect(normalise(action)).toBe(normal);
  });

  it('is what it is however often it is normalised', () => {
    const word = fc.constantFrom('put', 'mug 1', 'in', 'on', 'in/on', 'to', 'take', 'from', 'desk 2', 'pick up');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 7 }), (words) => {
        const once = normalise(words.join(' '));
        expect(normalise(once)).toBe(once);
      }),
    );
  });

  it('is found in any text without an exception, and in ten million hostile characters at once', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof actionOf(text) === 'string'));
    const spent = cpuStopwatch();
    for (const unit of [
      '<action>',
      '<tool_call>',
      '<tool_call>{}</tool_call>',
      'Action:\n',
      '> ',
      '"',
      '\n',
      'put in ',
      '[',
      '\ud800',
    ]) {
      expect(typeof actionOf(unit.repeat(1e7 / unit.length))).toBe('string');
    }
    const nested = `<tool_call>{"parameters":${'['.repeat(1e5)}${']'.repeat(1e5)}}</tool_call>`;
    expect(typeof actionOf(nested)).toBe('string');
    expect(spent()).toBeLessThan(20_000);
  });

  it('is said in the words of a dialect', () => {
    expect(inDialect('move mug 1 to desk 2', 'old')).toBe('put mug 1 in/on desk 2');
    expect(inDialect('move mug 1 to desk 2', 'new')).toBe('move mug 1 to desk 2');
    expect(inDialect('move on', 'old')).toBe('move on');
  });
});
