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
  const output = await run(process.execPath, [
    join(import.meta.dirname, '../packages/server/bin/kontor.js'),
    ...[
      'key',
      'create',
      '--organization',
      organization,
      '--name',
      'bench',
      '--all',
      '--quota',
      '900000000/60',
    ],
    ...['--data-dir', dataDirectory, '--json'],
  ]);
  return (JSON.parse(output.slice(output.indexOf('{'))) as { key: string }).key;
}
