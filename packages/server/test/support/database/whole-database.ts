import { fold } from '@kontor/contract';
import type { Sql } from './sql.ts';

/** What is noted of a use, whatever was asked for. */
const uses = ['last_used_at', 'last_seen_at', 'last_success_at', 'recent_failures'];
const tablesOfUses = ['key_usage', 'key_hour', 'key_operation', 'key_error', 'key_poll'];

/** A digest of all rows of each table that there is, by the name of the table; but for what every request leaves behind. */
export async function readWholeDatabase(sql: Sql): Promise<Record<string, string>> {
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

/** The tables that contain a text in any row: in any letter case, folded, or as bytes. */
export async function findTablesWith(sql: Sql, text: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
    const all = rows.map(({ row }) => row.toLowerCase()).join('\n');
    const hex = Buffer.from(text).toString('hex');
    if ([text.toLowerCase(), fold(text), hex].some(form => all.includes(form))) found.push(name);
  }
  return found;
}
