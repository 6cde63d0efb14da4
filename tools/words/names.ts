import { type Comment, parseSync, Visitor } from 'oxc-parser';
import { type ForbiddenWords, forbiddenProse, glossary } from './glossary.ts';

/** A forbidden word in a file. */
export interface Finding {
  readonly line: number;
  /** The name, or the words in prose, as they are written. */
  readonly text: string;
  readonly word: string;
  readonly instead: string;
}

/** A name that a file declares. */
interface Name {
  readonly text: string;
  readonly offset: number;
  readonly isFunction: boolean;
}

/** The forbidden words of a file: in its path, in the names that it declares, and in its prose. */
export function findForbidden(file: string, text: string): Finding[] {
  const { names, prose } = contentsOf(file, text);
  const found = [...names, { text: file, offset: 0, isFunction: false }].flatMap(name =>
    wordsOf(name).map(({ word, instead }) => ({
      line: lineAt(text, name.offset),
      text: name.text,
      word,
      instead,
    })),
  );
  const written = prose.flatMap(({ value, start }) =>
    [...value.matchAll(proseWords)].map(match => ({
      line: lineAt(text, start + match.index),
      text: match[0],
      word: `${match[0].toLowerCase()}, in prose`,
      instead: 'the words of the glossary',
    })),
  );
  return [...found, ...written];
}

const proseWords = new RegExp(
  String.raw`\b(?:${forbiddenProse.join('|').replaceAll(' ', String.raw`\s+`)})s?\b`,
  'gi',
);

function contentsOf(
  file: string,
  text: string,
): { names: Name[]; prose: { value: string; start: number }[] } {
  if (/\.(ts|tsx|js)$/.test(file)) return contentsOfScript(file, text);
  if (file.endsWith('.css')) return { names: classesOf(text), prose: [] };
  if (!file.endsWith('.sql')) return { names: [], prose: [{ value: text, start: 0 }] };
  const comments = [...text.matchAll(/--.*/g)].map(({ 0: value, index }) => ({ value, start: index }));
  const code = text.replaceAll(/--.*|'[^']*'/g, blank => ' '.repeat(blank.length));
  const names = [...code.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)].map(match => nameAt(match[0], match.index));
  return { names, prose: comments };
}

/** The classes and variables of a style sheet. */
function classesOf(text: string): Name[] {
  return [...text.matchAll(/(?<![\w-])(?:\.|--)[a-z][\w-]*/g)].map(match => nameAt(match[0], match.index));
}

/** Metrics, variables, paths of operations, schemas and names with hyphens, as texts name them. */
const textNames =
  /\b(?:kontor_[a-z_]+|KONTOR_[A-Z_]+)\b|^\/[a-z][\w/{}-]+$|^[A-Z][a-z]+(?:[A-Z][a-z]+)+$|^[a-z]+(?:-[a-z]+)+$/g;

/** Names that a script declares, those in its texts, and its comments and sentences. */
function contentsOfScript(
  file: string,
  text: string,
): { names: Name[]; prose: { value: string; start: number }[] } {
  const { program, comments } = parseSync(file, text);
  const names: Name[] = [];
  const prose: { value: string; start: number }[] = comments.map(({ value, start }: Comment) => ({
    value,
    start,
  }));
  const declare = (node: Node | null | undefined, isFunction = false) => {
    for (const { name, start } of identifiersIn(node)) names.push({ ...nameAt(name, start), isFunction });
  };
  const sentence = (value: string, start: number) => {
    if (value.includes(' ')) prose.push({ value, start });
    for (const match of value.matchAll(textNames)) names.push(nameAt(match[0], start));
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => declare(id, init?.type === 'ArrowFunctionExpression'),
    FunctionDeclaration({ id, params }) {
      declare(id, true);
      for (const parameter of params) declare(parameter);
    },
    ArrowFunctionExpression: ({ params }) => params.forEach(parameter => declare(parameter)),
    FunctionExpression: ({ params }) => params.forEach(parameter => declare(parameter)),
    CatchClause: ({ param }) => declare(param),
    ClassDeclaration: ({ id }) => declare(id),
    MethodDefinition: ({ key, kind }) => declare(key, kind === 'method'),
    PropertyDefinition: ({ key }) => declare(key),
    Property({ key, computed, shorthand }) {
      if (!computed && !shorthand) declare(key);
    },
    TSTypeAliasDeclaration: ({ id }) => declare(id),
    TSInterfaceDeclaration: ({ id }) => declare(id),
    TSPropertySignature: ({ key }) => declare(key),
    TSMethodSignature: ({ key }) => declare(key, true),
    TSTypeParameter: ({ name }) => declare(name),
    ImportSpecifier({ imported, local }) {
      if (!('name' in imported) || imported.name !== local.name) declare(local);
    },
    ImportNamespaceSpecifier: ({ local }) => declare(local),
    Literal({ value, start }) {
      if (typeof value === 'string') sentence(value, start);
    },
    TemplateElement: ({ value, start }) => sentence(value.raw, start),
    JSXText: ({ value, start }) => sentence(value, start),
  }).visit(program);
  return { names, prose };
}

interface Node {
  readonly type: string;
  readonly start: number;
}

/** The parts of all patterns, of which each kind has some. */
interface Pattern extends Node {
  readonly name: string;
  readonly elements: readonly (Node | null)[];
  readonly properties: readonly (Node & { readonly value?: Node })[];
  readonly left: Node;
  readonly argument: Node;
}

/** The identifiers that a pattern of a declaration binds, with the name of a key. */
function identifiersIn(node: Node | null | undefined): { name: string; start: number }[] {
  if (!node) return [];
  const inner = node as Pattern;
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [{ name: inner.name, start: node.start }];
    case 'ArrayPattern':
      return inner.elements.flatMap(identifiersIn);
    case 'ObjectPattern':
      return inner.properties.flatMap(part => identifiersIn(part.value ?? part));
    case 'AssignmentPattern':
      return identifiersIn(inner.left);
    case 'RestElement':
      return identifiersIn(inner.argument);
    default:
      return [];
  }
}

function nameAt(text: string, offset: number): Name {
  return { text, offset, isFunction: false };
}

/** The rules that a name breaks, each with the word. */
function wordsOf({ text, isFunction }: Name): { word: string; instead: string }[] {
  const spaced = ` ${text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .toLowerCase()
    .trim()} `;
  return glossary.flatMap(rule => {
    const ordinary = (rule.except ?? []).reduce((rest, words) => rest.replaceAll(` ${words} `, ' '), spaced);
    const word = rule.words.find(word => matches(ordinary, word, rule.at, isFunction));
    return word === undefined ? [] : [{ word, instead: rule.instead }];
  });
}

function matches(spaced: string, word: string, at: ForbiddenWords['at'], isFunction: boolean): boolean {
  if (at === 'whole name') return spaced === ` ${word} `;
  if (at === 'start of a function' && !isFunction) return false;
  return at === undefined ? spaced.includes(` ${word} `) : spaced.startsWith(` ${word} `);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
