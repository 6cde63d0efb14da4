import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigError, type SettingName, settings } from '../config.ts';
import type { Terminal } from './session.ts';
import { type CommandDefinition, CommandError } from './command.ts';
import { groups } from './groups.ts';

/** What the program is run with: everything of the process that it may use. */
export interface ProgramInput extends Terminal {
  /** Without node and script. */
  readonly arguments: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** Runs `kontor` and returns the exit code: 0, 1 on an error, or what the command says. */
export async function runProgram(
  definitions: readonly CommandDefinition[],
  input: ProgramInput,
): Promise<number> {
  let exitCode = 0;
  const program = newProgram(input);
  for (const definition of definitions)
    addCommand(program, definition, async command => {
      exitCode = await execute(definition, command, input);
    });
  try {
    await program.parseAsync(understood(program, input.arguments), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}

function newProgram(input: ProgramInput): Command {
  return new Command('kontor')
    .description('The Kontor service and its operator commands')
    .version(input.version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show this help')
    .commandsGroup(moreHeading)
    .helpCommand('help [command]', 'Show the help of a command')
    .configureOutput({
      outputError: (text, write) => write(`${inOneLine(text.trim())}\n`),
      writeOut: text => void input.stdout.write(text),
      writeErr: text => void input.stderr.write(text),
    })
    .exitOverride();
}

/** An error with its suggestion, or where to look where there is none. */
function inOneLine(error: string): string {
  const line = error.replace(/\n\((.*)\)$/, '. $1');
  return line.endsWith("'") && line.startsWith('error: unknown command')
    ? `${line}: "kontor --help" lists those that there are`
    : line;
}

/** The arguments; without the wish for help where there is no such command, since help on something else would hide that. */
function understood(program: Command, given: readonly string[]): string[] {
  let command = program;
  for (const word of given) {
    if (command.commands.length === 0 || word.startsWith('-')) break;
    const next = command.commands.find(known => known.name() === word);
    if (!next && word !== 'help') return given.filter(argument => argument !== '--help' && argument !== '-h');
    command = next ?? command;
  }
  return [...given];
}

/** The command of a definition, below the group that its name begins with. */
function addCommand(
  program: Command,
  definition: CommandDefinition,
  action: (command: Command) => Promise<void>,
): void {
  const words = definition.name.split(' ');
  const parent = words.length === 1 ? program : group(program, words[0]!);
  const command = parent.command(words.at(-1)!).description(definition.summary);
  if (isOfService(definition)) command.helpGroup(serviceHeading);
  for (const { name, description, parse } of definition.arguments ?? [])
    command.argument(name, description, parse && parser(parse));
  for (const { flags, description, required, parse } of definition.options ?? []) {
    const meaning = required ? `${description} (required)` : description;
    const option = new Option(flags, meaning).makeOptionMandatory(required ?? false);
    const collect = flags.includes('...') ? repeated(parse ?? (text => text)) : parse;
    command.addOption(collect ? option.argParser(parser(collect)) : option);
  }
  for (const name of definition.settings) addSetting(command, name);
  command.option('--json', 'Print one JSON object to stdout; logs go to stderr');
  command.allowExcessArguments(false).action(() => action(command));
}

function group(program: Command, name: string): Command {
  const existing = program.commands.find(command => command.name() === name);
  return (
    existing ??
    program
      .command(name)
      .description(groups[name] ?? name)
      .helpGroup(groupsHeading)
  );
}

/** What stands above the commands and options of a kind in the help. */
const serviceHeading = 'The service:';
const groupsHeading = 'What it has, each with commands of its own:';
const moreHeading = 'More:';
const settingsHeading = 'Settings:';

/** Whether a command is about the service and its database as a whole. */
const isOfService = ({ name }: CommandDefinition) =>
  ['demo', 'serve', 'migrate', 'backup', 'restore'].includes(name);

/** Where the value of a setting is kept among the options of commander, apart from those of the command. */
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

/** A parser for commander, which expects its own error. */
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

/** Runs the command with what commander has parsed. */
function execute(definition: CommandDefinition, command: Command, input: ProgramInput): Promise<number> {
  const options = command.opts<Record<string, unknown>>();
  const chosen = definition.settings.map(name => [name, options[settingKey(name)]] as const);
  const given = chosen.filter((pair): pair is [SettingName, string] => pair[1] !== undefined);
  return definition.execute({
    ...input,
    input: { arguments: command.processedArgs, options },
    settings: Object.fromEntries(given),
    json: options['json'] === true,
  });
}
