import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigError, type SettingName, settings } from '../../config.ts';
import { type CommandDefinition, CommandError, type Parameter } from './command.ts';
import type { Invocation, Terminal } from './run.ts';

/** Everything of the process that the program may use. */
export interface ProgramInput extends Terminal {
  /** Without node and script. */
  readonly arguments: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** One parsed call of a command. */
type Call = Pick<Invocation, 'input' | 'settings' | 'json'>;

/** Runs `kontor` and returns the exit code: 0, 1 on an error, or what the command says. */
export async function runProgram(
  definitions: readonly CommandDefinition[],
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
  declareCommands(program, definitions, async (definition, call) => {
    exitCode = await definition.execute({ ...input, ...call });
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
  organization: 'Organizations, which are the customers',
  tenant: 'Tenants, which are the companies of an organization',
  division: 'Divisions of a tenant',
  key: 'API keys',
  'platform-token': 'Tokens of the platform API',
  audit: 'The audit: who did what, and when',
  user: 'Users of the portal',
  mail: 'Mails that Kontor sends',
  employee: 'Employees',
  order: 'Orders of employees',
  incident: 'Incidents of employees',
  document: 'Payroll export documents',
  payroll: 'Payroll runs: what is exported is what is owed',
  import: 'Import data from files',
};

const serviceHeading = 'The service:';
const groupsHeading = 'What it has, each with commands of its own:';
const moreHeading = 'More:';
const settingsHeading = 'Settings:';

/** Declares commands to commander; `run` is called with the one that was chosen. */
export function declareCommands(
  program: Command,
  definitions: readonly CommandDefinition[],
  run: (definition: CommandDefinition, call: Call) => Promise<void>,
): void {
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
const serviceCommands: ReadonlySet<string> = new Set(['demo', 'serve', 'migrate', 'backup', 'restore']);

function addCommand(
  parent: Command,
  word: string,
  definition: CommandDefinition,
  run: (definition: CommandDefinition, call: Call) => Promise<void>,
): void {
  const { name, summary, input = {}, settings: settingNames } = definition;
  const command = parent.command(word).description(summary).allowExcessArguments(false);
  if (serviceCommands.has(name)) command.helpGroup(serviceHeading);
  for (const [key, parameter] of Object.entries(input)) addParameter(command, key, parameter);
  for (const setting of settingNames) addSetting(command, setting);
  command.option('--json', 'Print one JSON object to stdout; logs go to stderr');
  command.addHelpText('after', `\nExample:\n  kontor ${definition.example}`);
  command.action(() => {
    checkRequired(command, definition);
    return run(definition, callOf(command, definition));
  });
}

const isOption = ({ flags }: Parameter<unknown>) => flags.startsWith('--');

function addParameter(command: Command, key: string, parameter: Parameter<unknown>): void {
  const { flags, description, required, parse } = parameter;
  if (!isOption(parameter)) return void command.argument(flags, description, parse && parser(parse));
  const meaning = required ? `${description} (required)` : description;
  const option = new Option(flags, meaning);
  option.attributeName = () => key;
  const collect = option.variadic ? repeated(parse ?? (text => text)) : parse;
  command.addOption(collect ? option.argParser(parser(collect)) : option);
}

/** Commander would report a missing option before an unknown one, which is often the same option misspelt. */
function checkRequired(command: Command, { input = {} }: CommandDefinition): void {
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
    row.default === null ? `variable ${row.variable}` : `variable ${row.variable}, default ${row.default}`;
  const option = new Option(`--${row.option} <${row.placeholder}>`, `${row.meaning} (${origin})`);
  option.attributeName = () => settingKey(name);
  option.helpGroup(settingsHeading);
  command.addOption(option);
}

/** Returns the parsed arguments, options and settings of a command. */
function callOf(command: Command, { input: declared = {}, settings: names }: CommandDefinition): Call {
  const options = command.opts<Record<string, unknown>>();
  const given = [...command.processedArgs];
  const input = Object.entries(declared).map(([key, parameter]): [string, unknown] => [
    key,
    (isOption(parameter) ? options[key] : given.shift()) ?? parameter.absent,
  ]);
  const chosen = names.map(name => [name, options[settingKey(name)]] as const);
  return {
    input: Object.fromEntries(input),
    settings: Object.fromEntries(chosen.filter(([, text]) => text !== undefined)),
    json: options['json'] === true,
  };
}

/** Wraps a parser for commander, which expects its own error. */
function parser(
  parse: (text: string, previous?: unknown) => unknown,
): (text: string, previous: unknown) => unknown {
  return (text, previous) => {
    try {
      return parse(text, previous);
    } catch (error) {
      if (error instanceof CommandError || error instanceof ConfigError)
        throw new InvalidArgumentError(error.message.replace(/^e/, 'E'));
      throw error;
    }
  };
}

function repeated(parse: (text: string) => unknown): (text: string, previous?: unknown) => unknown[] {
  return (text, previous) => [...((previous as unknown[] | undefined) ?? []), parse(text)];
}

/** Renders an error of commander with its suggestion, or says where to look where there is none. */
function inOneLine(error: string): string {
  const line = error.replace(/\n\((.*)\)$/, '. $1');
  return line.endsWith("'") && line.startsWith('error: unknown command')
    ? `${line}: "kontor --help" lists those that there are`
    : line;
}

/** `help key create` as `key create --help`: commander knows only one word behind `help`. */
function helpLast([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  return first === 'help' && rest.length > 1 ? [...rest, '--help'] : [first, ...rest];
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
