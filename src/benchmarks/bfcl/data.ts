/** BFCL's files: turns of the long-context tasks with what they should call, and the single-turn questions. */
import type { Json } from '../../core/types.ts';
import { DataError, readData, readJsonLines } from '../data.ts';
import { NotPython } from '../python.ts';
import { type Call, jsonCall, parseCall } from './calls.ts';
import { readJson } from './exact-json.ts';
import { type FunctionDoc, type Toolbox, toolboxOf } from './function-doc.ts';

export const MULTI_TURN = 'paper-era-58f57e91';
export const SINGLE_TURN = 'head-6ea57973';

/** The file of each class of tools. */
export const CLASS_FILES: Record<string, string> = {
  GorillaFileSystem: 'gorilla_file_system',
  MathAPI: 'math_api',
  MessageAPI: 'message_api',
  TwitterAPI: 'posting_api',
  TicketAPI: 'ticket_api',
  TradingBot: 'trading_bot',
  TravelAPI: 'travel_booking',
  VehicleControlAPI: 'vehicle_control',
};

/** Tasks before this one are for training: file system, vehicles, trading. The others are travel, and held out. */
const FIRST_TEST_TASK = 150;

export type Split = 'train' | 'test';

export interface Turn {
  /** `<task>:turn_<t>`. */
  id: string;
  task: string;
  taskIndex: number;
  turn: number;
  split: Split;
  classes: readonly string[];
  user: string;
  calls: readonly Call[];
  /** What the calls return, as text; only where somebody has executed them. */
  results: readonly string[] | undefined;
}

export interface MultiTurn {
  turns: ReadonlyMap<string, Turn>;
  docs: ReadonlyMap<string, readonly FunctionDoc[]>;
  /** All classes together: no two share a function. */
  tools: Toolbox;
}

interface TaskRow {
  id: string;
  question: { role: string; content: string }[][];
  involved_classes: string[];
}

interface AnswerRow {
  id: string;
  ground_truth: string[][];
}

interface DerivedRow {
  id: string;
  gt_calls_parsed: Json[];
  gt_results_short: string[];
}

export const loadMultiTurn: (folder: string) => Promise<MultiTurn> = remembered(async (folder) => {
  const docs = await loadDocs(folder);
  const tools = toolboxOf([...docs.values()].flat());
  const rows = await readJsonLines<TaskRow>(folder, `${MULTI_TURN}/BFCL_v4_multi_turn_long_context.json`, 'bfcl');
  const answers = await readJsonLines<AnswerRow>(
    folder,
    `${MULTI_TURN}/possible_answer/BFCL_v4_multi_turn_long_context.json`,
    'bfcl',
  );
  const executed = await loadExecuted(folder);
  const truth = new Map(answers.map((row) => [row.id, row.ground_truth]));
  const turns = rows.flatMap((row) =>
    row.question.map((messages, turn): Turn => {
      const taskIndex = Number(row.id.slice(row.id.lastIndexOf('_') + 1));
      const id = `${row.id}:turn_${turn}`;
      return {
        id,
        task: row.id,
        taskIndex,
        turn,
        split: taskIndex < FIRST_TEST_TASK ? 'train' : 'test',
        classes: row.involved_classes,
        user: messages.map(({ content }) => content).join('\n'),
        calls: callsOf(truth.get(row.id)?.[turn], id, tools),
        results: executed?.get(id)?.gt_results_short,
      };
    }),
  );
  return { turns: new Map(turns.map((turn) => [turn.id, turn])), docs, tools };
});

/** The same calls as another program derived them, for whoever wants to compare. */
export async function loadDerivedCalls(folder: string): Promise<ReadonlyMap<string, Call[]> | undefined> {
  const rows = await loadExecuted(folder);
  return rows && new Map([...rows].map(([id, row]) => [id, row.gt_calls_parsed.map((call) => jsonCall(call)!)]));
}

function callsOf(texts: readonly string[] | undefined, id: string, tools: Toolbox): Call[] {
  if (texts === undefined) throw new DataError(`${id} has no ground truth. Run: genenv data verify bfcl`);
  return texts.map((text) => {
    try {
      return parseCall(text, tools);
    } catch (error) {
      if (!(error instanceof NotPython)) throw error;
      throw new DataError(`${id}: ${text} cannot be read (${error.message}). Run: genenv data verify bfcl`);
    }
  });
}

async function loadDocs(folder: string): Promise<Map<string, FunctionDoc[]>> {
  const files = Object.entries(CLASS_FILES).map(async ([name, file]) => {
    const docs = await readExactLines<FunctionDoc>(folder, `${MULTI_TURN}/multi_turn_func_doc/${file}.json`);
    return [name, docs] as const;
  });
  return new Map(await Promise.all(files));
}

/** Results come from executing the calls, which we do not: without the file that has them, there are none. */
async function loadExecuted(folder: string): Promise<Map<string, DerivedRow> | undefined> {
  try {
    const rows = await readJsonLines<DerivedRow>(folder, `${MULTI_TURN}/derived/long_context_turns.jsonl`, 'bfcl');
    return new Map(rows.map((row) => [row.id, row]));
  } catch (error) {
    if (error instanceof DataError && error.message.includes('is not there')) return undefined;
    throw error;
  }
}

export const AST_CATEGORIES = ['simple_python', 'multiple', 'parallel', 'parallel_multiple'] as const;
export const RELEVANCE_CATEGORIES = ['irrelevance'] as const;

export interface Question {
  id: string;
  category: string;
  messages: { role: string; content: string }[];
  functions: FunctionDoc[];
  /** Absent where no call is wanted. */
  answers: Json | undefined;
}

interface QuestionRow {
  id: string;
  question: { role: string; content: string }[][];
  function: FunctionDoc[];
}

/** The questions of a category, in the order of the data. */
export async function loadQuestions(folder: string, category: string): Promise<ReadonlyMap<string, Question>> {
  return questionsOf(`${folder}\0${category}`);
}

const questionsOf = remembered(async (key: string): Promise<ReadonlyMap<string, Question>> => {
  const [folder, category] = key.split('\0') as [string, string];
  const file = `BFCL_v4_${category}.json`;
  const rows = await readExactLines<QuestionRow>(folder, `${SINGLE_TURN}/${file}`);
  const asked: readonly string[] = AST_CATEGORIES;
  const answers = asked.includes(category)
    ? await readExactLines<{ id: string; ground_truth: Json }>(folder, `${SINGLE_TURN}/possible_answer/${file}`)
    : [];
  const truth = new Map(answers.map((row) => [row.id, row.ground_truth]));
  return new Map(
    rows.map(({ id, question, function: functions }) => [
      id,
      { id, category, messages: question.flat(), functions, answers: truth.get(id) },
    ]),
  );
});

/** As readJsonLines, but 5.0 stays a float. */
async function readExactLines<T>(folder: string, file: string): Promise<T[]> {
  const text = await readData(folder, file, 'bfcl');
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [readJson(line) as T];
    } catch {
      throw new DataError(`${folder}/${file}:${i + 1} is not JSON. Run: genenv data verify bfcl`);
    }
  });
}

/** Each folder is read once; a failure is not remembered. */
function remembered<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? load(key);
    known.set(key, found);
    found.catch(() => known.delete(key));
    return found;
  };
}
