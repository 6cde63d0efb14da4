import type { declareCommands } from '../packages/server/src/cli/program/program.ts';
import { blocksOf } from './guides.ts';

/** A command as commander has it. */
type Command = Parameters<typeof declareCommands>[0];

/** The commands of `kontor`, and the scripts of `npm run`. */
export interface Known {
  readonly kontor: Command;
  readonly scripts: readonly string[];
}

/** A command of `kontor` or of npm, with what follows it on its line. */
const command = /(?:^|\bnpx |\()(?<program>kontor|npm run) (?<rest>[^|>;&)\n]*)/gm;

/** Words in backquotes, which may go on in the next line. */
const quoted = /(?<!`)`(?<text>[^`]+)`(?!`)/g;

/** The commands that a document names, in blocks and in its sentences, and that there are not; each as it stands there. */
export function unknownCommands(document: string, known: Known): string[] {
  const blocks = blocksOf(document).filter(({ language }) => language === 'sh');
  const sentences = document.replaceAll(/^```[^]*?^```$/gm, '');
  const inline = [...sentences.matchAll(quoted)].map(({ groups }) =>
    groups!['text']!.replaceAll(/\s+/g, ' '),
  );
  const continued = blocks.map(({ text }) => text.replaceAll('\\\n', ' '));
  return [...inline, ...continued].flatMap(text =>
    [...text.matchAll(command)].flatMap(({ groups }) => {
      const { program, rest } = groups as { program: string; rest: string };
      const words = rest.trim().split(/\s+/);
      const isKnown =
        program === 'kontor' ? isCommand(words, known.kontor) : known.scripts.includes(words[0]!);
      return isKnown ? [] : [`${program} ${rest}`.trim()];
    }),
  );
}

/** Whether these words are a command of `kontor`, or the beginning of one, with options that it has. */
function isCommand([first, second, ...more]: readonly string[], program: Command): boolean {
  // A word in capitals stands for any command.
  if (/^[A-Z]+$/.test(first!)) return true;
  if (first === '--help' || first === '--version') return second === undefined;
  const command = memberOf(program, first);
  if (!command) return false;
  if (command.commands.length === 0) return hasOptions(command, [second ?? '', ...more]);
  if (second === undefined || second === '--help') return true;
  const member = memberOf(command, second);
  return member !== undefined && hasOptions(member, more);
}

function memberOf(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find(member => member.name() === word);
}

function hasOptions(command: Command, words: readonly string[]): boolean {
  const options = command.createHelp().visibleOptions(command);
  return words
    .filter(word => word.startsWith('--'))
    .every(word => options.some(({ long }) => long === word.split('=')[0]));
}
