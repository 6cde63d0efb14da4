import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startTestCluster } from '../support/database/cluster.ts';
import type { TestDatabase } from '../support/database/database.ts';
import { type Sql, testSql } from '../support/database/sql.ts';

/** A database on a server of its own: standbys are a setting of a whole server. */
export async function databaseOnOwnServer(): Promise<TestDatabase> {
  const cluster = await startTestCluster();
  const database = connect({ url: cluster.url });
  await migrate(database);
  return {
    database: { ...database, sql: testSql(database) },
    url: cluster.url,
    async drop() {
      await database.close();
      await cluster.stop();
    },
  };
}

/** From now on each commit waits for a standby that there is not, or for none. */
export async function setStandby(sql: Sql, name: '*' | ''): Promise<void> {
  await sql.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await sql`SELECT pg_reload_conf()`;
}
