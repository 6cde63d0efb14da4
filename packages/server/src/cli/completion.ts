import { type CommandDefinition, CommandError, defineCommand } from './command.ts';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { type FirstWord, wordsOf } from './completion/words.ts';
import { zshScript } from './completion/zsh.ts';

const scripts: Readonly<Record<string, (words: readonly FirstWord[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const shells = Object.keys(scripts).join(', ');

/** `kontor completion SHELL`: a script that completes these commands, which are looked at when it runs. */
export function completionCommand(commands: () => readonly CommandDefinition[]): CommandDefinition {
  return defineCommand({
    name: 'completion',
    summary: 'Print a script that completes commands and options: source <(kontor completion bash)',
    arguments: [
      {
        name: '<shell>',
        description: shells,
        parse(text) {
          if (!Object.hasOwn(scripts, text)) throw new CommandError(`expected one of ${shells}`);
          return text;
        },
      },
    ],
    settings: [],
    run(_context, { arguments: [shell] }) {
      const script = scripts[shell as string]!(wordsOf(commands()));
      return Promise.resolve({ json: { script }, text: script });
    },
  });
}
