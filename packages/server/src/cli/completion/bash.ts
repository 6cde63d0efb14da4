import type { FirstWord, Word } from './words.ts';

const offer = (words: readonly Word[]) => `offered="${words.map(({ name }) => name).join(' ')}"`;

/** A script for bash; where nothing is offered, names of files are. */
export function bashScript(words: readonly FirstWord[]): string {
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
