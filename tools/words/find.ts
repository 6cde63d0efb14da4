import { parseSync } from 'oxc-parser';
import { glossary, type Row } from './glossary.ts';

/** A forbidden word in a file. */
export interface Finding {
  readonly line: number;
  /** The name, or the words in prose, as they are written. */
  readonly text: string;
  readonly instead: string;
}

interface Text {
  readonly text: string;
  readonly offset: number;
  readonly isFunction?: boolean;
}

/** The forbidden words of a file: in its path, in the names that it declares, and in its prose. */
export function findForbidden(file: string, source: string): Finding[] {
  const { names, prose } = /\.(ts|tsx|js)$/.test(file) ? readScript(file, source) : readText(file, source);
  const found = [{ text: file, offset: 0 }, ...names].flatMap(name =>
    findRows(name).map(([, instead]) => ({ ...name, instead })),
  );
  const rows = proseRows.filter(([, , where = 'prose']) => placesOf[where]?.test(file));
  const inProse = prose.flatMap(({ text, offset }) =>
    rows.flatMap(([words, instead]) =>
      [
        ...text.matchAll(new RegExp(String.raw`\b(?:${words.replaceAll(' ', String.raw`\s+`)})s?\b`, 'gi')),
      ].map(match => ({ text: match[0], offset: offset + match.index, instead })),
    ),
  );
  return [...found, ...inProse].map(({ text, offset, instead }) => {
    const line = source.slice(0, offset).split('\n').length;
    return { line, text, instead };
  });
}

/** Files to which rows of prose are limited. */
const placesOf: Partial<Record<string, RegExp>> = {
  prose: /./,
  documents: /\.md$/,
  'German texts': /locales\/de\.json$/,
};
const proseRows = glossary.filter(([, , where = 'name']) => where in placesOf);
const nameRows = glossary.filter(row => !proseRows.includes(row));

/** The rows that forbid a name. */
function findRows({ text, isFunction = false }: Text): Row[] {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .toLowerCase()
    .trim();
  return nameRows.filter(([forbidden, , where = 'name']) => {
    if (where === 'start of a function' && !isFunction) return false;
    const start = where === 'name' ? String.raw`\b` : '^';
    const end = where === 'whole name' ? '$' : String.raw`\b`;
    return new RegExp(`${start}(?:${forbidden})${end}`).test(words);
  });
}

/** Tables and columns of SQL with its comments, classes of a style sheet, or the prose of a document. */
function readText(file: string, text: string): { names: Text[]; prose: Text[] } {
  const matches = (source: string, pattern: RegExp): Text[] =>
    [...source.matchAll(pattern)].map(match => ({ text: match[0], offset: match.index }));
  if (file.endsWith('.css')) return { names: matches(text, /(?<![\w-])(?:\.|--)[a-z][\w-]*/g), prose: [] };
  if (!file.endsWith('.sql')) return { names: [], prose: [{ text, offset: 0 }] };
  const code = text.replaceAll(/--.*|'[^']*'/g, blank => ' '.repeat(blank.length));
  return { names: matches(code, /\b[a-z]\w*\b(?!\s*\()/g), prose: matches(text, /--.*/g) };
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

/** Metrics, variables, paths of operations, schemas and names with hyphens, as texts contain them. */
const namesInText =
  /\b(?:kontor_[a-z_]+|KONTOR_[A-Z_]+)\b|^\/[a-z][\w/{}-]+$|^[A-Z][a-z]+(?:[A-Z][a-z]+)+$|^[a-z]+(?:-[a-z]+)+$/g;

/** The names that a script declares, and those in its texts; its comments and sentences. */
function readScript(file: string, source: string): { names: Text[]; prose: Text[] } {
  const { program, comments } = parseSync(file, source);
  const names: Text[] = [];
  const prose: Text[] = comments.map(({ value, start }) => ({ text: value, offset: start }));
  const visit = (value: unknown, key: string, parent: Node): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, key, parent);
    // The name of a package is declared by others.
    if (!isNode(value) || key === 'source') return;
    const { type, start: offset } = value;
    const text = textOf(value);
    if (type === 'Identifier' || type === 'PrivateIdentifier') {
      if (declares(key, parent))
        names.push({ text: value['name'] as string, offset, isFunction: declaresFunction(key, parent) });
    } else if (text !== null) {
      if (text.includes(' ')) prose.push({ text, offset });
      for (const match of text.matchAll(namesInText)) names.push({ text: match[0], offset });
    }
    for (const [name, child] of Object.entries(value)) visit(child, name, value);
  };
  visit(program.body, 'body', { type: 'Program', start: 0 });
  return { names, prose };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function textOf({ type, value }: Node): string | null {
  if (type === 'TemplateElement') return (value as { raw: string }).raw;
  return typeof value === 'string' && (type === 'Literal' || type === 'JSXText') ? value : null;
}

const declarations: Readonly<Record<string, readonly string[]>> = {
  id: [
    'VariableDeclarator',
    'FunctionDeclaration',
    'ClassDeclaration',
    'TSTypeAliasDeclaration',
    'TSInterfaceDeclaration',
  ],
  key: ['MethodDefinition', 'PropertyDefinition', 'TSPropertySignature', 'TSMethodSignature', 'Property'],
  params: ['FunctionDeclaration', 'ArrowFunctionExpression', 'FunctionExpression'],
  param: ['CatchClause'],
  local: ['ImportSpecifier', 'ImportNamespaceSpecifier'],
  name: ['TSTypeParameter'],
  value: ['Property'],
  elements: ['ArrayPattern'],
  argument: ['RestElement'],
  left: ['AssignmentPattern'],
};

/** Whether an identifier is declared here. A member, a shorthand and an imported name were declared elsewhere. */
function declares(key: string, parent: Node): boolean {
  if (key === 'value' || (key === 'key' && parent.type === 'Property'))
    return parent.type === 'Property' && parent['computed'] === false && parent['shorthand'] === false;
  return declarations[key]?.includes(parent.type) ?? false;
}

const functions = ['FunctionDeclaration', 'TSMethodSignature', 'MethodDefinition'];

function declaresFunction(key: string, parent: Node): boolean {
  if (key !== 'id' && key !== 'key') return false;
  const { init } = parent;
  return functions.includes(parent.type) || (isNode(init) && init.type === 'ArrowFunctionExpression');
}
