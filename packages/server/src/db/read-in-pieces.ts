import { type Fragment, raw, sql } from './sql.ts';
import type { Session } from './transaction.ts';

/** Rows that are in memory at a time. */
const chunkSize = 1000;

/** The rows of a query, however many they are, some at a time. One such reading is under way at a time in a transaction. */
export async function* readInChunks<Row extends object>(
  session: Session,
  query: Fragment,
): AsyncGenerator<Row[]> {
  await session.run(sql`DECLARE pieces CURSOR FOR ${query}`);
  for (;;) {
    const rows = await session.rows<Row>(sql`FETCH ${raw(String(chunkSize))} FROM pieces`);
    if (rows.length > 0) yield rows;
    if (rows.length < chunkSize) break;
  }
  await session.run(sql`CLOSE pieces`);
}
