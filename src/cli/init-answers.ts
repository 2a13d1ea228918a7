/** What `genenv init` asks for. */
import type { PresetName, Variant } from '../config.ts';

export interface Answers {
  /** A JSONL file of one's own tasks, relative to the configuration; null for the built-in world. */
  seeds: string | null;
  preset: PresetName;
  variant: Variant;
  epochs: number;
  seed: number;
}

/** What is written when nothing is asked. */
export const USUAL: Answers = { seeds: null, preset: 'robust', variant: 'genenv', epochs: 10, seed: 1 };
