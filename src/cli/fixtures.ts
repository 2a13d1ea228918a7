/** What the commands print, and what they must never print. Nothing here is part of the package. */
import { vi } from 'vitest';

/** What a terminal must never be sent: colours, cursor moves, a C1 introducer, a title, bidi, tags, half a character. */
export const HOSTILE =
  '\x1b[31mred\x1b[2J\x9b5A\x1b]0;title\x07 \u202eesrever\u202c \u{e0041}\u{e0042} \ud800 \u200b\u2028 \r\0 \x7f end';

export interface Printed {
  stdout: string;
  stderr: string;
  error: unknown;
}

/** Runs a command in this process, as on a pipe, and keeps what it wrote. */
export async function printed(command: () => unknown, columns = 100): Promise<Printed> {
  const out = { stdout: '', stderr: '' };
  vi.stubEnv('COLUMNS', String(columns)).stubEnv('NO_COLOR', '1').stubEnv('FORCE_COLOR', undefined);
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      out[name] += String(chunk);
      return true;
    }),
  );
  try {
    await command();
    return { ...out, error: undefined };
  } catch (error) {
    return { ...out, error };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

export const jsonLines = (text: string): Record<string, never>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
