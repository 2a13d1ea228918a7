/** The two examinations: all 597 rows, greedy, one reply each. They differ only in what counts as the right call. */
import { type Exam, type ExamVerdict, LineError } from '../../core/exam.ts';
import type { Json, JsonObject } from '../../core/types.ts';
import { extractCalls } from './answer.ts';
import { goldOf, levelOf, type Row, rowId, rowsByNeed } from './data.ts';
import { type Details, PAPER, type Protocol, summarise } from './metrics.ts';
import { promptOf, writeReply } from './prompt.ts';
import { type GoldCall, softMatch, strictMatch, typeBlindMatch } from './score.ts';
import { type Split, splitDialogues } from './splits.ts';

const ABOUT: Record<Protocol, string> = {
  soft: 'One call for each of 597 dialogues; right if any call in the last block equals the gold call (ToolRL, the paper).',
  strict:
    'The same 597 dialogues; right only if the last block holds exactly one call, with name and parameters, and it equals.',
};

/** The protocol's limit on a reply. */
const MAX_TOKENS = 4096;

export function apiBankExams({ data }: { data: string }): Record<Protocol, Exam> {
  const rows = rowsByNeed(data);
  let splits: ReadonlyMap<string, Split> | undefined;
  const splitOf = async ({ dialogue }: Row): Promise<Split> => {
    splits ??= splitDialogues([...(await rows()).values()]);
    return splits.get(dialogue)!;
  };
  const rowOf = async (id: string): Promise<Row> => {
    const row = (await rows()).get(rowId(id));
    if (!row)
      throw new LineError(`there is no row ${JSON.stringify(id.slice(0, 60))}: ids are level-1/0 … level-3/130`);
    return row;
  };

  const exam = (name: Protocol): Exam => ({
    name,
    about: ABOUT[name],
    paper: PAPER,
    ids: async () => [...(await rows()).keys()],
    answer: async (id, ask) => ask(promptOf(await rowOf(id)), { maxTokens: MAX_TOKENS }),
    async judge(line) {
      const { id, output } = readLine(line);
      if (Object.hasOwn(line, 'target')) {
        return verdict(name, id, output, targetOf(line.target!), { level: levelOf(id) ?? null, split: null });
      }
      const row = await rowOf(id);
      return verdict(name, id, output, row.gold, { level: row.level, split: await splitOf(row) });
    },
    gold: async () => [...(await rows()).values()].map(({ id, gold }) => ({ id, output: writeReply(gold) })),
    summarise: (verdicts) => summarise(verdicts, name),
  });
  return { soft: exam('soft'), strict: exam('strict') };
}

function readLine(line: JsonObject): { id: string; output: Json } {
  if (typeof line.id !== 'string' || line.id === '') throw new LineError('the line has no "id"');
  if (!Object.hasOwn(line, 'output')) throw new LineError('the line has no "output"');
  return { id: line.id, output: line.output! };
}

function targetOf(target: Json): GoldCall {
  const gold = goldOf(target);
  if (!gold) throw new LineError('the target is no call: {"name", "parameters"}, alone or first in a list');
  return gold;
}

function verdict(
  protocol: Protocol,
  id: string,
  output: Json,
  gold: GoldCall,
  where: Pick<Details, 'level' | 'split'>,
): ExamVerdict {
  const items = typeof output === 'string' ? extractCalls(output) : [];
  const matches = { soft: softMatch(items, gold), strict: strictMatch(items, gold) };
  const [soft, strict] = [matches.soft.correct, matches.strict.correct];
  const typeBlind = soft || typeBlindMatch(items, gold).correct;
  const details: Details = { calls: items.length, soft, strict, typeBlind, ...where };
  const match = matches[protocol];
  if (match.correct) return { id, correct: true, score: 1, details };
  const reason = typeof output === 'string' ? match.reason : 'the output is no text';
  return { id, correct: false, score: 0, reason, details };
}
