import { fold, resultsPerKind, type SearchKind, wordsOf } from '@kontor/contract';
import { allOf, type Fragment, join, raw, sql } from '../db/sql.ts';
import { containsLoosely, isLoose, narrowLoosely } from './accents.ts';
import { escapeLike, isSearchable, searchNeedle } from './search-text.ts';

/** The rows of a kind that are searched: `id`, `name`, `detail`, `tenant` and the columns, which hold folded text. */
export interface Searched {
  readonly rows: Fragment;
  /** Each word must be in one of them. The first one is that of the name. */
  readonly columns: readonly [string, ...string[]];
  /** The rows are many and have the column `search`, whose trigram index finds them. */
  readonly isIndexed?: boolean;
  /** The columns that one trigram index has without accents; absent: rows that are many are searched with accents only. */
  readonly withoutAccents?: readonly string[];
  /** JSON array of the names on the path to a row `found`, itself included; absent: it has no path. */
  readonly path?: Fragment;
}

/** How a search is narrowed. */
interface Narrowed {
  /** Only what belongs to this tenant; null: to any or none. */
  readonly tenant?: string | null;
  /** Max results of each kind. */
  readonly limit?: number;
}

/** The name of a person in a document of an employee, or else the email. */
export function displayName(document: Fragment): Fragment {
  return sql`coalesce(nullif(concat_ws(' ', ${document} ->> 'firstName', ${document} ->> 'lastName'), ''), ${document} ->> 'email')`;
}

/** JSON array of the names of a division and those above it, the root first. An ancestor has fewer ancestors than those below it. */
export function divisionPath(organizationId: string, id: Fragment): Fragment {
  return sql`(SELECT json_agg(p.name ORDER BY (SELECT count(*) FROM division_ancestor d
      WHERE d.organization_id = ${organizationId} AND d.division_id = p.id))
    FROM division_ancestor a JOIN division p ON p.organization_id = ${organizationId} AND p.id = a.ancestor_id
    WHERE a.organization_id = ${organizationId} AND a.division_id = ${id})`;
}

/** Most matching rows of a kind that are ordered: a short text may match most of an organization. */
const maxMatches = 1000;

/**
 * The statement of a search in these kinds; null: nothing is searched. Many rows are searched only for a word that their index finds, which has
 * three letters or digits. A text without words finds the first of the other kinds.
 */
export function searchStatement(
  text: string,
  kinds: readonly (readonly [SearchKind, Searched])[],
  narrowed: Narrowed = {},
): Fragment | null {
  const words = wordsOf(fold(text));
  const found = kinds
    .filter(([, searched]) => !searched.isIndexed || narrowing(words, searched).length > 0)
    .map(
      ([kind, searched], index) =>
        sql`(${matches(words, searched, narrowed, sql`${kind}::text AS kind, ${index}::int AS part`)})`,
    );
  if (found.length === 0) return null;
  return sql`SELECT kind, id, name, detail, tenant, path FROM (${join(found, ' UNION ALL ')}) AS found ORDER BY part, place`;
}

/** The first matches of a kind: those whose name begins with the text, then the others by name. */
function matches(
  words: readonly string[],
  searched: Searched,
  { tenant = null, limit = resultsPerKind }: Narrowed,
  named: Fragment,
): Fragment {
  const { rows, columns, path = sql`'[]'::json` } = searched;
  const [name] = columns;
  const conditions = words.map(
    word =>
      sql`(${join(
        columns.map(column => contains(searched, column, word)),
        ' OR ',
      )})`,
  );
  const ofTenant = tenant === null ? [] : [sql`tenant = ${tenant}`];
  const begins = sql`(${raw(name)} LIKE ${`${escapeLike(words.join(' '))}%`}::text) IS TRUE`;
  const order = sql`${begins} DESC, ${raw(name)}, id`;
  // Only the results get a path.
  return sql`SELECT ${named}, id, name, detail, tenant, ${path} AS path, place FROM (
    SELECT id, name, detail, tenant, row_number() OVER (ORDER BY ${order}) AS place
    FROM (SELECT * FROM (${rows}) AS rows WHERE ${allOf([sql`true`, ...ofTenant, ...narrowing(words, searched), ...conditions])}
      ${raw(`LIMIT ${maxMatches}`)}) AS matching
    ORDER BY ${order} ${raw(`LIMIT ${limit}`)}) AS found`;
}

/** Whether a word is compared without accents in a kind. */
function ignoresAccents({ isIndexed, withoutAccents }: Searched, word: string): boolean {
  return (!isIndexed || withoutAccents !== undefined) && isLoose(word);
}

function contains(searched: Searched, column: string, word: string): Fragment {
  return ignoresAccents(searched, word)
    ? containsLoosely(column, word)
    : sql`${raw(column)} LIKE ${`%${escapeLike(word)}%`}::text`;
}

/** The conditions by which the index of a kind finds the rows with these words. */
function narrowing(words: readonly string[], searched: Searched): Fragment[] {
  const { isIndexed, withoutAccents = [] } = searched;
  if (!isIndexed) return [];
  return words.flatMap(word => {
    if (ignoresAccents(searched, word)) return narrowLoosely(withoutAccents, word) ?? [];
    if (!isSearchable(word)) return [];
    return sql`search LIKE ${`%${escapeLike(searchNeedle('CONTAINS', word))}%`}::text`;
  });
}
