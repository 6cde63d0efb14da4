// npm run examples: asks a live service for every example of the contract and writes down what it answers. Needs no more than the
// tests do. Run `npm run generate` afterwards, which puts the answers into the documents.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { Recorded } from '@kontor/contract';
import { recordPlatformExamples } from '../packages/server/test/examples/platform-scenario.ts';
import { recordExamples } from '../packages/server/test/examples/scenario.ts';

/** Writes down what a service has answered. */
async function write(name: string, recorded: Recorded): Promise<void> {
  const file = fileURLToPath(new URL(`../packages/contract/src/examples/${name}.json`, import.meta.url));
  const options = { ...(await resolveConfig(file)), parser: 'json' };
  await writeFile(file, await format(JSON.stringify(recorded), options));
  const { operations, errors } = recorded;
  console.log(
    `Written: ${name}, ${Object.keys(operations).length} operations, ${Object.keys(errors).length} errors`,
  );
}

try {
  await write('public', await recordExamples());
  await write('platform', await recordPlatformExamples());
} catch (error) {
  // Node prints neither the error of the run nor that of the clean-up after it.
  if (error instanceof SuppressedError) console.error(error.suppressed, error.error);
  throw error;
}
