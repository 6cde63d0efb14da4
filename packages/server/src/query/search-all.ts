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

/** Most words of a text that are searched. */
const maxWords = 8;

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
  const words = fold(text).split(/\s+/).filter(Boolean).slice(0, maxWords);
  const found = kinds
    .filter(([, { isIndexed }]) => !isIndexed || words.some(isSearchable))
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
  { rows, columns, isIndexed, path = sql`'[]'::json` }: Searched,
  { tenant = null, limit = resultsPerKind }: Narrowed,
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
  const ofTenant = tenant === null ? [] : [sql`tenant = ${tenant}`];
  const narrowed = isIndexed
    ? words
        .filter(isSearchable)
        .map(word => sql`search LIKE ${`%${escapeLike(searchNeedle('CONTAINS', word))}%`}::text`)
    : [];
  const order = sql`(${raw(name)} LIKE ${`${escapeLike(words.join(' '))}%`}::text) IS TRUE DESC, ${raw(name)}, id`;
  // Only the results get a path.
  return sql`SELECT ${named}, id, name, detail, tenant, ${path} AS path, place FROM (
    SELECT id, name, detail, tenant, row_number() OVER (ORDER BY ${order}) AS place
    FROM (SELECT * FROM (${rows}) AS rows WHERE ${allOf([sql`true`, ...ofTenant, ...narrowed, ...conditions])}
      ${raw(`LIMIT ${maxMatches}`)}) AS matching
    ORDER BY ${order} ${raw(`LIMIT ${limit}`)}) AS found`;
}
