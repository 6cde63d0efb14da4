import type { FirstWord } from '../packages/server/src/cli/completion/words.ts';
import { blocksOf } from './guides.ts';

/** What can be run here: the commands of `kontor`, and the scripts of `npm run`. */
export interface Known {
  readonly kontor: readonly FirstWord[];
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
function isCommand([first, second, ...more]: readonly string[], known: readonly FirstWord[]): boolean {
  // A word for any of several.
  if (/^[A-Z]+$/.test(first!)) return true;
  if (first === '--help' || first === '--version') return second === undefined;
  const word = known.find(({ name }) => name === first);
  if (!word) return false;
  const named = second !== undefined && !second.startsWith('-');
  if (word.members.length === 0) return hasOptions(word, [second ?? '', ...more]);
  if (!named) return second === undefined || second === '--help';
  const member = word.members.find(({ name }) => name === second);
  return member !== undefined && hasOptions(member, more);
}

function hasOptions(
  { options }: FirstWord | FirstWord['members'][number],
  words: readonly string[],
): boolean {
  return words
    .filter(word => word.startsWith('--'))
    .every(word => options.some(({ name }) => name === word.split('=')[0]));
}
