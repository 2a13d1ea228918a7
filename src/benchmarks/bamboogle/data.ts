/** The 125 questions of Bamboogle as ToolRL ships them; a question's id is its place in the file. */
import { DataError, readData } from '../data.ts';

export interface Question {
  id: string;
  question: string;
  golds: readonly string[];
}

const FILE = 'data.json';

export async function readQuestions(folder: string): Promise<Question[]> {
  const broken = (what: string) => new DataError(`${FILE} ${what}. Run: genenv data verify bamboogle`);
  let rows: unknown;
  const text = await readData(folder, FILE, 'bamboogle');
  try {
    rows = JSON.parse(text);
  } catch {
    throw broken('is not JSON');
  }
  if (!Array.isArray(rows)) throw broken('is no list of questions');
  return rows.map((row: unknown, i) => {
    const { Question: question, Answer: answer } = (row ?? {}) as { Question?: unknown; Answer?: unknown };
    if (typeof question !== 'string' || typeof answer !== 'string') throw broken(`has no question and answer at ${i}`);
    return { id: String(i), question, golds: [answer] };
  });
}
