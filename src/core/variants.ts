/** The arms of the paper's comparison, as data: where an epoch's tasks come from, and whether the simulator learns. */

export type VariantName = 'genenv' | 'genenv-random' | 'genenv-static' | 'teacher-offline' | 'base';

export interface Variant {
  /** New tasks every epoch, a set written once before training, or no synthetic data. */
  readonly tasks: 'fresh' | 'fixed' | 'none';
  /** Who writes the fixed set. */
  readonly author: 'environment' | 'teacher';
  readonly trainsEnvironment: boolean;
}

export const VARIANTS: Record<VariantName, Variant> = {
  genenv: { tasks: 'fresh', author: 'environment', trainsEnvironment: true },
  'genenv-random': { tasks: 'fresh', author: 'environment', trainsEnvironment: false },
  'genenv-static': { tasks: 'fixed', author: 'environment', trainsEnvironment: false },
  'teacher-offline': { tasks: 'fixed', author: 'teacher', trainsEnvironment: false },
  base: { tasks: 'none', author: 'environment', trainsEnvironment: false },
};
