import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/types.ts';
import { textMessages, transcript, wireMessages } from './wire-messages.ts';

const call = (name: string) => ({ name, args: { x: 1 } });
const talk: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Go.' },
  { role: 'assistant', content: 'First.', toolCalls: [call('a'), call('b')], tokens: Int32Array.of(1, 2) },
  { role: 'tool', content: 'one' },
  { role: 'tool', content: 'two' },
];

describe('messages of a chat', () => {
  it('tie results to calls by ids that every template takes, and carry no ids of tokens', () => {
    expect(wireMessages(talk)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: 'First.',
        tool_calls: [
          { id: 'call00000', type: 'function', function: { name: 'a', arguments: '{"x":1}' } },
          { id: 'call00001', type: 'function', function: { name: 'b', arguments: '{"x":1}' } },
        ],
      },
      { role: 'tool', content: 'one', tool_call_id: 'call00000' },
      { role: 'tool', content: 'two', tool_call_id: 'call00001' },
    ]);
  });

  it('do not repeat in words the calls that were read from the words', () => {
    const said = (content: string) =>
      wireMessages([{ role: 'assistant', content, toolCalls: [call('a')] }])[0]!.content;
    expect(said('I think.\n<tool_call>{"name":"a"}</tool_call>')).toBe('I think.');
    expect(said('[{"name":"a"}]')).toBeNull();
    expect(said('```json\n{}\n```')).toBeNull();
  });

  it('take a result that nothing asked for as words of the user', () => {
    expect(wireMessages([{ role: 'tool', content: 'x' }])).toEqual([{ role: 'user', content: 'x' }]);
  });
});

describe('messages for a server without tools', () => {
  it('describe the tools, write calls in tags and results as the user', () => {
    const [system, user, assistant, results] = textMessages(talk, '{"name":"a"}');
    expect(system!.content).toMatch(/<tool_call>.*\n\{"name":"a"\}\n\nBe brief\.$/s);
    expect(user).toEqual({ role: 'user', content: 'Go.' });
    expect(assistant!.content).toBe(
      'First.\n<tool_call>{"name":"a","arguments":{"x":1}}</tool_call>\n<tool_call>{"name":"b","arguments":{"x":1}}</tool_call>',
    );
    expect(results!.content).toBe('<tool_response>\none\n</tool_response>\n\n<tool_response>\ntwo\n</tool_response>');
  });
});

describe('a transcript', () => {
  it('is the prompt itself where there is but one message', () => {
    expect(transcript([{ role: 'user', content: 'Once upon' }])).toEqual({ prompt: 'Once upon', stop: [] });
  });

  it('ends where the assistant has the word, and stops where the user would', () => {
    const { prompt, stop } = transcript(wireMessages(talk.slice(0, 2)));
    expect(prompt).toBe('System: Be brief.\n\nUser: Go.\n\nAssistant:');
    expect(stop).toEqual(['\n\nUser:']);
  });
});
