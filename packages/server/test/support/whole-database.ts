import type { Sql } from './sql.ts';

/** What is noted of a use, whatever was asked for. */
const uses = ['last_used_at', 'last_seen_at', 'last_success_at', 'usual_pause', 'allowed_pause'];
const tablesOfUses = ['key_usage', 'key_operation', 'key_error', 'key_poll'];

/** A digest of all rows of each table that there is, by the name of the table; but for what every request leaves behind. */
export async function wholeDatabase(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;
  const names = tables.map(({ name }) => name).filter(name => !tablesOfUses.includes(name));
  const without = uses.map(name => `- '${name}'`).join(' ');
  const digests = names.map(
    name => `SELECT '${name}' AS name, md5(coalesce(string_agg(row::text, ' ' ORDER BY row::text), '')) AS digest
      FROM (SELECT to_jsonb(t) ${without} AS row FROM "${name}" t) AS rows`,
  );
  const rows = (await sql.unsafe(digests.join(' UNION ALL '))) as unknown as {
    name: string;
    digest: string;
  }[];
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
