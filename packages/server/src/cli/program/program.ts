import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { ConfigError, type SettingName, settings } from '../../config.ts';
import { type CommandDefinition, CommandError, type Parameter } from './command.ts';
import type { Invocation } from './run.ts';

/** The parsed arguments and options of a call. */
type Call = Pick<Invocation, 'input' | 'settings' | 'json'>;

/** Everything of the process that the program may use. */
export interface ProgramInput extends Omit<Invocation, keyof Call> {
  /** Without node and script. */
  readonly arguments: readonly string[];
}

const outlines = new URL('../../../data/commands.json', import.meta.url);

/** The words of one subcommand, as `data/commands.json` has them. */
export interface CommandOutline extends Pick<
  CommandDefinition,
  'summary' | 'example' | 'settings' | 'rejectedSettings'
> {
  /** Words after `kontor`, e.g. `import employees`. */
  readonly name: string;
  readonly input?: Readonly<Record<string, Pick<Parameter<unknown>, 'flags' | 'description' | 'required'>>>;
}

/**
 * Reads the words of all commands. Their modules need 0.6 s of processor time to load, those of a group 0.3 s, and a shell asks for the
 * completion whenever it starts.
 */
export function readOutlines(): readonly CommandOutline[] {
  return JSON.parse(readFileSync(outlines, 'utf8')) as CommandOutline[];
}

/** Runs `kontor` and returns the exit code: 0, 1 on an error, or what the command says. */
export async function runProgram(
  load: (name: string) => Promise<CommandDefinition>,
  input: ProgramInput,
): Promise<number> {
  let exitCode = 0;
  const program = new Command('kontor')
    .version(input.version, '-V, --version', 'Print the version')
    .configureOutput({
      outputError: (text, write) => write(`${inOneLine(text.trim())}\n`),
      writeOut: text => void input.stdout.write(text),
      writeErr: text => void input.stderr.write(text),
    });
  declareCommands(program, readOutlines(), async ({ name }, command) => {
    const definition = await load(name);
    const call = callOf(command, definition);
    // Loaded here: it brings errors of the database, which the words of a command do not need.
    const { runCommand } = await import('./run.ts');
    exitCode = await runCommand(definition, { ...input, ...call });
  });
  try {
    await program.parseAsync(withoutIdleHelp(program, helpLast(input.arguments)), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}

/** Descriptions of the words that several commands begin with. */
const groups: Readonly<Record<string, string>> = {
  files: 'Files of the whole installation',
  maintenance: 'Read-only maintenance',
  pepper: 'Rotation of the pepper, the secret of the key hashes',
  organization: 'Organizations (customers)',
  tenant: 'Tenants (companies) of an organization',
  division: 'Divisions of a tenant',
  key: 'API keys',
  'platform-token': 'Tokens of the platform API',
  audit: 'The audit log: changes, actors and times',
  user: 'Users of the portal',
  mail: 'Mails that Kontor sends',
  employee: 'Employees',
  order: 'Orders of employees',
  incident: 'Incidents of employees',
  document: 'Payroll export documents',
  payroll: 'Payroll runs',
  import: 'Import data from files',
};

type Run = (chosen: CommandOutline, command: Command) => Promise<void>;

const serviceHeading = 'The service:';
const groupsHeading = 'Resources, each with its commands:';
const moreHeading = 'More:';
const settingsHeading = 'Settings:';

/** Declares commands to commander; `run` is called with the one that was chosen. */
export function declareCommands(program: Command, definitions: readonly CommandOutline[], run: Run): void {
  program
    .description('The Kontor service and its operator commands')
    .helpOption('-h, --help', 'Show this help')
    .commandsGroup(moreHeading)
    .helpCommand('help [command]', 'Show the help of a command')
    .exitOverride();
  for (const definition of definitions) {
    const [first, second] = definition.name.split(' ') as [string, string?];
    const parent = second === undefined ? program : findOrAddGroup(program, first);
    addCommand(parent, second ?? first, definition, run);
  }
}

function findOrAddGroup(program: Command, name: string): Command {
  const existing = program.commands.find(command => command.name() === name);
  return (
    existing ??
    program
      .command(name)
      .description(groups[name] ?? name)
      .helpGroup(groupsHeading)
  );
}

/** Commands about the service and its database as a whole. */
const serviceCommands: ReadonlySet<string> = new Set([
  'demo',
  'serve',
  'migrate',
  'backup',
  'restore',
  'verify',
]);

function addCommand(parent: Command, word: string, outline: CommandOutline, run: Run): void {
  const { name, summary, input = {}, settings: settingNames, rejectedSettings = [] } = outline;
  const command = parent.command(word).description(summary).allowExcessArguments(false);
  if (serviceCommands.has(name)) command.helpGroup(serviceHeading);
  for (const [key, parameter] of Object.entries(input)) addParameter(command, key, parameter);
  // Before the settings: the help shows groups of options in the order of their first ones.
  command.option('--json', 'Print one JSON object to stdout; logs go to stderr');
  for (const setting of settingNames) if (!rejectedSettings.includes(setting)) addSetting(command, setting);
  command.addHelpText('after', `\nExample:\n  kontor ${outline.example}`);
  command.action(() => {
    checkRequired(command, outline);
    return run(outline, command);
  });
}

type Outlined = NonNullable<CommandOutline['input']>[string];

const isOption = ({ flags }: Outlined) => flags.startsWith('--');

function addParameter(command: Command, key: string, parameter: Outlined): void {
  const { flags, description, required } = parameter;
  if (!isOption(parameter)) return void command.argument(flags, description);
  const meaning = required ? `${description} (required)` : description;
  const option = new Option(flags, meaning);
  option.attributeName = () => key;
  command.addOption(option);
}

/** Commander would report a missing option before an unknown one, which is often the same option misspelt. */
function checkRequired(command: Command, { input = {} }: CommandOutline): void {
  const options = command.opts<Record<string, unknown>>();
  for (const [key, parameter] of Object.entries(input))
    if (isOption(parameter) && parameter.required && options[key] === undefined)
      command.error(`error: required option '${parameter.flags}' not specified`);
}

/** The key of a setting among the options of commander, apart from those of the command. */
const settingKey = (name: SettingName) => `setting:${name}`;

function addSetting(command: Command, name: SettingName): void {
  const row = settings[name];
  if (!('option' in row)) return;
  const origin =
    row.default === undefined
      ? `variable ${row.variable}`
      : `variable ${row.variable}, default ${row.default}`;
  const option = new Option(`--${row.option} <${row.placeholder}>`, `${row.meaning} (${origin})`);
  option.attributeName = () => settingKey(name);
  option.helpGroup(settingsHeading);
  command.addOption(option);
}

/** Returns the parsed arguments, options and settings of a command. */
function callOf(command: Command, { input: declared = {}, settings: names }: CommandDefinition): Call {
  const options = command.opts<Record<string, unknown>>();
  const given = [...command.processedArgs];
  const input = Object.entries(declared).map(([key, parameter]): [string, unknown] => {
    const value: unknown = isOption(parameter) ? options[key] : given.shift();
    return [key, value === undefined ? parameter.absent : parseValue(command, parameter, value)];
  });
  const chosen = names.map(name => [name, options[settingKey(name)]] as const);
  return {
    input: Object.fromEntries(input),
    settings: Object.fromEntries(chosen.filter(([, text]) => text !== undefined)),
    json: options['json'] === true,
  };
}

/** Parses what was given for a parameter: `true` for a flag, a list for a repeated option, or one text. */
function parseValue(command: Command, { flags, parse }: Parameter<unknown>, value: unknown): unknown {
  if (parse === undefined || value === true) return value;
  const parseOne = (text: string) => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof ConfigError)) throw error;
      return command.error(`error: '${text}' is invalid for ${flags}: ${error.message}`);
    }
  };
  return Array.isArray(value) ? (value as string[]).map(parseOne) : parseOne(value as string);
}

/** Renders an error of commander with its suggestion, or says where to look where there is none. */
function inOneLine(error: string): string {
  const line = error.replace(/\n\((.*)\)$/, '. $1');
  return line.endsWith("'") && line.startsWith('error: unknown command')
    ? `${line}: "kontor --help" lists the commands`
    : line;
}

/** `help key create` as `key create --help`: commander knows only one word behind `help`, and hides that there is no such command. */
function helpLast([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  return first === 'help' && rest.length > 0 ? [...rest, '--help'] : [first, ...rest];
}

/** Removes `--help` behind an unknown command: the help of the program would hide that there is no such command. */
function withoutIdleHelp(program: Command, given: readonly string[]): string[] {
  let command = program;
  for (const word of given) {
    if (command.commands.length === 0 || word.startsWith('-')) break;
    const next = command.commands.find(known => known.name() === word);
    if (!next && word !== 'help') return given.filter(argument => argument !== '--help' && argument !== '-h');
    command = next ?? command;
  }
  return [...given];
}
