import { oneOf } from '../../config.ts';
import { Command } from 'commander';
import { argument, type CommandDefinition, defineCommand } from '../program/command.ts';
import { declareCommands } from '../program/program.ts';

/** Defines `kontor completion SHELL`: a script that completes the commands as they are declared to commander. */
export function completionCommand(definitions: () => readonly CommandDefinition[]): CommandDefinition {
  return defineCommand({
    name: 'completion',
    summary: 'Print a script that completes commands and options: source <(kontor completion bash)',
    input: { shell: argument('<shell>', shells.join(', '), oneOf(shells)) },
    settings: [],
    run(_context, { shell }) {
      const program = new Command('kontor');
      declareCommands(program, definitions(), async () => {});
      const script = scripts[shell](program.commands.map(wordOf));
      return Promise.resolve({ json: { script }, text: script });
    },
  });
}

/** A word that a shell offers. */
interface Word {
  readonly name: string;
  readonly about: string;
  /** An option that is followed by a value. */
  readonly takesValue?: boolean;
}

/** A command, or a group of commands, which are then its `members`. */
interface CommandWord extends Word {
  readonly options: readonly Word[];
  readonly members: readonly CommandWord[];
}

function wordOf(command: Command): CommandWord {
  const options = command.createHelp().visibleOptions(command);
  return {
    name: command.name(),
    about: command.description(),
    options: options.map(({ long, description, required }) => ({
      name: long!,
      about: description,
      takesValue: required,
    })),
    members: command.commands.map(wordOf),
  };
}

const shells = ['bash', 'zsh', 'fish'] as const;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Renders a script for bash. Where it offers nothing, bash offers names of files. */
function bashScript(words: readonly CommandWord[]): string {
  const offer = (words: readonly Word[]) => `offered="${words.map(({ name }) => name).join(' ')}"`;
  const cases = words.map(({ name, options, members }) => {
    if (members.length === 0) return `    ${name}) ${offer(options)} ;;`;
    const inner = members.map(member => `${member.name}) ${offer(member.options)} ;;`).join(' ');
    return `    ${name}) if [ "$COMP_CWORD" -eq 2 ]; then ${offer(members)}; else case "\${COMP_WORDS[2]}" in ${inner} esac; fi ;;`;
  });
  return [
    '_kontor() {',
    '  local offered=""',
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${offer(words)}; fi`,
    '  [ "$COMP_CWORD" -gt 1 ] && case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$offered" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _kontor kontor',
  ].join('\n');
}

/** Renders a script for zsh, with descriptions. Names of files are offered where the word does not begin with a dash. */
function zshScript(words: readonly CommandWord[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  // A colon would end the name, and no name has one.
  const describe = (words: readonly Word[]) =>
    `offered=(${words.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ')})`;
  const optionCase = ({ name, options }: CommandWord) => `${name}) ${describe(options)} ;;`;
  const cases = words.map(word => {
    const { name, members } = word;
    if (members.length === 0) return `    ${optionCase(word)}`;
    return [
      `    ${name})`,
      `      if (( CURRENT == 3 )); then ${describe(members)}; _describe command offered; return; fi`,
      `      case $words[3] in ${members.map(optionCase).join(' ')} esac ;;`,
    ].join('\n');
  });
  return [
    '#compdef kontor',
    '_kontor() {',
    '  local -a offered',
    `  if (( CURRENT == 2 )); then ${describe(words)}; _describe command offered; return; fi`,
    '  case $words[2] in',
    ...cases,
    '  esac',
    '  if [[ $words[CURRENT] == -* ]]; then _describe -o option offered; else _files; fi',
    '}',
    '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }',
    'compdef _kontor kontor',
  ].join('\n');
}

/** Renders a script for fish, with descriptions. */
function fishScript(words: readonly CommandWord[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  const line = (condition: string, rest: string, about: string) =>
    `complete -c kontor -n ${quoted(condition)} ${rest} -d ${quoted(about)}`;
  const optionLines = (condition: string, { options }: CommandWord) =>
    options.map(({ name, about, takesValue }) =>
      line(condition, `-l ${name.slice(2)}${takesValue ? ' -r' : ''}`, about),
    );
  const lines = words.flatMap(word => {
    const { name, about, members } = word;
    const seen = `__fish_seen_subcommand_from ${name}`;
    const none = `${seen}; and not __fish_seen_subcommand_from ${members.map(member => member.name).join(' ')}`;
    return [
      line('__fish_use_subcommand', `-f -a ${name}`, about),
      ...(members.length === 0 ? optionLines(seen, word) : []),
      ...members.flatMap(member => [
        line(none, `-f -a ${member.name}`, member.about),
        ...optionLines(`${seen}; and __fish_seen_subcommand_from ${member.name}`, member),
      ]),
    ];
  });
  return lines.join('\n');
}
