import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runKontor as run } from '../../packages/server/test/support/service/kontor.ts';

/** The script of the command `kontor`. */
export const program = fileURLToPath(import.meta.resolve('../../packages/server/bin/kontor.js'));

/** What `kontor` is run with. */
export interface Environment {
  /** A folder for whatever it and the harness write. */
  readonly folder: string;
  readonly databaseUrl: string;
}

/** The environment of `kontor`, the same for all commands and the service. */
export function variables({ folder, databaseUrl }: Environment): Record<string, string> {
  return {
    PATH: process.env.PATH!,
    DATABASE_URL: databaseUrl,
    KONTOR_DATA_DIR: path.join(folder, 'data'),
    KONTOR_KEY_PEPPER: 'the pepper of the faults, and no secret',
  };
}

/** Runs a command of the operator to its end, and answers what it printed. @throws Error when it fails. */
export async function runKontor<Result>(environment: Environment, ...args: string[]): Promise<Result> {
  const { exitCode, json } = await run(args, { variables: variables(environment) });
  if (exitCode !== 0) throw new Error(`kontor ${args.slice(0, 2).join(' ')} ended with ${exitCode}`);
  return json as Result;
}
