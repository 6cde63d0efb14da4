import pg from 'pg';
import { openEmbeddedPostgres } from '../src/index.ts';

/** The database of an embedded PostgreSQL, as its tests use it. */
export interface EmbeddedDatabase {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Opens the embedded PostgreSQL of a folder, with up to ten connections to its database. */
export async function openEmbeddedDatabase(dataDirectory: string): Promise<EmbeddedDatabase> {
  const { target, close } = await openEmbeddedPostgres({ dataDirectory });
  const { socketDirectory: host, user, password, database } = target;
  const pool = new pg.Pool({ host, user, password, database, port: 5432, ssl: false });
  // Tests kill PostgreSQL; a query then gets the error.
  pool.on('error', () => {});
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    async close() {
      await pool.end();
      await close();
    },
  };
}
