/** The commands to type next, ready to copy: with the runs folder where it is not the usual one, and quoted for a shell. */
import type { CommonOptions } from './options.ts';
import { paint } from './say.ts';
import { padEnd, textWidth } from './text-width.ts';
import { visible } from './visible.ts';

/** Where runs live unless said otherwise. */
export const USUAL_PLACE = { runsDir: 'runs' } as const;

export function command({ runsDir }: Pick<CommonOptions, 'runsDir'>, ...words: readonly string[]): string {
  const where = runsDir === USUAL_PLACE.runsDir ? [] : ['--runs-dir', runsDir];
  return ['genenv', ...words, ...where].map(quoted).join(' ');
}

/** The closing lines of a command: what can be typed, and what it is good for. */
export function nextSteps(...steps: readonly (readonly [command: string, purpose: string])[]): string[] {
  const width = Math.max(...steps.map(([typed]) => textWidth(typed)));
  return [
    '',
    ...steps.map(([typed, purpose], i) => {
      const label = i === 0 ? 'Next:  ' : '       ';
      return `  ${label}${paint('bold', padEnd(typed, width))}   ${paint('dim', purpose)}`;
    }),
    '',
  ];
}

/** As POSIX shells want it. A name with control characters can't be shown as it is typed; it is shown as it is seen. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${visible(word).replaceAll("'", "'\\''")}'`;
}
