import type { UserConfig } from 'vite';

// The page is built as it is shipped, also where the tests build it.
process.env.NODE_ENV = 'production';

const config: UserConfig = {
  build: {
    outDir: '../../../dist/dashboard/app',
    emptyOutDir: true,
    target: 'es2022',
    // Everything is served from here; a polyfill would only add to the bundle.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
};
export default config;
