// Runs a test cluster until the process that started this one has ended; see startClusterProcess.
import { once } from 'node:events';
import { startTestCluster } from './cluster.ts';

const cluster = await startTestCluster();
process.stdout.write(`${cluster.url}\n`);
await once(process.stdin.resume(), 'close');
await cluster.stop();
