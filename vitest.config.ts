import type { ViteUserConfig } from 'vitest/config';

/** Only a hang is a failure: how long a step takes says more of the machine than of the program. */
const PATIENCE_MS = 240_000;

const config: ViteUserConfig = {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    // One for every core; the default leaves one of two idle.
    maxWorkers: '100%',
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
};
export default config;
