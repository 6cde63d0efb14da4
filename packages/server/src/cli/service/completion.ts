import { oneOf } from '../../config.ts';
import { Command } from 'commander';
import { argument, defineCommand } from '../program/command.ts';
import { declareCommands, readOutlines } from '../program/program.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Prints a script that completes the commands as they are declared to commander. */
export const completion = defineCommand({
  summary: 'Print a script that completes commands and options: source <(kontor completion bash)',
  example: 'completion bash',
  input: { shell: argument('<shell>', shells.join(', '), oneOf(shells)) },
  settings: [],
  run(_context, { shell }) {
    const program = new Command('kontor');
    declareCommands(program, readOutlines(), async () => {});
    const script = scripts[shell](wordsOf(program, '').join('\n'));
    return Promise.resolve({ json: { script }, text: script });
  },
});

/**
 * The words that a shell offers, a line each: the words before it, itself, and what it is about. A command stands right behind the words before
 * it, an option anywhere behind.
 */
function wordsOf(command: Command, place: string): string[] {
  const line = (word: string, about: string) => `${place}|${word}|${about}`;
  if (command.commands.length === 0) {
    const options = command.createHelp().visibleOptions(command);
    return options.map(({ long, description }) => line(long!, description));
  }
  return command.commands.flatMap(member => [
    line(member.name(), member.description()),
    ...wordsOf(member, `${place} ${member.name()}`.trim()),
  ]);
}

/** Scripts over the table of words. Where one offers nothing, the shell offers names of files. */
const scripts = {
  bash: (words: string) => `_kontor() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" offered="" place word about
  while IFS='|' read -r place word about; do
    if [[ $typed == "$place" || ($word == --* && $typed == "$place "*) ]]; then offered+=" $word"; fi
  done <<'WORDS'
${words}
WORDS
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kontor kontor`,

  zsh: (words: string) => `#compdef kontor
_kontor() {
  local -a offered
  local typed="\${words[2,CURRENT-1]}" place word about
  while IFS='|' read -r place word about; do
    # A colon would end the name, and no name has one.
    if [[ $typed == "$place" || ($word == --* && $typed == "$place "*) ]]; then offered+=("$word:$about"); fi
  done <<'WORDS'
${words}
WORDS
  if [[ $words[CURRENT] == -* || $offered[1] != --* ]] && (( $#offered )); then _describe kontor offered; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _kontor kontor`,

  fish: (words: string) => `function __kontor
  set -l typed (commandline -opc)[2..]
  printf '%s\\n' '${quotedForFish(words)}' | while read -d '|' place word about
    if test "$typed" = "$place"; or string match -q -- "--* $place *" "$word $typed"
      printf '%s\\t%s\\n' $word $about
    end
  end
end
complete -c kontor -n '__kontor | string match -qv -- "--*"' -f
complete -c kontor -a '(__kontor)'`,
};

function quotedForFish(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`);
}
