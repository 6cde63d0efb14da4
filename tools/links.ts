import path from 'node:path';
import { placesIn, type Texts } from './citations.ts';

/** A link or an image in Markdown. */
const link = /\[[^\]\n]*\]\((?<target>[^)\s]+)\)/g;

/**
 * The links of documents that lead nowhere, as `file:line: what`: files that `exists` does not know, and headings that a
 * document has not. Addresses elsewhere are not asked for.
 */
export function brokenLinks(documents: Texts, exists: (file: string) => boolean): string[] {
  return [...documents].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(link)].flatMap(({ groups }) => {
        const target = groups!['target']!;
        if (/^[a-z]+:/.test(target)) return [];
        const [name, anchor] = target.split('#') as [string, string?];
        const found = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
        const where = `${file}:${index + 1}: ${target}`;
        if (!exists(found)) return [`${where} leads to no file`];
        const document = documents.get(found);
        return anchor !== undefined && document !== undefined && !placesIn(document).has(`#${anchor}`)
          ? [`${where} leads to no heading`]
          : [];
      }),
    ),
  );
}
