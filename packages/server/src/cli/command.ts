import type { Config, SettingName } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { type Invocation, runCommand } from './session.ts';

/** An option of one command that is no configuration: it says what to do, not how the program is set up. */
export interface CommandOption {
  /** As commander writes it: `--name <name>`, `--tenant <id...>` (repeatable: the value is an array), `--all` (boolean). */
  readonly flags: string;
  readonly description: string;
  readonly required?: boolean;
  /** The value of one occurrence. @throws CommandError with a message that says what is expected. */
  readonly parse?: (text: string) => unknown;
}

/** A positional argument, e.g. `<FILE>`, or `[ID]` when it may be left out. */
export interface CommandArgument {
  readonly name: string;
  readonly description: string;
  readonly parse?: (text: string) => unknown;
}

/**
 * What a command is run with. The runner closes what the command opened and prints its result. `Name`: the settings that the
 * command lists. There are no others in `config`, so that a forgotten one does not compile.
 */
export interface CommandContext<Name extends SettingName = never> {
  readonly config: Pick<Config, Name>;
  /** Variables that look like settings of Kontor and are none. The runner prints a warning, unless the command `logsJson`. */
  readonly unknownVariables: readonly string[];
  /** Whether `--json` was given: progress and hints are then not for stdout. */
  readonly json: boolean;
  /** The version of Kontor. */
  readonly version: string;
  /** Where progress goes: stderr; `isTTY` says whether anybody watches. */
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM; the runner then closes the database under the command and exits, unless it `endsItself`. */
  readonly signal: AbortSignal;
  /** Opens the database of the configuration, with its tables, once; `poolSize` connections (2). */
  openDatabase(this: { readonly config: DatabaseConfig }, poolSize?: number): Promise<Database>;
  /** Prints a result to stdout. Only a command that goes on afterwards, such as `serve`, calls it itself. */
  print(result: CommandResult): void;
}

export interface CommandInput {
  /** Positional arguments in order, each parsed. */
  readonly arguments: readonly unknown[];
  /** Options by camel-cased name, each parsed; those that were not given are missing. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface CommandResult {
  /** The one object that `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What people read instead. */
  readonly text: string;
  /** 0 when absent. */
  readonly exitCode?: number;
}

/** What people see of a subcommand. */
interface CommandOutline {
  /** Words after `kontor`, e.g. `import employees`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** The command runs until Ctrl-C and ends by itself, in order, when the signal of the context is aborted. */
  readonly endsItself?: boolean;
  /** Its stderr is a log of JSON lines: it logs `unknownVariables` itself. */
  readonly logsJson?: boolean;
}

/** One subcommand, as its file declares it. */
export interface CommandDeclaration<Name extends SettingName> extends CommandOutline {
  /** The configuration that it reads, offered as options too. */
  readonly settings: readonly Name[];
  /** Its result, which the runner prints; null when it has printed by itself. */
  run(context: CommandContext<Name>, input: CommandInput): Promise<CommandResult | null>;
}

/** One subcommand, as main.ts turns it into a commander command. */
export interface CommandDefinition extends CommandOutline {
  readonly settings: readonly SettingName[];
  /** Reads the configuration, runs the command, prints its result or error, and returns the exit code. */
  execute(invocation: Invocation): Promise<number>;
}

/** The command of a declaration. The type of its configuration follows from the settings that it lists. */
export function defineCommand<Name extends SettingName>(
  declaration: CommandDeclaration<Name>,
): CommandDefinition & CommandDeclaration<Name> {
  return { ...declaration, execute: invocation => runCommand(declaration, invocation) };
}

/** A refusal for the person at the terminal: its message is the one line that is printed; the exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const idPattern = /^[0-9a-fA-F]{24}$/;

/** An identifier from the command line, in lower case. */
export function parseId(text: string): string {
  if (!idPattern.test(text)) throw new CommandError('expected an identifier of 24 hexadecimal characters');
  return text.toLowerCase();
}

/** The form of an address; the contract of the API looks closer. */
export function parseEmail(text: string): string {
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u.test(text) || [...text].length > 254)
    throw new CommandError('expected an e-mail address');
  return text;
}

/** The key that a command is about. */
export const keyArgument: CommandArgument = {
  name: '<id>',
  description: 'The identifier of the key, 12 letters and digits',
  parse(text) {
    const [, id] = /^(?:kontor_)?([0-9A-Za-z]{12})$/.exec(text) ?? [];
    if (id === undefined) throw new CommandError('expected the 12 letters and digits of a key identifier');
    return id;
  },
};

/** The settings of every command that works on the database. */
export const databaseSettings = [
  'databaseUrl',
  'dataDirectory',
  'logLevel',
] as const satisfies readonly SettingName[];

/** What says where the database is. */
export type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDirectory'>;

/** The context of a command that works on the database. */
export type DatabaseContext = CommandContext<(typeof databaseSettings)[number]>;
