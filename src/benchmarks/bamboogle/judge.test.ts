import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/types.ts';
import { judgeBy, readJudgment } from './judge.ts';

describe('a judgment', () => {
  it.each([
    '- Thought: the same\n- Judgment: Yes',
    '- Thought: \n- Judgment:\n Yes \n',
    '- Judgment: Yes\n- Judgment: No',
    'Well.\n- Thought: x - Judgment:Yes',
  ])('%j is a yes', (reply) => {
    expect(readJudgment(reply)).toBe(true);
  });

  it.each([
    '- Thought: x\n- Judgment: No',
    '- Judgment: Yes.',
    '- Judgment: yes',
    '- Judgment: **Yes**',
    '- Judgment: Yes, it is',
    '- Judgment: No\n- Judgment: Yes',
    'Judgment: Yes',
    '- judgment: Yes',
    'Yes',
    '',
  ])('%j is none', (reply) => {
    expect(readJudgment(reply)).toBe(false);
  });

  it('is asked for with the question, the gold and the prediction, however long that is', async () => {
    let shown: readonly Message[] = [];
    const judge = judgeBy(async (messages) => {
      shown = messages;
      return '- Thought: x\n- Judgment: Yes';
    });
    expect(await judge('Where?', 'Paris', `In Paris ${'x'.repeat(1e6)}`)).toBe(true);
    expect(shown[0]).toMatchObject({ role: 'system' });
    expect(shown[1]!.content).toContain(
      '**Question**\nWhere?\n\n**Correct Answer**\nParis\n\n**Answer to Judge**\nIn Paris',
    );
    expect(shown[1]!.content.length).toBeLessThan(9000);
  });
});
