/** What the errands world holds, and what it answers when it is asked. */
import { hashText } from '../../core/hash.ts';
import type { ToolCall } from '../../core/types.ts';
import { DOORS, NAMES, TOOLS, type Verb } from './lexicon.ts';

export interface World {
  /** The name of the lodging that `find` comes back with. */
  found: string;
  door: (typeof DOORS)[number];
}

/** What the world holds is decided by the words of the request, in a way no policy can guess. */
export function worldOf(text: string): World {
  const [a, b] = hashText(`errands world: ${text}`);
  return { found: NAMES[(a >>> 0) % NAMES.length]!, door: DOORS[(b >>> 0) % DOORS.length]! };
}

/** Every world there is: what is asked of one that nobody has seen must make sense in all. */
export const WORLDS: readonly World[] = NAMES.flatMap((found) => DOORS.map((door) => ({ found, door })));

/** What the agent sees after a call, in words that beginners know. */
export function observe({ name, args }: ToolCall, { found, door }: World): string {
  if (!Object.hasOwn(TOOLS, name)) return 'no';
  if (TOOLS[name as Verb].args.some(([arg]) => !Object.hasOwn(args, arg))) return 'no';
  if (name === 'find') return found;
  return name === 'check' ? door : 'ok';
}

export const isQuestion = ({ name }: Pick<ToolCall, 'name'>): boolean => name === 'find' || name === 'check';
