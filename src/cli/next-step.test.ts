import { expect, it } from 'vitest';
import { command } from './next-step.ts';

it('is ready to paste: quoted, and with the runs folder where it is not the usual one', () => {
  expect(command({ runsDir: 'runs' }, 'show', 'brisk-otter')).toBe('genenv show brisk-otter');
  expect(command({ runsDir: '/my data' }, 'show', "it's")).toBe("genenv show 'it'\\''s' --runs-dir '/my data'");
  expect(command({ runsDir: 'runs' }, 'show', '$(rm)')).toBe("genenv show '$(rm)'");
  expect(command({ runsDir: 'runs' }, 'show', 'a\x1b[31m')).toBe("genenv show 'a\\x1b[31m'");
  expect(command({ runsDir: 'runs' }, 'show', '')).toBe("genenv show ''");
});
