import { type Config, readConfig, type SettingName } from '../config.ts';
import { type Database, openDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { checkVariables, unknownVariablesLine } from './unknown-variables.ts';
import type {
  CommandContext,
  CommandDeclaration,
  CommandInput,
  CommandResult,
  DatabaseConfig,
} from './command.ts';
import { errorLine } from './error-line.ts';

/** The streams and signals of the process. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** One call of a command, with everything of the process that it may use. */
export interface Invocation extends Terminal {
  readonly input: CommandInput;
  /** Settings that were given as options. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly version: string;
}

/** Reads the configuration, runs the command, prints its result or its error, and returns the exit code. */
export async function runCommand<Name extends SettingName>(
  declaration: CommandDeclaration<Name>,
  invocation: Invocation,
): Promise<number> {
  let debug = false;
  try {
    const unknownVariables = checkVariables(invocation.variables);
    const config = readConfig(declaration.settings, invocation.settings, invocation.variables);
    debug = 'logLevel' in config && config.logLevel === 'debug';
    if (unknownVariables.length > 0 && !declaration.logsJson)
      invocation.stderr.write(`warning: ${unknownVariablesLine(unknownVariables)}\n`);
    const session = new CommandSession(config, unknownVariables, invocation);
    return await session.run(declaration, invocation.input);
  } catch (error) {
    invocation.stderr.write(`${errorLine(error, debug)}\n`);
    return 1;
  }
}

/** Connections of an operator command: one works, one may wait for it. */
const commandPoolSize = 2;

/** What the shell reports for a program that Ctrl-C ended. */
const interruptedCode = 130;

/** One run of one command: gives it what it needs, and takes down what it opened. */
class CommandSession<Name extends SettingName> implements CommandContext<Name> {
  readonly config: Pick<Config, Name>;
  readonly unknownVariables: readonly string[];
  readonly json: boolean;
  readonly version: string;
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly #stdout: NodeJS.WriteStream;
  #database: Promise<Database> | undefined;

  constructor(config: Pick<Config, Name>, unknownVariables: readonly string[], invocation: Invocation) {
    this.config = config;
    this.unknownVariables = unknownVariables;
    this.json = invocation.json;
    this.version = invocation.version;
    this.stderr = invocation.stderr;
    this.signal = invocation.signal;
    this.#stdout = invocation.stdout;
  }

  openDatabase(
    this: CommandSession<keyof DatabaseConfig>,
    poolSize: number = commandPoolSize,
  ): Promise<Database> {
    this.#database ??= openMigrated(this, poolSize);
    return this.#database;
  }

  print(result: CommandResult): void {
    this.#stdout.write(`${this.json ? JSON.stringify(result.json) : result.text}\n`);
  }

  /** Runs the command, prints its result and returns the exit code. Errors are those of the command. */
  async run(declaration: CommandDeclaration<Name>, input: CommandInput): Promise<number> {
    const running = declaration.run(this, input);
    try {
      const result = declaration.endsItself
        ? await running
        : await Promise.race([running, this.#interrupted()]);
      if (result === 'interrupted') return interruptedCode;
      if (result) this.print(result);
      return result?.exitCode ?? 0;
    } finally {
      // What an interrupted command still does fails now and is of no interest.
      running.catch(() => {});
      await this.#close();
    }
  }

  #interrupted(): Promise<'interrupted'> {
    const { promise, resolve } = Promise.withResolvers<'interrupted'>();
    if (this.signal.aborted) resolve('interrupted');
    else this.signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
    return promise;
  }

  async #close(): Promise<void> {
    const database = await this.#database?.catch(() => undefined);
    await database?.close();
  }
}

/** Every command brings the schema up to date first, so that it works on an empty database too. */
async function openMigrated(
  { config, stderr, signal }: CommandContext<keyof DatabaseConfig>,
  poolSize: number,
): Promise<Database> {
  const database = await openDatabase({ ...databasePlace(config), poolSize, owner: 'command' });
  try {
    await migrate(database, { log: line => void stderr.write(`${line}\n`), signal });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Where the configuration says that the database is. */
export function databasePlace({ databaseUrl, dataDirectory }: DatabaseConfig): {
  databaseUrl?: string;
  dataDirectory: string;
} {
  return databaseUrl === null ? { dataDirectory } : { databaseUrl, dataDirectory };
}
