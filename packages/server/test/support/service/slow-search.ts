import type { Sql } from '../database/sql.ts';

/** Has each search of a text take as long as in a table of a million rows, and counts them, for sessions that begin from now on. */
export async function slowDownSearch(sql: Sql): Promise<void> {
  await sql.unsafe(`
    CREATE SCHEMA slow;
    CREATE SEQUENCE slow.searches;
    CREATE FUNCTION slow.search(text, text) RETURNS boolean LANGUAGE sql VOLATILE AS
      $$ SELECT nextval('slow.searches') > 0 AND pg_sleep(1.1) IS NOT NULL AND textlike($1, $2) $$;
    CREATE OPERATOR slow.~~ (LEFTARG = text, RIGHTARG = text, FUNCTION = slow.search);
  `);
  await sql.unsafe(`
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = slow, pg_catalog, public', current_database()); END $$`);
}

/** How many searches were begun. */
export async function countSearches(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: string }[]>`
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END::text AS n FROM slow.searches`;
  return Number(row!.n);
}
