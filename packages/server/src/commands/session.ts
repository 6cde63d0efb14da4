import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import type { CommandContext, CommandDefinition, CommandInput, CommandResult } from './command.ts';

/** The streams and signals of the process. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Connections of an operator command: one works, one may wait for it. */
const commandPoolSize = 2;

/** What the shell reports for a program that Ctrl-C ended. */
const interruptedCode = 130;

/** One run of one command: gives it what it needs, and takes down what it opened. */
export class CommandSession implements CommandContext {
  readonly config: Config;
  readonly json: boolean;
  readonly version: string;
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly #stdout: NodeJS.WriteStream;
  #database: Promise<Database> | undefined;

  constructor(config: Config, terminal: Terminal & { json: boolean; version: string }) {
    this.config = config;
    this.json = terminal.json;
    this.version = terminal.version;
    this.stderr = terminal.stderr;
    this.signal = terminal.signal;
    this.#stdout = terminal.stdout;
  }

  openDatabase(poolSize: number = commandPoolSize): Promise<Database> {
    this.#database ??= openMigrated(this, poolSize);
    return this.#database;
  }

  print(result: CommandResult): void {
    this.#stdout.write(`${this.json ? JSON.stringify(result.json) : result.text}\n`);
  }

  /** Runs the command, prints its result and returns the exit code. Errors are those of the command. */
  async run(definition: CommandDefinition, input: CommandInput): Promise<number> {
    const running = definition.run(this, input);
    try {
      const result = definition.endsItself
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
async function openMigrated({ config, stderr, signal }: CommandContext, poolSize: number): Promise<Database> {
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
export function databasePlace({ databaseUrl, dataDirectory }: Config): {
  databaseUrl?: string;
  dataDirectory: string;
} {
  return databaseUrl === null ? { dataDirectory } : { databaseUrl, dataDirectory };
}
