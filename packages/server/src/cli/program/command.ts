import type { Config, SettingName } from '../../config.ts';
import type { Database, Pool } from '../../db/connect.ts';

/** An argument or an option of one command. Made by {@link argument}, {@link option} and their siblings. */
export interface Parameter<Value> {
  /** As commander writes it: `<file>`, `[id]`, `--name <name>`, `--tenant <id...>` (repeatable), `--all` (boolean). */
  readonly flags: string;
  readonly description: string;
  readonly required: boolean;
  /** The value when it was not given. */
  readonly absent?: unknown;
  /** Parses one occurrence. @throws CommandError with a message that says what is expected. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Only for the compiler: the type of the parsed value. */
  readonly type?: Value;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The parsed values of parameters. */
export type ValuesOf<Input extends Parameters> = {
  readonly [Name in keyof Input]: Input[Name] extends Parameter<infer Value> ? Value : never;
};

/** Flags, description, and the parser of one occurrence; without it the value is the text. */
type Declared<Value> = readonly [flags: string, description: string, parse?: (text: string) => Value];

/** A positional argument: `<file>`. */
export function argument<Value = string>(
  ...[flags, description, parse]: Declared<Value>
): Parameter<NoInfer<Value>> {
  return { flags, description, required: true, parse };
}

/** A positional argument that may be left out: `[id]`. */
export function optionalArgument<Value = string>(
  ...[flags, description, parse]: Declared<Value>
): Parameter<NoInfer<Value> | undefined> {
  return { flags, description, required: false, parse };
}

/** An option with a value: `--name <name>`. */
export function option<Value = string>(
  ...[flags, description, parse]: Declared<Value>
): Parameter<NoInfer<Value> | undefined> {
  return { flags, description, required: false, parse };
}

/** An option with a value that must be given. */
export function requiredOption<Value = string>(
  ...[flags, description, parse]: Declared<Value>
): Parameter<NoInfer<Value>> {
  return { flags, description, required: true, parse };
}

/** An option that may be given several times: `--tenant <id...>`. */
export function repeatedOption<Value = string>(
  ...[flags, description, parse]: Declared<Value>
): Parameter<readonly NoInfer<Value>[]> {
  return { flags, description, required: false, absent: [], parse };
}

/** An option without a value: `--all`. */
export function flag(flags: string, description: string): Parameter<boolean> {
  return { flags, description, required: false, absent: false };
}

/**
 * The context that a command runs in. The runner closes what it opened and prints its result. `Name`: the settings that the
 * command lists. `config` has no others, so that a forgotten one does not compile.
 */
export interface CommandContext<Name extends SettingName = never> {
  readonly config: Pick<Config, Name>;
  /** Variables that look like settings of Kontor and are none. The runner prints a warning, unless the command `logsJson`. */
  readonly unknownVariables: readonly string[];
  /** Whether `--json` was given: progress and hints are then not for stdout. */
  readonly json: boolean;
  /** The version of Kontor. */
  readonly version: string;
  readonly stdin: NodeJS.ReadStream;
  /** The stream for progress and questions: `isTTY` says whether a person watches. */
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM; the runner then closes the database under the command and exits, unless it `stopsItself`. */
  readonly signal: AbortSignal;
  /** The listening socket that systemd passed to this process, as a file descriptor; null without one. */
  readonly socket: number | null;
  /** Opens the database of the configuration once, and brings its schema up to date. */
  openDatabase(this: DatabaseOpener): Promise<Database>;
  /** Opens the database of the configuration once, as it is. */
  openWithoutMigration(this: DatabaseOpener, options: { readonly mustExist: boolean }): Promise<Database>;
  /** Prints a result to stdout. Only a command that goes on afterwards, such as `serve`, calls it itself. */
  print(result: CommandResult): void;
}

type DatabaseOpener = Pick<CommandContext, 'openWithoutMigration'> & { readonly config: DatabaseConfig };

export interface CommandResult {
  /** The one object that `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The text for people. */
  readonly text: string;
  /** 0 when absent. */
  readonly exitCode?: number;
}

/** The exit code of a command that did its work and reports something for a person: rejected rows, damage, questions. */
export const attentionCode = 2;

/** One subcommand, as its file declares it; `commands.ts` has its name. */
export interface CommandDeclaration<Name extends SettingName, Input extends Parameters> {
  readonly summary: string;
  /** A call of it, without `kontor`; its help ends with it. */
  readonly example: string;
  /** Arguments in their order, and options, by the name that `run` receives. */
  readonly input?: Input;
  /** The configuration that it reads, offered as options too. */
  readonly settings: readonly Name[];
  /** Settings that it rejects and reads all the same: their variables may be set, and they are not offered as options. */
  readonly rejectedSettings?: readonly SettingName[];
  /** The command runs until Ctrl-C and ends by itself, in order, when the signal of the context is aborted. */
  readonly stopsItself?: boolean;
  /** Its stderr is a log of JSON lines: it logs `unknownVariables` itself. */
  readonly logsJson?: boolean;
  /** An empty data folder gets a database. Other commands reject it, as its path is probably wrong. */
  readonly createsDatabase?: boolean;
  /** Its result, which the runner prints; null when it has printed by itself. */
  run(context: CommandContext<Name>, input: ValuesOf<Input>): Promise<CommandResult | null>;
}

/** Any subcommand. */
export type CommandDefinition = CommandDeclaration<SettingName, Parameters>;

/** Defines a command. The types of its configuration and of its input follow from what it declares. */
export function defineCommand<Name extends SettingName, Input extends Parameters = Record<string, never>>(
  declaration: CommandDeclaration<Name, Input>,
): CommandDeclaration<Name, Input> {
  return declaration;
}

/** The settings that say where the database is. */
export type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDirectory'>;

/** The settings of every command that works on the database. */
export const databaseSettings = [
  'databaseUrl',
  'dataDirectory',
  'logLevel',
] as const satisfies readonly SettingName[];

/** The settings of a command that reads or stores files. */
export const fileSettings = ['filesUrl', 'fileTimeout'] as const satisfies readonly SettingName[];

/** The context of a command that works on the database, which is open. */
export type DatabaseContext<Name extends SettingName = never> = CommandContext<
  Name | (typeof databaseSettings)[number]
> & { readonly db: Pool };

/** A command that works on the database. `settings`: those that it reads besides those of the database. */
interface DatabaseCommandDeclaration<
  Name extends SettingName,
  Input extends Parameters,
  Checked,
> extends Omit<CommandDeclaration<Name, Input>, 'settings' | 'run'> {
  readonly settings?: readonly Name[];
  /** Rejects what is wrong whatever the database has, and returns what `run` needs of it: a rejected call creates no embedded database. */
  check?(input: ValuesOf<Input>): Checked | Promise<Checked>;
  run(context: DatabaseContext<Name>, input: ValuesOf<Input>, checked: Checked): Promise<CommandResult>;
}

/** Defines a command that works on the database, which is opened after its check and before it runs. */
export function defineDatabaseCommand<
  Input extends Parameters = Record<string, never>,
  Name extends SettingName = never,
  Checked = void,
>(declaration: DatabaseCommandDeclaration<Name, Input, Checked>) {
  const settings = [...databaseSettings, ...(declaration.settings ?? [])];
  return defineCommand({
    ...declaration,
    settings,
    async run(context: CommandContext<(typeof settings)[number]>, input: ValuesOf<Input>) {
      const checked = (await declaration.check?.(input)) as Checked;
      const { writes: db } = await context.openDatabase();
      return await declaration.run({ ...context, db }, input, checked);
    },
  });
}

/** An error for the person at the terminal: its message is the one line that is printed; the exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
