import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const library = fileURLToPath(import.meta.resolve('@mantine/core'));
const sources = path.join(import.meta.dirname, '../src');

/** What every page needs, whatever components it has. */
const always = ['default-css-variables', 'baseline', 'global'];

/**
 * The styles of the components that the sources use, and of those that these consist of: all styles of the library are twice as
 * much, and a browser reads them before the first page is painted.
 */
export function componentStyles(): Plugin {
  const name = 'virtual:component-styles';
  return {
    name: 'kontor-component-styles',
    resolveId: { filter: { id: /^virtual:component-styles$/ }, handler: () => `\0${name}` },
    load: {
      filter: { id: /virtual:component-styles$/ },
      async handler() {
        const files = [...always, ...(await stylesOf(await importedNames()))];
        return files.map(file => `import '@mantine/core/styles/${file}.css';`).join('\n');
      },
    },
  };
}

/** All that the sources import from the library. */
async function importedNames(): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const file of glob('**/*.{ts,tsx}', { cwd: sources })) {
    const code = await readFile(path.join(sources, file), 'utf8');
    for (const [, list] of code.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g))
      for (const name of list!.split(',')) names.add(name.trim());
  }
  return names;
}

/** The files of styles that belong to these exports, in the order of the library, in which later ones win. */
async function stylesOf(names: ReadonlySet<string>): Promise<string[]> {
  const index = await readFile(library, 'utf8');
  const seen = new Set<string>();
  const used: string[] = [];
  const follow = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    if (file.endsWith('.module.mjs')) used.push(file);
    const code = await readFile(file, 'utf8');
    for (const [, , next] of importsIn(code))
      if (next!.startsWith('.')) await follow(path.resolve(path.dirname(file), next!));
  };
  for (const [, list, file] of importsIn(index))
    if (list!.split(',').some(name => names.has(name.trim())))
      await follow(path.resolve(path.dirname(library), file!));
  const order = await readFile(path.join(path.dirname(library), '../styles.css'), 'utf8');
  const placed = await Promise.all(
    used.map(async file => {
      const [name] = /m_\w+/.exec(await readFile(file, 'utf8'))!;
      return { name: path.basename(file, '.module.mjs'), at: order.indexOf(`.${name}`) };
    }),
  );
  return placed.toSorted((one, other) => one.at - other.at).map(({ name }) => name);
}

/** Lines such as `import { Box } from "../Box.mjs"`, with what is imported and from where. */
function importsIn(code: string) {
  return code.matchAll(/^import (?:\{([^}]*)\}|\w+) from "([^"]+)";$/gm);
}
