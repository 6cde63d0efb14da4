import type { CommandWord, FirstWord, Word } from './words.ts';

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Offers words with what they are for; of the name a colon would end it, and no name has one. */
const describe = (words: readonly Word[]) =>
  `offered=(${words.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ')})`;

/** Options where the word begins with a dash, else names of files. */
const optionCase = ({ name, options }: CommandWord) => `${name}) ${describe(options)} ;;`;

/** A script for zsh, with descriptions. */
export function zshScript(words: readonly FirstWord[]): string {
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
