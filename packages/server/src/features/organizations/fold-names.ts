import { fold } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, raw, sql } from '../../db/sql.ts';

/** Rows that are folded at once. */
const chunkSize = 1000;

/** The tables with names, and what their organization and they themselves are found by. */
const tables: readonly { readonly name: string; readonly organization: Fragment }[] = [
  { name: 'organization', organization: sql`id` },
  { name: 'tenant', organization: sql`organization_id` },
  { name: 'api_key', organization: sql`organization_id` },
];

/** Gives the names that older versions have written their folding, which lists are filtered and sorted by. */
export async function foldNames(db: Queryable): Promise<void> {
  for (const { name, organization } of tables) {
    let rows: { organization: string; id: string; name: string }[];
    do {
      rows = await db.rows(sql`
        SELECT ${organization} AS organization, id, name FROM ${raw(name)} WHERE folded_name IS NULL LIMIT ${chunkSize}`);
      for (const row of rows)
        await db.run(sql`
          UPDATE ${raw(name)} SET folded_name = ${fold(row.name)}
          WHERE ${organization} = ${row.organization} AND id = ${row.id}`);
    } while (rows.length === chunkSize);
  }
}
