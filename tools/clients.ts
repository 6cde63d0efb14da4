// npm run clients: makes a client of the contract with each generator, builds it and runs one session with it against a live service.
// Then it checks the contract by other means, and follows the quick starts of docs/clients.md. It prints the table of that page, and
// `--write` puts it there. A release runs all of it. Everything is installed below the system's temporary folder. A generator without
// its toolchain is passed over. `--only go,quick-start` chooses by language or name, or the beginning of one.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Client } from './clients/client.ts';
import { goClients } from './clients/go.ts';
import { javaClients } from './clients/java.ts';
import { checks, runCheck } from './clients/checks.ts';
import { phpClients } from './clients/php.ts';
import { pythonClients } from './clients/python.ts';
import { page, quickStarts, runQuickStarts } from './clients/quick-starts.ts';
import { type LiveService, startLiveService } from './clients/service.ts';
import { isGood, outcomeOf, type Result, type Row, tableOf, withTable } from './clients/table.ts';
import { rustClients } from './clients/rust.ts';
import { typescriptClients } from './clients/typescript.ts';
import { prepareFolder, has, run, StepFailed } from './clients/sandbox.ts';

const all: readonly Client[] = [
  ...typescriptClients,
  ...pythonClients,
  ...goClients,
  ...javaClients,
  ...rustClients,
  ...phpClients,
];

/** Makes a client and runs its session; never rejects for a fault of the client. */
async function tryOut(client: Client, service: LiveService): Promise<Row> {
  const { name, version, advice } = client;
  const missing = client.needs.filter(program => !has(program));
  if (missing.length > 0) return { name, version, outcome: `not run: no ${missing.join(', ')}`, advice };
  const folder = await prepareFolder(name.replaceAll(/[^\w-]+/g, '-'));
  try {
    await client.make(folder);
    await service.prepare(folder);
    const printed = await run(folder, client.session(folder), { mayFail: true });
    return { name, version, outcome: outcomeOf(printed), advice };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return { name, version, outcome: `failed: ${error.message}`, advice };
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
  });
  const only = values.only?.toLowerCase().split(',');
  const isChosen = (...names: string[]) =>
    only === undefined || names.some(name => only.some(start => name.toLowerCase().startsWith(start)));
  const rows: Row[] = [];
  const service = await startLiveService();
  try {
    for (const client of all.filter(({ name, language }) => isChosen(name, language))) {
      const row = await tryOut(client, service);
      console.log(`${row.name}: ${row.outcome}`);
      rows.push(row);
    }
    for (const check of checks.filter(({ name }) => isChosen(name, 'checks'))) {
      const row = await runCheck(check);
      console.log(`${row.name}: ${row.outcome}`);
      rows.push(row);
    }
  } finally {
    await service.stop();
  }
  const starts = await runQuickStarts(quickStarts.filter(({ name, heading }) => isChosen(name, heading)));
  if (rows.length + starts.length === 0)
    throw new Error(`there is no language, generator, check or quick start ${values.only}`);
  console.log(`\n${tableOf(rows)}`);
  await compare(rows, starts, values.write && only === undefined);
}

/** Compares the rows with those of the page, or puts them there. A client that did not run is no fault here. */
async function compare(rows: readonly Row[], starts: readonly Result[], write: boolean): Promise<void> {
  const text = await readFile(page, 'utf8');
  if (write) await writeFile(page, withTable(text, rows));
  const isRun = ({ outcome }: Result) => !outcome.startsWith('not run');
  const results = [...rows, ...starts];
  const ran = results.filter(isRun);
  const broken = ran.filter(result => !isGood(result));
  const strange = write
    ? []
    : rows.filter(row => isRun(row) && !text.includes(tableOf([row]).split('\n').at(-1)!));
  for (const { name } of strange) console.error(`docs/clients.md has another row of ${name}`);
  console.log(
    `clients: ${ran.length - broken.length} are good, ${broken.length} are not, ${results.length - ran.length} not run`,
  );
  if (broken.length > 0 || strange.length > 0) process.exitCode = 1;
}

await main();
