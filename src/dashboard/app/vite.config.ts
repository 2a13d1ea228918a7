import type { UserConfig } from 'vite';

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
