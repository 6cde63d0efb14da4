import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { german } from './view.ts';

const sources = fileURLToPath(new URL('../../src/', import.meta.url));

/** The addresses of the portal, each with a pattern of its paths. */
export function routesOfSources(): { path: string; pattern: RegExp }[] {
  const router = readFileSync(`${sources}router.tsx`, 'utf8');
  return [...router.matchAll(/(?:\bpath: |\binFrame\(\s*)'([^']+)'/g)].map(([, path]) => ({
    path: path!,
    pattern: new RegExp(`^${path!.replace(/^\$$/, '/nowhere').replaceAll(/\$\w+/g, '[^/]+')}$`),
  }));
}

/** The dialogs and panels of the portal, each with patterns of the German titles that it can have. A title that is passed to it counts where it is written. */
export function dialogsOfSources(): { file: string; title: string; patterns: RegExp[] }[] {
  return globSync('**/*.tsx', { cwd: sources }).flatMap(file => {
    const text = readFileSync(sources + file, 'utf8');
    const tags = text.matchAll(
      /<(?:\w*Dialog|DialogButton|ConfirmButton|SidePanel)\b[^]{0,800}?\btitle=\{(.*)/g,
    );
    return [...tags].flatMap(([, title]) => {
      const words = [...title!.matchAll(/\bt`([^`]*)`|<Trans>(.*?)<\/Trans>/g)];
      const patterns = words.map(([, macro, element]) => patternOf(macro ?? element!));
      return patterns.length === 0 ? [] : [{ file, title: title!, patterns }];
    });
  });
}

const anyPlaceholder = /\$?\{[^}]*\}/g;

const germanTexts = new Map(
  Object.entries(german).map(([message, text]) => [message.replaceAll(anyPlaceholder, '{}'), text]),
);

/** The pattern of the German text of a message. */
function patternOf(message: string): RegExp {
  const text = germanTexts.get(message.replaceAll(anyPlaceholder, '{}')) ?? message;
  return new RegExp(`^${text.replaceAll(/[.?+*()[\]]/g, '\\$&').replaceAll(anyPlaceholder, '.+')}$`);
}
