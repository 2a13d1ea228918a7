/** What the simulator is shown and how what it writes is read: a question with its evidence, checked before it is a task. */
import type { TaskDraft } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import type { Message, Task } from '../../core/types.ts';
import { problemWithSearching } from './library.ts';
import { normalise } from './normalise.ts';
import { goalOf, twoHop, twoHopDraft } from './tasks.ts';
import { problemWith, type TwoHop } from './two-hop.ts';

const INSTRUCTIONS = `You write training questions for an agent that answers with the help of a search tool. Each question takes two hops: it names a subject, the first passage leads from the subject to something else (the bridge), and the second passage, about the bridge, holds the answer. The agent sees only the question and finds the passages by searching.
Write ONE new question in the manner of the seed, about invented people, places and works, with the two passages it is answered from. Make it harder or easier so that the agent's success comes close to the target: other values of the answer's kind in passage 2, longer passages and less direct wording make it harder.
Rules:
- The question names the title of passage 1, and neither the bridge nor the answer.
- Passage 1 names the bridge and not the answer. Passage 2 names the bridge and the answer, and not the title of passage 1.
- The answer is a short phrase, word for word in passage 2; not yes or no.
Reply with one JSON object and nothing else: {"question": "…", "evidence": [{"title": "…", "text": "…"}, {"title": "…", "text": "…"}], "bridge": "…", "answer": "…"}`;

export function contextOf({ seed, lineage, overall, target }: Brief): Message[] {
  const lines = [
    `Seed:\n${JSON.stringify(goalOf(seed.eval)?.twoHop ?? {})}`,
    lineage.length > 0
      ? `The agent's success on variations of it: ${lineage.map((l) => `epoch ${l.epoch}: ${l.successes} of ${l.attempts}`).join(', ')}.`
      : 'The agent has not attempted variations of it yet.',
    overall === undefined ? '' : `Its success on all written questions in the last epoch: ${percent(overall)}.`,
    `Target: the agent answers the new question in about ${percent(target.alpha)} of its attempts (between ${percent(target.alpha - target.kMin)} and ${percent(target.alpha + target.kMin)}).`,
  ];
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: lines.filter(Boolean).join('\n') },
  ];
}

const percent = (rate: number) => `${Math.round(100 * Math.min(1, Math.max(0, rate)))}%`;

/** No two passages need more. */
const MAX_CHARACTERS = 20_000;

/** A task out of what was written, or the reason why it is none. `heldOut` are normalised questions that must stay unseen. */
export function readWritten(text: string, seed: Task, heldOut: ReadonlySet<string>): TaskDraft | { problem: string } {
  const task = parse(text);
  if ('problem' in task) return task;
  const question = normalise(task.question);
  const problem = problemWith(task) ?? problemWithSearching(task);
  if (problem !== undefined) return { problem };
  if (heldOut.has(question)) return { problem: 'the question is one of those held out' };
  if (question === normalise(goalOf(seed.eval)?.question ?? '')) return { problem: "the question is the seed's own" };
  return twoHopDraft(task);
}

/** What is between the first and the last brace: some put their JSON in a fence, or words around it. */
function parse(text: string): TwoHop | { problem: string } {
  if (text.length > MAX_CHARACTERS) return { problem: `longer than ${MAX_CHARACTERS} characters` };
  let value: unknown;
  try {
    value = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return { problem: 'not JSON: expected {"question", "evidence", "bridge", "answer"}' };
  }
  const parsed = twoHop.safeParse(value);
  if (parsed.success) return trimmed(parsed.data);
  const { path, message } = parsed.error.issues[0]!;
  return { problem: path.length > 0 ? `${path.join('.')}: ${message}` : message };
}

/** White space around a text makes no other task. */
function trimmed({ question, evidence: [first, second], bridge, answer }: TwoHop): TwoHop {
  const passage = ({ title, text }: TwoHop['evidence'][0]) => ({ title: title.trim(), text: text.trim() });
  return {
    question: question.trim(),
    evidence: [passage(first), passage(second)],
    bridge: bridge.trim(),
    answer: answer.trim(),
  };
}
