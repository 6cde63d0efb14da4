/** A fenced block of a document, with the declarations of its first line. */
export interface Block {
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Run in a shell, with the blocks before it. */
  readonly run: boolean;
  /** Started before all others, which find it answering. */
  readonly background: boolean;
  /** The status that it must end with. */
  readonly exit: number;
  /** Written to a file of this name, which blocks that are run use. */
  readonly file: string | null;
  /** Why it is not run. */
  readonly unrun: string | null;
  /** Run by the test of the packages, with what was packed instead of what a registry has. */
  readonly packed: boolean;
  /** Run by the test of a fresh clone. */
  readonly clone: boolean;
  /** What a test of its own looks at it as. */
  readonly sample: string | null;
}

const fence = /^```(?<info>.*)\n(?<text>[^]*?)^```$/gm;

/**
 * The fenced blocks of a document. Behind the language stands what becomes of a block: `run`, `background`, `exit=2`, `packed`,
 * `clone`, `file=NAME`, `sample=NAME` or `unrun="why"`.
 */
export function blocksOf(document: string): Block[] {
  return [...document.matchAll(fence)].map(({ index, groups }) => {
    const { info, text } = groups as { info: string; text: string };
    const [language = '', ...words] = info.match(/\w+="[^"]*"|\S+/g) ?? [];
    const value = (name: string) => {
      const word = words.find(word => word.startsWith(`${name}=`));
      return word === undefined ? null : word.slice(name.length + 1).replaceAll('"', '');
    };
    return {
      line: document.slice(0, index).split('\n').length,
      language,
      text,
      run: words.includes('run'),
      background: words.includes('background'),
      packed: words.includes('packed'),
      clone: words.includes('clone'),
      exit: Number(value('exit') ?? 0),
      file: value('file'),
      unrun: value('unrun'),
      sample: value('sample'),
    };
  });
}

/** Blocks that are neither run nor used, without a reason; as `line: language`. */
export function forgottenBlocks(blocks: readonly Block[]): string[] {
  return blocks
    .filter(
      ({ run, packed, clone, file, unrun, sample }) => !(run || packed || clone || file || unrun || sample),
    )
    .map(({ line, language }) => `line ${line}: ${language}`);
}

/** The blocks that are run as one script of bash, which ends with the first that fails and reports its place on stderr. */
export function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks
    .filter(({ run, background }) => run && !background)
    .map(({ line, text, exit }) =>
      exit === 0
        ? `echo "at line ${line}" >&2\n${text}`
        : `echo "at line ${line}" >&2\nset +e\n${text}status=$?\nset -e\ntest $status -eq ${exit}\n`,
    );
  return `set -euo pipefail\n${parts.join('\n')}`;
}
