// A process that migrates a database with the migrations of a folder, and prints the progress; for tests that kill it.
import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';

const [url, directory] = process.argv.slice(2) as [string, string];
const database = connect({ url });
await migrate(database, { directory, log: line => console.log(line) });
await database.close();
