/**
 * The letters world: the smallest thing two language models can co-evolve in. Difficulty is the number of letters; a model
 * that starts from nothing learns the short ones from demonstrations and the long ones from reward.
 */
import type { Benchmark, Demonstration, TaskDraft } from '../../core/benchmark.ts';
import type { Brief } from '../../core/players.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { rootTask } from '../../core/root-task.ts';
import type { Message, Origin, Task } from '../../core/types.ts';
import { ALPHABET, answer, MAX_LETTERS, OPERATIONS, type Request, randomRequest, read, write } from './language.ts';

export interface LettersOptions {
  baseTasks?: number;
  validationTasks?: number;
  testTasks?: number;
}

export function lettersBenchmark(options: LettersOptions = {}): Benchmark {
  const { baseTasks = 128, validationTasks = 96, testTasks = 96 } = options;
  // Longer than any base task: nothing held out can be among them.
  const validation = () => makeTasks('validation', validationTasks, [5, 8]);
  return {
    name: 'letters',
    base: async () => makeTasks('base', baseTasks, [2, 4]),
    validation: async () => validation(),
    test: async () => makeTasks('test', testTasks, [5, 8], validation()),
    stratum: ({ features: { letters } }) => `${letters} letters`,
    context: ({ seed, lineage, target }) => contextOf(requestOf(seed.prompt), achieved(lineage), target.alpha),
    read: (text) => {
      const request = read(text);
      return 'problem' in request ? request : draftOf(request);
    },
    features,
    structure,
    school: { corpus, demonstrations, steps: { agent: 300, environment: 300 } },
  };
}

const draftOf = (request: Request): TaskDraft => ({
  prompt: [{ role: 'user', content: write(request) }],
  tools: [],
  eval: { kind: 'text', target: answer(request), metric: 'exact' },
});

const requestOf = (prompt: readonly Message[]): string => prompt.at(-1)?.content ?? '';

const lettersIn = (prompt: readonly Message[]): number => requestOf(prompt).split(' ').length - 1;

const features = ({ prompt }: TaskDraft): Record<string, number> => ({ letters: lettersIn(prompt) });

/** The operation and how many letters. */
const structure = ({ prompt }: TaskDraft): string => `${requestOf(prompt).split(' ')[0]}:${lettersIn(prompt)}`;

/** The statistics in words of the world's small vocabulary. */
const contextOf = (seed: string, was: string, aim: number): Message[] => [
  { role: 'user', content: `vary ${seed} was ${was} aim ${inWords(aim)}` },
];

const WORDS = ['none', 'few', 'half', 'most', 'all'];
const inWords = (rate: number) => WORDS[Math.min(4, Math.max(0, Math.round(4 * rate)))]!;

function achieved(lineage: Brief['lineage']): string {
  const attempts = lineage.reduce((sum, l) => sum + l.attempts, 0);
  return attempts === 0 ? 'new' : inWords(lineage.reduce((sum, l) => sum + l.successes, 0) / attempts);
}

/** Every word in every place a tokenizer tells apart: at the start of a text and after a space. */
function corpus(): string[] {
  const words = [...Object.keys(OPERATIONS), ...ALPHABET, 'vary', 'was', 'aim', 'new', ...WORDS];
  return words.map((word) => `${word} ${word}`);
}

/**
 * The agent is shown mostly short requests, each letter more half as often: long ones are known but not mastered, so
 * difficulty is graded and not a cliff. The environment is shown any seed with some variation, whatever its success.
 */
function demonstrations(player: 'agent' | 'environment', count: number, rng: Rng): Demonstration[] {
  return Array.from({ length: count }, () => {
    if (player === 'agent') {
      const request = randomRequest(shortLength(rng), rng);
      return { messages: draftOf(request).prompt, text: answer(request) };
    }
    const seed = randomRequest(1 + rng.int(MAX_LETTERS), rng);
    const length = Math.min(MAX_LETTERS, Math.max(1, seed.letters.length + rng.int(7) - 2));
    const was = ['new', ...WORDS][rng.int(WORDS.length + 1)]!;
    return {
      messages: contextOf(write(seed), was, rng.int(5) / 4),
      text: write({
        ...randomRequest(length, rng),
        operation: rng.next() < 0.5 ? seed.operation : randomRequest(1, rng).operation,
      }),
    };
  });
}

function shortLength(rng: Rng): number {
  let length = 1;
  while (length < MAX_LETTERS && rng.next() < 0.5) length++;
  return length;
}

function makeTasks(
  origin: Origin,
  count: number,
  [shortest, longest]: [number, number],
  without: readonly Task[] = [],
): Task[] {
  const taken = new Set(without.map((task) => task.id));
  const tasks = new Map<string, Task>();
  for (let i = 0; tasks.size < count; i++) {
    const rng = createRng('letters').fork(origin, i);
    const draft = draftOf(randomRequest(shortest + rng.int(longest - shortest + 1), rng));
    const task = rootTask(draft, origin, { features, structure });
    if (!taken.has(task.id)) tasks.set(task.id, task);
  }
  return [...tasks.values()];
}
