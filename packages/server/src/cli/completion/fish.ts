import type { CommandWord, FirstWord, OptionWord } from './words.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
const line = (condition: string, rest: string) => `complete -c kontor -n ${quoted(condition)} ${rest}`;

/** A script for fish, with descriptions; a value of an option and an argument may be the name of a file. */
export function fishScript(words: readonly FirstWord[]): string {
  return words.flatMap(firstLines).join('\n');
}

function firstLines(word: FirstWord): string[] {
  const { name, about, members } = word;
  const seen = `__fish_seen_subcommand_from ${name}`;
  const seconds = members.map(member => member.name).join(' ');
  return [
    line('__fish_use_subcommand', `-f -a ${name} -d ${quoted(about)}`),
    ...(members.length === 0 ? optionLines(seen, word) : []),
    ...members.flatMap(member => [
      line(
        `${seen}; and not __fish_seen_subcommand_from ${seconds}`,
        `-f -a ${member.name} -d ${quoted(member.about)}`,
      ),
      ...optionLines(`${seen}; and __fish_seen_subcommand_from ${member.name}`, member),
    ]),
  ];
}

function optionLines(condition: string, { options }: CommandWord): string[] {
  const more = ({ takesValue }: OptionWord) => (takesValue ? ' -r' : '');
  return options.map(option =>
    line(condition, `-l ${option.name.slice(2)}${more(option)} -d ${quoted(option.about)}`),
  );
}
