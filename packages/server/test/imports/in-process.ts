import { type CommandResult, databaseSettings } from '../../src/cli/program/command.ts';
import { importEmployeesCommand } from '../../src/cli/records/import.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/connect.ts';

type Input = Parameters<typeof importEmployeesCommand.run>[1];

/** Runs `kontor import employees` in this process, on a database that is open. */
export function importEmployeesHere(
  database: Database,
  file: string,
  options: Partial<Input>,
): Promise<CommandResult | null> {
  const context = {
    config: readConfig(databaseSettings, {}, {}),
    unknownVariables: [],
    json: true,
    version: '0.0.0',
    stdin: process.stdin,
    stderr: process.stderr,
    signal: new AbortController().signal,
    socket: null,
    openDatabase: () => Promise.resolve(database),
    openWithoutMigration: () => Promise.resolve(database),
    print: () => {},
  };
  const none = {
    tenant: undefined,
    organization: undefined,
    divisionColumn: undefined,
    map: [],
    ignore: [],
    headerRow: undefined,
    changeEmails: false,
  };
  return importEmployeesCommand.run(context, { file, ...none, ...options });
}
