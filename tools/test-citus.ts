// npm run test:citus: runs the tests on a Citus cluster, a coordinator and two workers, with every table distributed by
// organization. With --short only a few of them (citus/tests.ts). The cluster is made by a script beside
// the repository; where there is none this reports it and does nothing.
import { existsSync } from 'node:fs';
import { citusScript, startCitus } from './citus/cluster.ts';
import { elsewhere, findCitusTests } from './citus/tests.ts';
import { runTests } from './run-tests.ts';

const args = process.argv.slice(2);
if (!existsSync(citusScript)) console.log(`Skipped: there is no ${citusScript} that starts a Citus cluster`);
else {
  process.env.KONTOR_TEST_CITUS = 'yes';
  process.exitCode = await runTests(startCitus, await findCitusTests(args));
  console.log('Not run on a cluster:');
  for (const [place, reason] of Object.entries(elsewhere)) console.log(`  ${place}: ${reason}`);
}
