/** The language of the letters world: an operation and the letters it is done to, `reverse c a b`, answered `b a c`. */
import { type Rng, shuffled } from '../../core/rng.ts';

export type Operation = 'reverse' | 'sort' | 'double';
export const OPERATIONS: Record<Operation, (letters: readonly string[]) => string[]> = {
  reverse: (letters) => letters.toReversed(),
  sort: (letters) => letters.toSorted(),
  double: (letters) => letters.flatMap((letter) => [letter, letter]),
};

export const ALPHABET: readonly string[] = [...'abcdefgh'];
export const MAX_LETTERS = 10;

export interface Request {
  operation: Operation;
  letters: string[];
}

export const write = ({ operation, letters }: Request): string => [operation, ...letters].join(' ');

export const answer = ({ operation, letters }: Request): string => OPERATIONS[operation](letters).join(' ');

export function read(text: string): Request | { problem: string } {
  const [operation, ...letters] = text.trim().split(/\s+/);
  if (!Object.hasOwn(OPERATIONS, operation ?? '')) return { problem: 'it does not begin with an operation' };
  if (letters.length === 0) return { problem: 'no letters' };
  if (letters.length > MAX_LETTERS) return { problem: `${letters.length} letters, more than ${MAX_LETTERS}` };
  const odd = letters.find((letter) => !ALPHABET.includes(letter));
  if (odd !== undefined) return { problem: `"${odd}" is not a letter of this world` };
  return { operation: operation as Operation, letters }; // Known: it is a key of OPERATIONS.
}

export function randomRequest(length: number, rng: Rng): Request {
  const operations = Object.keys(OPERATIONS) as Operation[]; // The keys of a literal.
  const letters = Array.from({ length }, () => ALPHABET[rng.int(ALPHABET.length)]!);
  return { operation: shuffled(operations, rng)[0]!, letters };
}
