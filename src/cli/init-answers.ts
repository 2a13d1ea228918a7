/** What `genenv init` asks for. */
import { type PresetName, presets, type Variant } from '../config.ts';

export interface Answers {
  /** A JSONL file of one's own tasks, relative to the configuration; null for the built-in world. */
  seeds: string | null;
  preset: PresetName;
  variant: Variant;
  epochs: number;
  seed: number;
}

/** What is written when nothing is asked. */
export const USUAL: Answers = {
  seeds: null,
  preset: 'robust',
  variant: 'genenv',
  epochs: presets.robust.epochs,
  seed: 1,
};
