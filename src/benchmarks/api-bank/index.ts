/** API-Bank in ToolRL's form: dialogues with tools, one call to make next, judged letter by letter. */
import type { Benchmark, TextWorld } from '../../core/benchmark.ts';
import type { Json, Task } from '../../core/types.ts';
import { extractCalls } from './answer.ts';
import { loadRows, loadRowsNow, type Row } from './data.ts';
import { context, read } from './environment.ts';
import type { Protocol } from './metrics.ts';
import { loose } from './said.ts';
import { softMatch, strictMatch } from './score.ts';
import { heldOutTexts } from './splits.ts';
import { features, goldOfTask, stratum, structure, tasksOf } from './tasks.ts';

export { type Defect, defectLines, defects } from './defects.ts';
export { apiBankExams } from './exams.ts';
export { API_BANK_SCRIPTS, apiBankScripts } from './scripts.ts';
export { API_BANK_SOURCES } from './sources.ts';
export { judgeVector } from './vectors.ts';

export interface ApiBankOptions {
  /** The benchmark's own folder. */
  data: string;
  /** Take only the first so many base tasks. */
  baseTasks?: number;
  /** The verdict that training rewards: `soft` is the paper's, `strict` pays for no second guess. */
  protocol?: Protocol;
}

export function apiBankBenchmark({ data, baseTasks, protocol = 'soft' }: ApiBankOptions): Benchmark {
  let loading: Promise<Row[]> | undefined;
  const rows = () => {
    loading ??= loadRows(data);
    return loading;
  };
  let heldOut: ReadonlySet<string> | undefined;
  return {
    name: 'api-bank',
    base: async () => tasksOf(await rows(), 'base').slice(0, baseTasks),
    validation: async () => tasksOf(await rows(), 'validation'),
    test: async () => tasksOf(await rows(), 'test'),
    context,
    read(text, seed) {
      const draft = read(text, seed);
      if ('problem' in draft) return draft;
      heldOut ??= heldOutTexts(loadRowsNow(data));
      return heldOut.has(loose(draft.prompt.at(-1)!.content))
        ? { problem: 'the dialogue is one that is held out' }
        : draft;
    },
    features,
    structure,
    stratum,
    session: (task) => world(task, protocol),
  };
}

/** The first reply is the last: the world says nothing, and judges what was called. */
function world(task: Task, protocol: Protocol): TextWorld | undefined {
  const gold = goldOfTask(task);
  if (!gold) return undefined;
  const match = protocol === 'soft' ? softMatch : strictMatch;
  const matched = (answer: Json) => match(typeof answer === 'string' ? extractCalls(answer) : [], gold);
  return {
    say: () => ({ content: '', done: true }),
    judge: (answer) => Number(matched(answer).correct),
    terms(answer) {
      const found = matched(answer);
      const name = `${protocol} match with the gold call`;
      return [{ name, score: Number(found.correct), ...(found.correct ? {} : { detail: found.reason }) }];
    },
  };
}
