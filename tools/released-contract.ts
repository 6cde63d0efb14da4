import type { OpenApiDocument } from '@kontor/contract';

/** Members with texts for people. No client breaks when they change. */
const texts = ['description', 'summary', 'example'];

/** How many levels below a member of the document have lines of their own: paths with methods, kinds of components with names. */
const depths: Readonly<Record<string, number>> = { paths: 2, components: 2 };

/** The text of a document as a release keeps it: without texts and examples, each operation and component on one line. */
export function renderReleased(document: OpenApiDocument): string {
  const { examples: _, ...components } = document.components;
  const kept = withoutTexts({ ...document, components }) as object;
  const members = Object.entries(kept).map(
    ([name, value]) => `${JSON.stringify(name)}:${renderLines(value, depths[name] ?? 0)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

function renderLines(value: unknown, depth: number): string {
  if (depth === 0) return JSON.stringify(value);
  const members = Object.entries(value as object).map(
    ([name, inner]) => `${JSON.stringify(name)}:${renderLines(inner, depth - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

function withoutTexts(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(item => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  // The examples of an error are named after its codes.
  if (name === 'examples') return Object.fromEntries(members.map(([code]) => [code, {}]));
  const isText = (member: string, inner: unknown) =>
    texts.includes(member) || (member === 'examples' && Array.isArray(inner));
  // The fields of a schema have any names.
  const kept = name === 'properties' ? members : members.filter(member => !isText(...member));
  return Object.fromEntries(kept.map(([member, inner]) => [member, withoutTexts(inner, member)]));
}
