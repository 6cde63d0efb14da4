import { settings } from '../../config.ts';
import type { CommandDefinition } from '../command.ts';
import { groups } from '../groups.ts';

/** A word that a shell offers, and what it is for. */
export interface Word {
  readonly name: string;
  readonly about: string;
}

/** An option, `--name`; `takesValue` says whether a value follows. */
export interface OptionWord extends Word {
  readonly takesValue: boolean;
}

/** A command with its options. */
export interface CommandWord extends Word {
  readonly options: readonly OptionWord[];
}

/** A first word: a group has the commands that follow it, and a command of one word has none. */
export interface FirstWord extends CommandWord {
  readonly members: readonly CommandWord[];
}

/** The words that can stand at each place of a command line, in the order of the help. */
export function wordsOf(commands: readonly CommandDefinition[]): FirstWord[] {
  return [...Map.groupBy(commands, ({ name }) => name.split(' ')[0]!)].map(([name, members]) => {
    const [only] = members;
    return only!.name === name
      ? { name, about: only!.summary, options: optionsOf(only!), members: [] }
      : { name, about: groups[name] ?? name, options: [], members: members.map(memberOf) };
  });
}

function memberOf(command: CommandDefinition): CommandWord {
  return { name: command.name.split(' ')[1]!, about: command.summary, options: optionsOf(command) };
}

function optionsOf({ options = [], settings: names }: CommandDefinition): OptionWord[] {
  const own = options.map(({ flags, description }) => ({
    name: flags.split(' ')[0]!,
    about: description,
    takesValue: flags.includes(' '),
  }));
  const configured = names.flatMap(name => {
    const row = settings[name];
    return 'option' in row ? [{ name: `--${row.option}`, about: row.meaning, takesValue: true }] : [];
  });
  return [
    ...own,
    ...configured,
    { name: '--json', about: 'Print one JSON object', takesValue: false },
    { name: '--help', about: 'Show what the command takes', takesValue: false },
  ];
}
