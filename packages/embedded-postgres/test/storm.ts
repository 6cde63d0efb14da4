// A process that commits rows to the embedded PostgreSQL of a data folder as fast as it can, from eight sessions, and
// prints the number of each one after its commit was acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { openEmbeddedDatabase } from './database.ts';

const [dataDirectory, first] = process.argv.slice(2);
const { query } = await openEmbeddedDatabase(dataDirectory!);
await query('CREATE TABLE IF NOT EXISTS storm (n integer PRIMARY KEY)');

let next = Number(first);

async function write(): Promise<void> {
  for (;;) {
    const n = next++;
    await query('INSERT INTO storm VALUES ($1)', [n]);
    writeSync(1, `${n}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
