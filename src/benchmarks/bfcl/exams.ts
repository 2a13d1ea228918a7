/** BFCL's exams by the name of their suite; the first is the paper's. */
import type { Exam } from '../../core/exam.ts';
import type { History } from './prompt.ts';
import { astExam, relevanceExam } from './question-exams.ts';
import { turnExam } from './turn-exam.ts';

export interface BfclExamOptions {
  /** BFCL's own folder. */
  data: string;
  /** How much of the earlier turns is shown. */
  history?: History;
}

export function bfclExams({ data, history = 'calls+results' }: BfclExamOptions): Record<string, Exam> {
  return {
    'per-turn': turnExam({ name: 'per-turn', data, split: 'test', history }),
    ast: astExam(data),
    relevance: relevanceExam(data),
    'per-turn-train': turnExam({ name: 'per-turn-train', data, split: 'train', history }),
  };
}
