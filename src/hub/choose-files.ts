/** Which files of a repository are wanted: by default what is needed to run and train the model, and nothing twice. */
import type { KnownFile } from '../data/known-file.ts';
import { HubError } from './repository.ts';

/** Weights as safetensors, tokenizer, templates, settings, licence; no copies in other formats, no demonstrations. */
const USUAL = [
  '*.safetensors',
  '*.json',
  '*.jinja',
  'additional_chat_templates/*.jinja',
  'merges.txt',
  'vocab.txt',
  '*.model',
  'LICENSE*',
  'README.md',
];

export function chooseFiles(files: readonly KnownFile[], patterns: readonly string[]): KnownFile[] {
  const wanted = (patterns.length > 0 ? patterns : USUAL).map(asPattern);
  const chosen = files.filter(({ path }) => wanted.some((pattern) => pattern.test(path)));
  for (const [i, pattern] of wanted.entries()) {
    if (patterns.length > 0 && !chosen.some(({ path }) => pattern.test(path))) {
      throw new HubError(`No file matches ${JSON.stringify(patterns[i])}. There are: ${listed(files)}`);
    }
  }
  if (chosen.length === 0) throw new HubError(`There is nothing here to run a model with, only: ${listed(files)}`);
  return patterns.length > 0 ? chosen : withoutCopies(chosen);
}

/** Some repositories hold their weights a second time, in one file. */
function withoutCopies(files: KnownFile[]): KnownFile[] {
  const usual = files.some(({ path }) => /^model.*\.safetensors$/.test(path));
  return usual ? files.filter(({ path }) => !/^consolidated.*\.safetensors$/.test(path)) : files;
}

/** `*` is anything but a slash, `**` anything, `?` one character. */
function asPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*|[*?]|[^*?]+/g, (piece) => {
    if (piece === '**') return '.*';
    if (piece === '*') return '[^/]*';
    return piece === '?' ? '[^/]' : piece.replace(/[\\^$.|+()[\]{}/]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u');
}

function listed(files: readonly KnownFile[]): string {
  const shown = files.slice(0, 20).map(({ path }) => path);
  return [...shown, ...(files.length > shown.length ? [`and ${files.length - shown.length} more`] : [])].join(', ');
}
