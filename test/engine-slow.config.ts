import type { ViteUserConfig } from 'vitest/config';

/** Tests that take minutes: `npm run test:learning`. */
const config: ViteUserConfig = {
  test: {
    include: ['test/**/*.slow.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 600_000,
    fileParallelism: false,
  },
};
// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default config;
