/** A profile as a table for people. */
import type { Profile } from './profile.ts';

const REDUCTIONS: Record<Profile['reduction'], string> = {
  sum: 'summed over tokens and sequences',
  requestMean: 'averaged over the sequences of a request; undone by weights',
  stepMean: 'averaged over the sequences of a step; undone by weights',
};

const SNAPSHOTS: Record<Profile['snapshots'], string> = {
  kept: 'keep the weights they were made from',
  latest: 'follow the latest weights; only the newest is used',
  overwrites: 'overwrite the weights in training; only the newest is used',
};

const PROMPT: Record<Profile['promptLogprobs'], string> = {
  full: 'one entry a token, none at the first',
  shifted: 'one entry less than tokens',
  none: 'not given; the reference adapter is asked instead',
};

export function describeProfile(profile: Profile): string {
  const { adam, losses, reduction } = profile;
  const rows: [string, string][] = [
    ['longest sequence', profile.maxContext === undefined ? 'not told' : `${profile.maxContext} tokens`],
    ['losses are', REDUCTIONS[reduction]],
    ['ppo', losses.ppo ? 'clips' : 'not used; importance sampling does its work'],
    ['losses of GenEnv', profile.extended ? 'taken whole' : 'by the portable primitive'],
    ['mask beside advantages', yesNo(profile.mask)],
    ['old sampling sessions', SNAPSHOTS[profile.snapshots]],
    ['base model', profile.baseSampling ? 'can be sampled' : 'cannot be sampled; a fresh adapter stands for it'],
    ['prompt log-probs', PROMPT[profile.promptLogprobs]],
    ['Adam', adam.eps ? 'honours its fields' : 'honours the learning rate only'],
    ['gradient clipping', adam.gradClip ? 'honoured' : 'has no effect'],
    ['gradient norm', profile.gradNorm ? 'told' : 'not told'],
    ['seeds', profile.seeds ? 'decide a sample' : 'do not decide a sample: runs cannot be repeated exactly'],
    ['seeds above 31 bits', profile.wideSeeds ? 'taken' : 'refused; they are shortened'],
    ['several samples', profile.several ? 'in one request' : 'one request each'],
    ['repeated requests', profile.dedupes ? 'run once' : 'run again; models are rebuilt where one was unclear'],
    ['sampler and trainer', `agree to ${profile.disagreement.toExponential(1)} nats`],
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  return [`${profile.url}  ${profile.model}`, ...rows.map(([what, is]) => `  ${what.padEnd(width)}  ${is}`)].join('\n');
}

const yesNo = (able: boolean) => (able ? 'yes' : 'no');
