import { readConfig, type SettingName } from '../../config.ts';
import type { Database } from '../../db/connect.ts';
import { isUnavailable } from '../../db/failure.ts';
import type { CommandContext, CommandDefinition, DatabaseConfig } from './command.ts';
import { checkVariables, unknownVariablesLine } from './unknown-variables.ts';

/** One call of a command, with everything of the process that it may use. */
export interface Invocation {
  /** Parsed arguments and options, by the names of the declaration. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Settings that were given as options. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly version: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The listening socket that systemd passed to this process, as a file descriptor. */
  readonly socket?: number | null;
}

/** Reads the configuration, runs the command, prints its result or its error, and returns the exit code. */
export async function runCommand(declaration: CommandDefinition, invocation: Invocation): Promise<number> {
  let debug = false;
  try {
    const unknownVariables = checkVariables(invocation.variables);
    const config = readConfig(declaration.settings, invocation.settings, invocation.variables);
    debug = 'logLevel' in config && config.logLevel === 'debug';
    if (unknownVariables.length > 0 && !declaration.logsJson)
      invocation.stderr.write(`warning: ${unknownVariablesLine(unknownVariables)}\n`);
    return await runWith({ config, unknownVariables }, declaration, invocation);
  } catch (error) {
    const line = errorLine(error, debug);
    const { stderr } = invocation;
    stderr.write(`${declaration.logsJson && !stderr.isTTY ? jsonLine(line) : line}\n`);
    return 1;
  }
}

/** Exit code that shells report for a program that Ctrl-C ended. */
const interruptedCode = 130;

/** Runs the command, closes what it opened, and returns the exit code. Errors are those of the command. */
async function runWith(
  read: Pick<CommandContext<SettingName>, 'config' | 'unknownVariables'>,
  declaration: CommandDefinition,
  { input, json, version, stdin, stdout, stderr, signal, socket = null }: Invocation,
): Promise<number> {
  let database: Promise<Database> | undefined;
  let migrated: Promise<unknown> | undefined;
  const context: CommandContext<SettingName> = {
    ...read,
    json,
    version,
    stdin,
    stderr,
    signal,
    socket,
    async openDatabase() {
      const opened = await this.openWithoutMigration({ mustExist: !declaration.createsDatabase });
      const { migrate } = await import('../../db/migrate.ts');
      // First of all, so that every command works on an empty server too.
      await (migrated ??= migrate(opened, { log: line => void stderr.write(`${line}\n`), signal }));
      return opened;
    },
    openWithoutMigration({ mustExist }) {
      return (database ??= open({ ...databasePlace(this.config), mustExist }));
    },
    print: result => void stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`),
  };
  const running = declaration.run(context, input);
  try {
    const result = await (declaration.stopsItself ? running : Promise.race([running, interruption(signal)]));
    if (result === 'interrupted') return interruptedCode;
    if (result) context.print(result);
    return result?.exitCode ?? 0;
  } finally {
    // The database is closed under an interrupted command: the errors of its last statements do not matter.
    running.catch(() => {});
    await (await database?.catch(() => undefined))?.close();
  }
}

function interruption(signal: AbortSignal): Promise<'interrupted'> {
  const { promise, resolve } = Promise.withResolvers<'interrupted'>();
  if (signal.aborted) resolve('interrupted');
  else signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  return promise;
}

async function open(options: {
  databaseUrl?: string;
  dataDirectory: string;
  mustExist: boolean;
}): Promise<Database> {
  // Loaded when a command needs it: a shell asks for the completion whenever it starts.
  const { openDatabase } = await import('../../db/connect.ts');
  // One connection works, and one may wait for it.
  return await openDatabase({ ...options, poolSize: 2, owner: 'command' });
}

/** The place of the database that the configuration names. */
export function databasePlace({ databaseUrl, dataDirectory }: DatabaseConfig): {
  databaseUrl?: string;
  dataDirectory: string;
} {
  return databaseUrl === null ? { dataDirectory } : { databaseUrl, dataDirectory };
}

/** Renders an error for the person at the terminal: one line, or with its stack. */
export function errorLine(error: unknown, withStack: boolean): string {
  if (withStack && error instanceof Error) return `error: ${error.stack ?? error.message}`;
  return `error: ${messageOf(error).split('\n')[0]}`;
}

/** The error of a command whose stderr is a log of JSON lines, in the form of the logger. */
function jsonLine(line: string): string {
  return JSON.stringify({ level: 'fatal', time: Date.now(), msg: line.replace(/^error: /, '') });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as Error & { code?: string; port?: number; address?: string };
  if (code === 'ENOSPC') return 'the disk is full: free some space, then run the command again';
  if (code === '53100')
    return 'the disk of the database is full: free some space there, then run the command again';
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken: stop what uses it, or choose another one`;
  if (code === 'EACCES' && port !== undefined) return `port ${port} may not be used: choose one above 1023`;
  if (code === 'EADDRNOTAVAIL') return `${address} is not an address of this machine`;
  if (code === '28000' && error.message.endsWith('no encryption'))
    return `${error.message}: the server requires TLS, add ?sslmode=require (or verify-full) to DATABASE_URL`;
  if (code?.startsWith('28')) return `the database rejects the sign-in of DATABASE_URL: ${error.message}`;
  if (isUnavailable(error)) return `the database cannot be used now: ${error.message}`;
  return error.message || error.name;
}
