import { ApiError } from '../errors/errors.ts';
import type { ComparisonOperator, Filter, Junction } from './ast.ts';
import { filterBounds, markBound } from './bounds.ts';
import { isFieldName, lex, type Token } from './lex.ts';

const comparisonOperators: ReadonlySet<string> = new Set<ComparisonOperator>([
  '=',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
]);

const operatorNames = '=, !=, >, >=, <, <=, CONTAINS, STARTS_WITH, ENDS_WITH, IN, IS NULL or IS NOT NULL';

const unclosedHint =
  "An apostrophe inside a value is written \\', also at its end; put a value that ends in a backslash in double quotes.";

/**
 * Parses a filter expression (grammar: specification.md 3.3) in linear time. The result is canonical: a junction has two or more terms, none
 * of its own kind. So `((a = 1) AND b = 2) AND c = 3` is one junction of three terms. Fields and literals are not checked against a resource.
 * @throws ApiError INVALID_FILTER_SYNTAX. The message has the position, in Unicode code points from 1, and what was expected there or the
 * exceeded bound. It never repeats a value of the filter.
 */
export function parseFilter(text: string): Filter {
  if (exceedsCharacters(text))
    throw bound(filterBounds.characters + 1, 'characters', filterBounds.characters);
  const marks = text.search(tooManyMarks);
  if (marks !== -1) throw bound(positionOf(text, marks), 'combining marks in a row', markBound);
  return new FilterParser(text, lex(text)).parse();
}

const tooManyMarks = new RegExp(`\\p{M}{${markBound + 1}}`, 'u');

function exceedsCharacters(text: string): boolean {
  if (text.length <= filterBounds.characters) return false;
  return text.length > 2 * filterBounds.characters || countCodePoints(text) > filterBounds.characters;
}

/** Recursive descent over the tokens. The nesting limit also bounds the recursion. */
class FilterParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #comparisons = 0;
  #nesting = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  parse(): Filter {
    const filter = this.#or();
    if (this.#peek().kind !== 'end') throw this.#afterTerm('AND, OR or the end');
    return filter;
  }

  #or(): Filter {
    const terms = [this.#and()];
    while (this.#accept('keyword', 'OR')) terms.push(this.#and());
    return junction('or', terms);
  }

  #and(): Filter {
    const terms = [this.#term()];
    while (this.#accept('keyword', 'AND')) terms.push(this.#term());
    return junction('and', terms);
  }

  #term(): Filter {
    const open = this.#peek();
    if (!this.#accept('symbol', '(')) return this.#comparison();
    this.#nesting++;
    if (this.#nesting > filterBounds.nesting)
      throw this.#bound(open, 'nested parentheses', filterBounds.nesting);
    const filter = this.#or();
    if (!this.#accept('symbol', ')')) throw this.#afterTerm('AND, OR or )');
    this.#nesting--;
    return filter;
  }

  #comparison(): Filter {
    const token = this.#peek();
    if (token.kind !== 'word' || !isFieldName(token.text)) {
      throw this.#unexpected('a field name or (', fieldHint(token));
    }
    this.#comparisons++;
    if (this.#comparisons > filterBounds.comparisons)
      throw this.#bound(token, 'comparisons', filterBounds.comparisons);
    this.#next++;
    const field = token.text;
    if (this.#accept('keyword', 'IN')) return { kind: 'in', field, values: this.#values() };
    if (this.#accept('keyword', 'IS')) return { kind: 'null', field, negated: this.#nullTest() };
    return { kind: 'comparison', field, operator: this.#operator(), value: this.#value() };
  }

  #operator(): ComparisonOperator {
    const token = this.#peek();
    if (!isOperator(token)) throw this.#unexpected(`an operator (${operatorNames})`);
    this.#next++;
    return token.text as ComparisonOperator;
  }

  /** Parses the rest after `IS`, and returns whether the test is negated. */
  #nullTest(): boolean {
    const negated = this.#accept('keyword', 'NOT');
    if (!this.#accept('keyword', 'NULL')) throw this.#unexpected(negated ? 'NULL' : 'NULL or NOT NULL');
    return negated;
  }

  /** Parses the parenthesized values after `IN`. */
  #values(): string[] {
    if (!this.#accept('symbol', '(')) throw this.#unexpected('(');
    const values: string[] = [];
    do {
      if (values.length === filterBounds.values)
        throw this.#bound(this.#peek(), 'values in one IN list', filterBounds.values);
      values.push(this.#value());
    } while (this.#accept('symbol', ','));
    if (!this.#accept('symbol', ')')) throw this.#unexpected(', or )', this.#quoteHint());
    return values;
  }

  #value(): string {
    const token = this.#peek();
    if (token.kind === 'word' || token.kind === 'quoted') {
      this.#next++;
      return token.text;
    }
    if (token.kind === 'symbol' && isOperator(token))
      throw this.#unexpected('a value', 'Write one operator: =, !=, >, >=, < or <=.');
    if (token.kind !== 'keyword') throw this.#unexpected('a value');
    throw this.#unexpected(
      'a value',
      token.text === 'NULL'
        ? 'Test for null with IS NULL or IS NOT NULL; put the text null in quotes.'
        : 'Put a value that is spelled like a keyword in quotes.',
    );
  }

  #peek(): Token {
    return this.#tokens[this.#next]!;
  }

  #accept(kind: Token['kind'], text: string): boolean {
    const token = this.#peek();
    if (token.kind !== kind || token.text !== text) return false;
    this.#next++;
    return true;
  }

  #afterTerm(expected: string): ApiError {
    return this.#unexpected(expected, this.#quoteHint());
  }

  /** Detects two values in a row, or symbols used as AND and OR. */
  #quoteHint(): string | undefined {
    const { kind: token, text } = this.#peek();
    if (token === 'word' && /^(&&?|\|\|?)$/.test(text)) return 'Join conditions with AND or OR.';
    const before = this.#tokens[this.#next - 1]?.kind;
    const values = ['word', 'quoted', 'unclosed'];
    if (before === undefined || !values.includes(before) || !values.includes(token)) return undefined;
    return "Put a value with white space or quotes in quotes, and write an apostrophe in it as \\'.";
  }

  #unexpected(expected: string, hint?: string): ApiError {
    const token = this.#peek();
    const advice = hint ?? (token.kind === 'unclosed' ? unclosedHint : undefined);
    const message = `expected ${expected}, found ${describe(token)}.`;
    return syntaxError(this.#position(token), advice === undefined ? message : `${message} ${advice}`);
  }

  #bound(token: Token, what: string, max: number): ApiError {
    return bound(this.#position(token), what, max);
  }

  #position(token: Token): number {
    return positionOf(this.#text, token.offset);
  }
}

/** Detects a likely mistake at the start of a comparison. */
function fieldHint({ kind, text }: Token): string | undefined {
  if (kind === 'word') return 'A field name has letters, digits, . and _ only.';
  return kind === 'keyword' && text === 'NOT' ? 'There is no NOT before a condition: use !=.' : undefined;
}

function isOperator(token: Token): boolean {
  return (token.kind === 'symbol' || token.kind === 'keyword') && comparisonOperators.has(token.text);
}

/** Unwraps a single term, and merges nested terms of the same kind. */
function junction(kind: Junction['kind'], terms: Filter[]): Filter {
  if (terms.length === 1) return terms[0]!;
  return { kind, terms: terms.flatMap(term => (term.kind === kind ? term.terms : [term])) };
}

/** Describes a token without repeating the caller's words or values, which may be personal data. */
function describe(token: Token): string {
  if (token.kind === 'end') return 'the end of the filter';
  if (token.kind === 'keyword') return `the keyword ${token.text}`;
  if (token.kind === 'symbol') return token.text;
  if (token.kind === 'unclosed') return 'a quote that is never closed';
  return token.kind === 'quoted' ? 'a quoted value' : 'a word';
}

function bound(position: number, what: string, max: number): ApiError {
  return syntaxError(
    position,
    `expected at most ${max.toLocaleString('en-US')} ${what}. Simplify or split the filter.`,
  );
}

function syntaxError(position: number, message: string): ApiError {
  return new ApiError('INVALID_FILTER_SYNTAX', `filter, position ${position}: ${message}`, {
    rejectedField: { field: 'filter', position },
  });
}

/** Converts an offset in UTF-16 units to a position in code points, from 1. */
function positionOf(text: string, offset: number): number {
  return countCodePoints(text.slice(0, offset)) + 1;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
