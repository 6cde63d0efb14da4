// npm run test:server-postgres: runs the tests against a PostgreSQL server, that of DATABASE_URL (its user must be able to
// make databases and roles), or else a temporary one of the PostgreSQL that Debian has installed.
import { findDebianBinaries, ensureServer } from './debian-postgres.ts';
import { runTests } from './run-tests.ts';

const given = process.env.DATABASE_URL;
const bin = findDebianBinaries();
if (given === undefined && bin === undefined) {
  console.error(
    'error: set DATABASE_URL to a PostgreSQL server, 15 or newer, or install the package postgresql of Debian',
  );
  process.exitCode = 1;
} else process.exitCode = await runTests(() => ensureServer(given, bin ?? ''), process.argv.slice(2));
