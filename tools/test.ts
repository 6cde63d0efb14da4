// npm test: runs the tests against an embedded PostgreSQL of their own. Arguments choose files and options of node --test.
import { startTestCluster } from '../packages/server/test/support/cluster.ts';
import { runTests } from './run-tests.ts';

const cluster = await startTestCluster();
try {
  process.exitCode = await runTests(cluster.url, process.argv.slice(2));
} finally {
  await cluster.stop();
}
