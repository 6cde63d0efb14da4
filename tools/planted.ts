// npm run planted: plants known faults in a copy of the repository, one at a time, and expects that the tests named with
// each fail. Fails when a fault is missed, or when its text is no longer in the sources.
//   --only NAME[,NAME]   some of them, also by the beginning of a name
//   --tenth              the few that .ci/run plants
//   --skip-baseline      does not run the tests without a fault first
//   --list               lists them and checks their places, without running a test
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestCluster } from '../packages/server/test/support/database/cluster.ts';
import { type Fault, type PlacedFault, placeFault, readSources, StaleFault } from './planted/fault.ts';
import { faults, tenth } from './planted/faults.ts';
import { Sandbox } from './planted/sandbox.ts';

/** Copies that are tested at the same time. */
const copies = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    tenth: { type: 'boolean' },
    list: { type: 'boolean' },
    'skip-baseline': { type: 'boolean' },
  },
});
const sources = await readSources(root);
const stale: string[] = [];
const placed = faults.flatMap(place);
const chosen = placed.filter(isChosen);

if (values.list)
  for (const { name, breaks, file } of chosen) console.log(`${name.padEnd(32)} ${file}\n    ${breaks}`);
const missed = values.list ? [] : await plantAll(chosen);
for (const line of stale) console.error(`stale: ${line}`);
if (!values.list) console.log(`${chosen.length - missed.length} caught, ${missed.length} missed`);
if (stale.length > 0 || missed.length > 0 || chosen.length === 0) process.exitCode = 1;

function place(fault: Fault): PlacedFault[] {
  try {
    return [placeFault(fault, sources)];
  } catch (error) {
    if (!(error instanceof StaleFault)) throw error;
    stale.push(`${fault.name}: ${error.message}`);
    return [];
  }
}

function isChosen({ name }: Fault): boolean {
  if (values.tenth) return tenth.includes(name);
  return values.only === undefined || values.only.split(',').some(start => name.startsWith(start));
}

/** Plants the faults and prints what became of each. Resolves with the names of those that were missed. */
async function plantAll(all: readonly PlacedFault[]): Promise<string[]> {
  const cluster = await startTestCluster();
  try {
    const missed: string[] = [];
    const waiting = [...all];
    const work = async () => {
      await using sandbox = await Sandbox.copy(root);
      for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
        const started = performance.now();
        const outcome = await sandbox.plant(fault, cluster.url);
        if (outcome !== 'failed') missed.push(fault.name);
        const word = { failed: 'caught', passed: 'MISSED', 'timed out': 'TIMED OUT' }[outcome];
        const seconds = Math.round((performance.now() - started) / 1000);
        console.log(
          `${word.padEnd(9)} ${`${seconds} s`.padStart(5)}  ${fault.name.padEnd(32)} ${fault.breaks}`,
        );
      }
    };
    if (!values['skip-baseline']) await checkTests(all, cluster.url);
    await Promise.all(Array.from({ length: copies }, work));
    return missed;
  } finally {
    await cluster.stop();
  }
}

/** Runs the tests without any fault: one that fails anyway would catch everything. */
async function checkTests(all: readonly PlacedFault[], databaseUrl: string): Promise<void> {
  await using sandbox = await Sandbox.copy(root);
  const { outcome, output } = await sandbox.test(
    [...new Set(all.flatMap(({ tests }) => tests))],
    databaseUrl,
  );
  if (outcome !== 'passed') throw new Error(`the tests ${outcome} without a fault:\n${output}`);
}
