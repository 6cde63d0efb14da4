import { readFile } from 'node:fs/promises';
import { transformAsync } from '@babel/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { Plugin } from 'vite';
import { germanCatalog, macroPlugin, reading } from './messages.ts';

/** Makes of the macros of Lingui what they stand for, before anything else reads a file. */
export function linguiMacros(): Plugin {
  return {
    name: 'kontor-lingui-macros',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx$/, code: /@lingui\/(?:core|react)\/macro/ },
      async handler(code, filename) {
        const plugins = [[...macroPlugin('auto')]];
        const done = await transformAsync(code, { ...reading, filename, sourceMaps: true, plugins });
        return { code: done!.code!, map: done!.map as never };
      },
    },
  };
}

const english = '\0virtual:english';

/** Compiles the messages, so that browsers need no parser. English needs no catalogue: its messages are the keys of the German one. */
export function linguiCatalogs(): Plugin {
  return {
    name: 'kontor-lingui-catalogs',
    enforce: 'pre',
    resolveId: { filter: { id: /^virtual:english$/ }, handler: () => english },
    load: { filter: { id: /^\0virtual:english$/ }, handler: () => readFile(germanCatalog, 'utf8') },
    transform: {
      filter: { id: /\/src\/locales\/de\.json$|^\0virtual:english$/ },
      handler(code, id) {
        const lines = Object.entries(JSON.parse(code) as Record<string, string>).map(([message, german]) => {
          const text = id === english ? message : german;
          if (text === '') throw new Error(`de.json: "${message}" is not translated`);
          return [generateMessageId(message), compileMessage(text)];
        });
        return {
          // Browsers parse JSON faster than a literal.
          code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(lines)))});`,
          moduleType: 'js',
        };
      },
    },
  };
}
