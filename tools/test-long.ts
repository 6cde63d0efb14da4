// npm run test:long: runs the tests that have a long form (packages/server/test/support/service/scale.ts) in that form. Arguments are those of npm test.
import { glob, readFile } from 'node:fs/promises';
import { startTestCluster } from '../packages/server/test/support/database/cluster.ts';
import { runTests } from './run-tests.ts';

async function findScaledTests(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('packages/*/test/**/*.test.ts'))
    if (/\b(atScale|isLong|inLanguages)\b/.test(await readFile(file, 'utf8'))) found.push(file);
  return found.sort();
}

process.env.KONTOR_TEST_LONG = 'yes';
const args = process.argv.slice(2);
process.exitCode = await runTests(() => startTestCluster(), args.length > 0 ? args : await findScaledTests());
