/** The arms of the paper's comparison, as data: where an epoch's tasks come from, and whether the simulator learns. */

export type VariantName = 'genenv' | 'genenv-random' | 'genenv-static' | 'teacher-offline' | 'base';

export interface Variant {
  /** One sentence. */
  readonly description: string;
  /** New tasks every epoch, a set written once before training, or no synthetic data. */
  readonly tasks: 'fresh' | 'fixed' | 'none';
  /** Who writes the fixed set. */
  readonly author: 'environment' | 'teacher';
  /** Whether what the agent made of earlier tasks decides about later ones: the simulator learns, the archive seeds. */
  readonly adapts: boolean;
}

export const VARIANTS: Record<VariantName, Variant> = {
  genenv: { description: 'Both players learn.', tasks: 'fresh', author: 'environment', adapts: true },
  'genenv-random': {
    description: 'New tasks every epoch from a simulator that is never trained.',
    tasks: 'fresh',
    author: 'environment',
    adapts: false,
  },
  'genenv-static': {
    description: 'Variations of every base task, written once before training.',
    tasks: 'fixed',
    author: 'environment',
    adapts: false,
  },
  'teacher-offline': {
    description: 'Tasks that a teacher wrote once, before training.',
    tasks: 'fixed',
    author: 'teacher',
    adapts: false,
  },
  base: { description: 'Base tasks only, no synthetic data.', tasks: 'none', author: 'environment', adapts: false },
};
