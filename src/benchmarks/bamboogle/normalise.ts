/** Answers as the SQuAD family of metrics compares them: lower case, no ASCII punctuation, no articles, single spaces. */
import { squeeze } from './python-strings.ts';

/** Python's `string.punctuation`; typographic quotes and dashes are not in it. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Whole words as Python sees them: its word boundaries know letters and digits of every script, and no accents apart. */
const ARTICLES = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/** Punctuation is deleted, so that it joins what it separated; articles leave a space. No accent is folded. */
export const normalise = (text: string): string =>
  squeeze(text.toLowerCase().replace(PUNCTUATION, '').replace(ARTICLES, ' '));

/** The words of a text that is normalised already. */
export const wordsOf = (normalised: string): string[] => (normalised === '' ? [] : normalised.split(' '));

/** Whether the words of one normalised text follow one another in another, whole words only. No words are nowhere. */
export const hasRun = (text: string, run: string): boolean => run !== '' && ` ${text} `.includes(` ${run} `);
