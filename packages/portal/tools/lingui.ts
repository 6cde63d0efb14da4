import path from 'node:path';
import { transformAsync } from '@babel/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { Plugin } from 'vite';
import { macroPlugin, reading } from './messages.ts';

/** Makes of the macros of Lingui what they stand for, before anything else reads a file. */
export function linguiMacros(): Plugin {
  return {
    name: 'kontor-lingui-macros',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx$/, code: /@lingui\/(?:core|react)\/macro/ },
      async handler(code, filename) {
        const plugins = [[...macroPlugin('id-only')]];
        const done = await transformAsync(code, { ...reading, filename, sourceMaps: true, plugins });
        return { code: done!.code!, map: done!.map as never };
      },
    },
  };
}

/** Compiles the catalogues, so that browsers need no parser of messages. */
export function linguiCatalogs(): Plugin {
  return {
    name: 'kontor-lingui-catalogs',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/locales\/\w+\.json$/ },
      handler(code, id) {
        const language = path.basename(id, '.json');
        const lines = Object.entries(JSON.parse(code) as Record<string, string>).map(
          ([message, translation]) => {
            if (translation === '') throw new Error(`${language}.json: "${message}" is not translated`);
            return [generateMessageId(message), compileMessage(translation)];
          },
        );
        return {
          // Browsers parse JSON faster than a literal.
          code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(lines)))});`,
          moduleType: 'js',
        };
      },
    },
  };
}
