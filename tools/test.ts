// npm test: runs the tests against an embedded PostgreSQL of their own. Arguments choose files, folders or patterns of tests,
// and options of node --test.
import { startTestCluster } from '../packages/server/test/support/cluster.ts';
import { runTests } from './run-tests.ts';

process.exitCode = await runTests(() => startTestCluster(), process.argv.slice(2));
