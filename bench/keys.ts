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

/** Creates a key over a whole organization, with requests/seconds as its quota. */
export async function createKey(
  dataDirectory: string,
  organization: string,
  quota = '900000000/60',
): Promise<string> {
  const options = ['--organization', organization, '--name', 'bench', '--all', '--quota', quota];
  const { key } = await runKontor(['key', 'create', ...options, '--data-dir', dataDirectory]);
  return String(key);
}

/** Creates a platform token for all organizations. */
export async function createToken(dataDirectory: string, permissions: readonly string[]): Promise<string> {
  const given = permissions.flatMap(permission => ['--permission', permission]);
  const options = ['--name', 'bench', '--all', ...given, '--data-dir', dataDirectory];
  const { token } = await runKontor(['platform-token', 'create', ...options]);
  return String(token);
}

/** Runs a kontor command and answers what it prints as JSON. */
export async function runKontor(args: string[]): Promise<Record<string, unknown>> {
  const command = join(import.meta.dirname, '../packages/server/bin/kontor.js');
  const output = await run(process.execPath, [command, ...args, '--json']);
  return JSON.parse(output.slice(output.indexOf('{'))) as Record<string, unknown>;
}
