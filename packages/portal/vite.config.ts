import { bodyLimits, uploadMediaTypes } from '@kontor/contract';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from './tools/compressed.ts';
import { iconsOfSet } from './tools/icons.ts';
import { linguiCatalogs, linguiMacros } from './tools/lingui.ts';
import { listsOfContract } from './tools/lists.ts';
import { publicApiOfContract } from './tools/requests.ts';

/** The service that the pages of `npx vite` ask, such as that of `npm run demo`. */
const service = 'http://127.0.0.1:8080';

/** Links the style sheet behind the outline of a page, which it would delay in the head. It stays before the page, whose theme overrides it. */
const styleSheetAfterOutline: Plugin = {
  name: 'kontor-style-sheet-after-outline',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [link = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      return html.replace(link, '').replace('<div id="portal">', page => link + page);
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [linguiMacros(), linguiCatalogs(), react(), styleSheetAfterOutline, compressed()],
  define: {
    __LISTS__: JSON.stringify(listsOfContract()),
    __ICONS__: JSON.stringify(iconsOfSet()),
    __PUBLIC_API__: JSON.stringify(publicApiOfContract()),
    __UPLOADS__: JSON.stringify({ bodyLimit: bodyLimits.large, mediaTypes: uploadMediaTypes }),
  },
  html: { cspNonce: '__NONCE__' },
  build: {
    emptyOutDir: true,
    // The licences of what is bundled; the build adds those of font and icons.
    license: { fileName: 'licenses.md' },
    target: 'es2022',
    assetsInlineLimit: 0,
    // One style sheet: all rules of the portal are smaller than a request for each page.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file holds the script of the first page: each further file is a request and a module to link before anything shows.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  server: { proxy: { '/portal/api': service } },
});
