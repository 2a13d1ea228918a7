/** What the search of an invented task searches: its own evidence, among passages of other tasks. */
import { createRng, shuffled } from '../../core/rng.ts';
import { bm25, type Passage } from './bm25.ts';
import { hasRun, normalise } from './normalise.ts';
import { RESULTS, type Search } from './search.ts';
import { splits } from './splits.ts';
import { entityOf, type TwoHop } from './two-hop.ts';

const DISTRACTORS = 18;

/** The same for the same task. Passages that name what the task is about are left out: they could contradict it. */
export function libraryOf({ question, evidence, bridge }: TwoHop): Passage[] {
  const names = [normalise(bridge), ...evidence.map(({ title }) => entityOf(title))];
  const others = shelf().filter(({ words }) => !names.some((name) => hasRun(words, name)));
  const chosen = shuffled(others, createRng('bamboogle').fork('distractors', question)).slice(0, DISTRACTORS);
  return shuffled([...evidence, ...chosen.map(({ passage }) => passage)], createRng(question));
}

export function librarySearch(task: TwoHop): Search {
  let index: ReturnType<typeof bm25> | undefined;
  const passages = libraryOf(task);
  return async (query, k) => {
    index ??= bm25(passages);
    return index.search(query, k).map(({ index: at }) => ({ title: passages[at]!.title, snippet: passages[at]!.text }));
  };
}

/** Whether both hops can be made with the search: the subject finds the first passage, and the bridge the second. */
export function problemWithSearching(task: TwoHop): string | undefined {
  const passages = libraryOf(task);
  const index = bm25(passages);
  const finds = (query: string, wanted: Passage) =>
    index.search(query, RESULTS).some(({ index: at }) => passages[at] === wanted);
  const [first, second] = task.evidence;
  if (!finds(first.title, first)) return 'a search for the subject does not find passage 1';
  if (!finds(task.bridge, second)) return 'a search for the bridge does not find passage 2';
  return undefined;
}

let shelved: { passage: Passage; words: string }[] | undefined;

/** The evidence of all base questions. */
function shelf(): { passage: Passage; words: string }[] {
  shelved ??= splits()
    .base.flatMap(({ evidence }) => evidence)
    .map((passage) => ({ passage, words: normalise(`${passage.title} ${passage.text}`) }));
  return shelved;
}
