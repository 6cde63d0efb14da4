// npm run faults: a service whose PostgreSQL fails in every way that we know of, and a check of what it answered, stored and
// left behind. `--short` takes under two minutes, `--only NAME` runs one scenario (or several: `--only crash,delay`), `--seed`
// repeats the choices of a run, and `--log FILE` keeps the log of the service. Fails when anything was found.
import { parseArgs } from 'node:util';
import { Harness } from './faults/harness.ts';
import { networkScenarios } from './faults/network.ts';
import { findingLines, header, resultLine } from './faults/report.ts';
import { replicationScenarios } from './faults/replication.ts';
import type { Scenario } from './faults/scenario.ts';
import { serverScenarios } from './faults/server.ts';
import { type ScenarioRun, ScenarioRuns } from './faults/scenario-runs.ts';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    log: { type: 'string' },
  },
});

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());

const all: readonly Scenario[] = [...networkScenarios, ...serverScenarios, ...replicationScenarios];

/** Those of `--only`, in our order. @throws Error when there is no such scenario. */
function chooseScenarios(): Scenario[] {
  const known = all.map(({ name }) => name);
  const names = options.only?.split(',') ?? known;
  const unknown = names.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return all.filter(({ name }) => names.includes(name));
}

/** Runs the scenarios and adds what each came to, so that it is reported when a later one aborts. */
async function runAll(chosen: readonly Scenario[], harness: Harness, results: ScenarioRun[]): Promise<void> {
  const runs = new ScenarioRuns(harness, interruption.signal);
  console.log(header());
  for (const scenario of chosen) {
    const { short, full } = scenario.seconds;
    const result = await runs.run(scenario, options.short ? short : full);
    console.log(resultLine(result));
    results.push(result);
  }
}

async function main(): Promise<void> {
  const scenarios = chooseScenarios();
  const seed = Number(options.seed);
  console.log(`seed ${seed}`);
  const results: ScenarioRun[] = [];
  const harness = await Harness.open({ seed, orders: options.short ? 3000 : 12_000, log: options.log });
  try {
    await runAll(scenarios, harness, results);
  } finally {
    await harness.close();
    for (const line of findingLines(results)) console.log(line);
  }
  if (results.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
}

await main().catch((error: Error) => {
  if (!interruption.signal.aborted) console.error(`error: ${error.message}`);
  process.exitCode = interruption.signal.aborted ? 130 : 1;
});
