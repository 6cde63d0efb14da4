import { join } from 'node:path';
import type { Population } from './seed.ts';
import { run } from './wrk.ts';

/** API keys of the benchmark, with a quota that is never reached. */
export interface Keys {
  /** Over the whole organization of the million. */
  readonly all: string;
  /** One for each of the other organizations, in their order. */
  readonly others: readonly string[];
}

/** Creates the keys with the kontor command, as an operator would. */
export async function createKeys(dataDirectory: string, population: Population): Promise<Keys> {
  const all = await createKey(dataDirectory, population.organization);
  const others: string[] = [];
  for (const { organization } of population.others) others.push(await createKey(dataDirectory, organization));
  return { all, others };
}

async function createKey(dataDirectory: string, organization: string): Promise<string> {
  const command = join(import.meta.dirname, '../packages/server/bin/kontor.js');
  const options = ['--organization', organization, '--name', 'bench', '--all', '--quota', '900000000/60'];
  const place = ['--data-dir', dataDirectory, '--json'];
  const output = await run(process.execPath, [command, 'key', 'create', ...options, ...place]);
  return (JSON.parse(output.slice(output.indexOf('{'))) as { key: string }).key;
}
