import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { componentStyles } from './tools/component-styles.ts';
import { compressed } from './tools/compressed.ts';
import { linguiCatalogs, linguiMacros } from './tools/lingui.ts';
import { listsOfContract } from './tools/lists.ts';
import { reactSignals } from './tools/react-signals.ts';

/** The service that the pages of `npx vite` ask, such as that of `npm run demo`. */
const service = 'http://127.0.0.1:8080';

/** Where the service looks for what it hands out, and for what it draws pages with. */
const portal = '../server/portal';

const common = defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [linguiMacros(), linguiCatalogs(), componentStyles(), react()],
  define: { __LISTS__: JSON.stringify(listsOfContract()) },
});

/** The pages for browsers. */
const pages = defineConfig({
  ...common,
  plugins: [...common.plugins!, reactSignals(), compressed()],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: portal,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What the first page needs is one file: each more of them is a request and a module to link before anything shows.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  server: { proxy: { '/portal/api': service } },
});

/** The same for the service, with all that they need in it: it draws the first one (`npm run portal` makes them after the pages). */
const drawing = defineConfig({
  ...common,
  define: { ...common.define, 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: { outDir: `${portal}/drawing`, target: 'node20', minify: true },
});

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? drawing : pages));
