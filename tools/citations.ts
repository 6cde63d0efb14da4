import path from 'node:path';

/** Texts of the repository by their paths from its root. */
export type Texts = ReadonlyMap<string, string>;

/**
 * A document that is named in a text, and where in it: `running.md#a-reverse-proxy`, or `specification.md 3.4 and 3.5`, also with
 * the word "section" before the numbers.
 */
const citation =
  /(?<name>[\w./-]*\w\.md)\b(?:#(?<anchor>[\w-]+)|(?:,? sections?)? (?<sections>\d+(?:\.\d+)?(?:(?:,| and) \d+(?:\.\d+)?)*))?/g;

/** A migration is never edited. One cites the specification by an earlier name, with the same numbers. */
const migrations = 'packages/server/migrations/';
const earlierName = /^decisions\.md$/;

/** What the texts cite although no document or section of theirs is that, as `file:line: what`. */
export function brokenCitations(texts: Texts): string[] {
  const places = new Map(
    [...texts].filter(([file]) => file.endsWith('.md')).map(([file, text]) => [file, placesIn(text)]),
  );
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(citation)].flatMap(({ groups }) => {
        const { name, anchor, sections = '' } = groups as Partial<Record<string, string>>;
        const found = places.get(resolved(name!, file, texts));
        if (!found) return [`${file}:${index + 1}: there is no document ${name}`];
        const cited = [...(sections.match(/\d+(\.\d+)?/g) ?? []), ...(anchor ? [`#${anchor}`] : [])];
        return cited
          .filter(place => !found.has(place))
          .map(place => `${file}:${index + 1}: ${name} has no section ${place}`);
      }),
    ),
  );
}

/** The path of a document that a file names: beside the file, at the root, or in docs/. */
function resolved(name: string, file: string, texts: Texts): string {
  const known = file.startsWith(migrations) ? name.replace(earlierName, 'specification.md') : name;
  const candidates = [path.posix.join(path.posix.dirname(file), known), known, `docs/${known}`];
  return candidates.find(candidate => texts.has(candidate)) ?? known;
}

/** Where a document can be cited: the number of each heading, and its anchor as GitHub makes it. */
function placesIn(document: string): Set<string> {
  const headings = [...document.matchAll(/^#+ (.*)$/gm)].map(match => match[1]!);
  return new Set(
    headings.flatMap(heading => {
      const number = /^\d+(\.\d+)?/.exec(heading)?.[0];
      const anchor = heading.toLowerCase().replaceAll(/[^\w\- ]/g, '');
      return [...(number === undefined ? [] : [number]), `#${anchor.replaceAll(' ', '-')}`];
    }),
  );
}
