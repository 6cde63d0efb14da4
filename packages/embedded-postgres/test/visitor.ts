// A process that uses the embedded PostgreSQL of a data folder, for the tests of visitors.ts. It obeys lines on its input:
// `ask` (is the database there?), `leave`. Ctrl-C does not end it.
import { createInterface } from 'node:readline';
import { openEmbeddedDatabase } from './database.ts';

process.on('SIGINT', () => {});
const [dataDirectory] = process.argv.slice(2);

try {
  const database = await openEmbeddedDatabase(dataDirectory!);
  await database.query('SELECT 1');
  console.log('ready');
  for await (const line of createInterface(process.stdin)) {
    if (line === 'leave') break;
    console.log(
      await database.query('SELECT 1').then(
        () => 'present',
        (error: Error) => `absent ${error.name}`,
      ),
    );
  }
  await database.close();
  process.exit();
} catch (error) {
  console.log(`error: ${(error as Error).message}`);
  process.exit(1);
}
