// A process that commits rows to the embedded PostgreSQL of a data folder as fast as it can, from eight sessions, and
// prints the number of each one after its commit was acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/db/connect.ts';
import { testSql } from '../support/sql.ts';

const [dataDirectory, first] = process.argv.slice(2);
const database = await openDatabase({ dataDirectory: dataDirectory!, owner: 'service' });
const sql = testSql(database);
await sql`CREATE TABLE IF NOT EXISTS storm (n integer PRIMARY KEY)`;

let next = Number(first);

async function write(): Promise<void> {
  for (;;) {
    const n = next++;
    await sql`INSERT INTO storm VALUES (${n})`;
    writeSync(1, `${n}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
