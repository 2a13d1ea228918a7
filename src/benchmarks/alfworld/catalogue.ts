/**
 * The kinds of things a world is made of and what can be done with them. Variations of a world are made of the same kinds,
 * so that nobody has to say again that eggs can be heated; what a variation leaves out, a later one may bring back.
 */
import { FLAGS, flagBits, flagLetters } from './flags.ts';
import type { WorldRecord } from './world.ts';

export interface Catalogue {
  /** By class, the first word of a name. */
  objects: Record<string, ObjectKind>;
  receptacles: Record<string, ReceptacleKind>;
}

export interface ObjectKind {
  type: string;
  /** Letters of the abilities alone. */
  flags: string;
}

export interface ReceptacleKind {
  type: string;
  openable: boolean;
}

export const classOf = (name: string): string => name.slice(0, name.lastIndexOf(' '));

/** What has been done to an object is no part of its kind. */
const STATES = FLAGS.cool | FLAGS.hot | FLAGS.clean;

/** Windows and chairs lie nowhere, and nothing can be done with them: no scene needs them. */
const MOVED_OR_USED = FLAGS.pickupable | FLAGS.toggleable;

export function catalogueOf(record: WorldRecord): Catalogue {
  const objects = new Map<string, ObjectKind>(Object.entries(record.catalogue?.objects ?? {}));
  const receptacles = new Map<string, ReceptacleKind>(Object.entries(record.catalogue?.receptacles ?? {}));
  for (const [name, type, , places, letters] of record.objects) {
    const kind = classOf(name);
    const flags = flagBits(letters);
    if (((flags & MOVED_OR_USED) !== 0 || places.length > 0) && !objects.has(kind)) {
      objects.set(kind, { type, flags: flagLetters(flags & ~STATES) });
    }
  }
  for (const [name, type, , openable] of record.receptacles) {
    const kind = classOf(name);
    if (!receptacles.has(kind)) receptacles.set(kind, { type, openable: openable === 1 });
  }
  return { objects: Object.fromEntries(objects), receptacles: Object.fromEntries(receptacles) };
}
