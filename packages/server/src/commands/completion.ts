import { settings } from '../config.ts';
import { type CommandDefinition, CommandError } from './command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `kontor completion SHELL`: a script that completes these commands, which are looked at when it runs. */
export function completionCommand(commands: () => readonly CommandDefinition[]): CommandDefinition {
  return {
    name: 'completion',
    summary: 'Print a script that completes commands and options: source <(kontor completion bash)',
    arguments: [
      {
        name: '<shell>',
        description: shells.join(', '),
        parse(text) {
          if (!(shells as readonly string[]).includes(text))
            throw new CommandError(`expected one of ${shells.join(', ')}`);
          return text;
        },
      },
    ],
    settings: [],
    run(_context, { arguments: [shell] }) {
      const script = shell === 'fish' ? fishScript(commands()) : bashScript(commands(), shell === 'zsh');
      return Promise.resolve({ json: { script }, text: script });
    },
  };
}

/** The first words of the commands, each with those that may follow: none for a command of one word. */
function firstWords(commands: readonly CommandDefinition[]): Map<string, CommandDefinition[]> {
  return Map.groupBy(commands, ({ name }) => name.split(' ')[0]!);
}

const secondWord = ({ name }: CommandDefinition): string | undefined => name.split(' ')[1];

function optionsOf({ options = [], settings: names }: CommandDefinition): string[] {
  const own = options.map(({ flags }) => flags.split(' ')[0]!);
  const configured = names.flatMap(name => {
    const row = settings[name];
    return 'option' in row ? [`--${row.option}`] : [];
  });
  return [...own, ...configured, '--json', '--help'];
}

function bashScript(commands: readonly CommandDefinition[], zsh: boolean): string {
  const words = (list: readonly string[]) => `words="${list.join(' ')}"`;
  const cases = [...firstWords(commands)].map(([first, members]) => {
    const [only] = members;
    if (secondWord(only!) === undefined) return `    ${first}) ${words(optionsOf(only!))} ;;`;
    const inner = members.map(member => `${secondWord(member)}) ${words(optionsOf(member))} ;;`).join(' ');
    const seconds = words(members.map(member => secondWord(member)!));
    return `    ${first}) if [ "$COMP_CWORD" -eq 2 ]; then ${seconds}; else case "\${COMP_WORDS[2]}" in ${inner} esac; fi ;;`;
  });
  return [
    ...(zsh ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_kontor() {',
    '  local words=""',
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${words([...firstWords(commands).keys()])}; fi`,
    '  [ "$COMP_CWORD" -gt 1 ] && case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _kontor kontor',
  ].join('\n');
}

function fishScript(commands: readonly CommandDefinition[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`\'`)}'`;
  const line = (condition: string, rest: string) => `complete -c kontor -n ${quoted(condition)} ${rest}`;
  return [...firstWords(commands)]
    .flatMap(([first, members]) => {
      const isGroup = secondWord(members[0]!) !== undefined;
      const about = isGroup ? '' : ` -d ${quoted(members[0]!.summary)}`;
      const seen = `__fish_seen_subcommand_from ${first}`;
      const seconds = members.map(secondWord).join(' ');
      return [
        line('__fish_use_subcommand', `-a ${first}${about}`),
        ...members.flatMap(member => {
          const second = secondWord(member);
          const inside = second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`;
          const offered =
            second === undefined
              ? []
              : [
                  line(
                    `${seen}; and not __fish_seen_subcommand_from ${seconds}`,
                    `-a ${second} -d ${quoted(member.summary)}`,
                  ),
                ];
          return [...offered, ...optionsOf(member).map(option => line(inside, `-l ${option.slice(2)}`))];
        }),
      ];
    })
    .join('\n');
}
