import { fold, resultsPerKind, type SearchKind } from '@kontor/contract';
import { allOf, type Fragment, join, raw, sql } from '../db/sql.ts';
import { escapeLike, isSearchable, searchNeedle } from './search-text.ts';

/** The rows of a kind that are searched: `id`, `name`, `detail`, `tenant` and the columns, which hold folded text. */
export interface Searched {
  readonly rows: Fragment;
  /** Each word must be in one of them. The first one is that of the name. */
  readonly columns: readonly [string, ...string[]];
  /** The rows are many and have the column `search`, whose trigram index finds them. */
  readonly isIndexed?: boolean;
}

/** The name of a person in a document of an employee, or else the e-mail. */
export function displayName(document: Fragment): Fragment {
  return sql`coalesce(nullif(concat_ws(' ', ${document} ->> 'firstName', ${document} ->> 'lastName'), ''), ${document} ->> 'email')`;
}

/** Most words of a text that are searched. */
const maxWords = 8;

/** Most matching rows of a kind that are ordered: a short text may match most of an organization. */
const maxMatches = 1000;

/**
 * The statement of a search in these kinds; null: nothing is searched. Many rows are searched only for a word that their index finds, which has
 * three letters or digits.
 */
export function searchStatement(
  text: string,
  kinds: readonly (readonly [SearchKind, Searched])[],
): Fragment | null {
  const words = fold(text).split(/\s+/).filter(Boolean).slice(0, maxWords);
  if (words.length === 0) return null;
  const found = kinds
    .filter(([, { isIndexed }]) => !isIndexed || words.some(isSearchable))
    .map(
      ([kind, searched], index) =>
        sql`(${matches(words, searched, sql`${kind}::text AS kind, ${index}::int AS part`)})`,
    );
  if (found.length === 0) return null;
  return sql`SELECT kind, id, name, detail, tenant FROM (${join(found, ' UNION ALL ')}) AS found ORDER BY part, place`;
}

/** The first matches of a kind: those whose name begins with the text, then the others by name. */
function matches(
  words: readonly string[],
  { rows, columns, isIndexed }: Searched,
  named: Fragment,
): Fragment {
  const [name] = columns;
  const contains = (column: string, word: string) =>
    sql`${raw(column)} LIKE ${`%${escapeLike(word)}%`}::text`;
  const conditions = words.map(
    word =>
      sql`(${join(
        columns.map(column => contains(column, word)),
        ' OR ',
      )})`,
  );
  const narrowed = isIndexed
    ? words
        .filter(isSearchable)
        .map(word => sql`search LIKE ${`%${escapeLike(searchNeedle('CONTAINS', word))}%`}::text`)
    : [];
  const order = sql`(${raw(name)} LIKE ${`${escapeLike(words.join(' '))}%`}::text) IS TRUE DESC, ${raw(name)}, id`;
  return sql`SELECT ${named}, id, name, detail, tenant, row_number() OVER (ORDER BY ${order}) AS place
    FROM (SELECT * FROM (${rows}) AS rows WHERE ${allOf([...narrowed, ...conditions])} ${raw(`LIMIT ${maxMatches}`)}) AS matching
    ORDER BY ${order} ${raw(`LIMIT ${resultsPerKind}`)}`;
}
