// npm run check:sentences: checks the sentences of all documents, and of comments that are new since the branch left main. A sentence
// has at most 30 words. It begins with "Of", "Who", "Whose" or "What" only where it asks. A comment that was there before is not
// checked, wherever it stood. This is no job for textlint: that needs over a hundred packages, and it cannot read comments of
// TypeScript or distinguish new text from old.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findSentenceProblems } from './words/sentences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['*.ts', '*.tsx', '*.js', '*.sql'];
// The types of the SDK are generated: their sentences are those of the contract.
const comments = [...sources, ':!tools/clients/sessions', ':!packages/sdk/src/contract.ts'];

function runGit(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The commit at which this branch left main; null in a clone without main. */
function findBase(): string | null {
  for (const main of ['main', 'origin/main'])
    try {
      return runGit('merge-base', 'HEAD', main).trim();
    } catch {
      // The next one, then.
    }
  return null;
}

/** The texts of all changed files, as they were and as they are. */
function readChanges(base: string): { before: [string, string][]; after: [string, string][] } {
  const before: [string, string][] = [];
  const after: [string, string][] = [];
  const whole = runGit('diff', '--unified=1000000', '--no-renames', '--no-color', base, '--', ...comments);
  for (const change of whole.split(/^diff --git /m).slice(1)) {
    const file = /^a\/(.*) b\//.exec(change)![1]!;
    const lines = change.slice(change.indexOf('\n@@')).split('\n').slice(2);
    const textOf = (sign: string) =>
      lines
        .filter(line => line.startsWith(' ') || line.startsWith(sign))
        .map(line => line.slice(1))
        .join('\n');
    before.push([file, textOf('-')]);
    after.push([file, textOf('+')]);
  }
  return { before, after: [...after, ...readFiles('--others', ...comments)] };
}

/** The texts of the files that git lists. */
function readFiles(...selection: string[]): [string, string][] {
  const files = runGit('ls-files', '--exclude-standard', '--deduplicate', ...selection).split('\n');
  return files
    .filter(file => existsSync(`${root}${file}`) && file !== '')
    .map(file => [file, readFileSync(`${root}${file}`, 'utf8')]);
}

function describeProblems(texts: [string, string][], known: ReadonlySet<string>): string[] {
  return texts.flatMap(([file, text]) =>
    [...findSentenceProblems(file, text)]
      .filter(([sentence]) => !known.has(sentence))
      .map(([sentence, problem]) => `${file}: ${problem}\n    ${sentence}`),
  );
}

function checkNewComments(base: string): string[] {
  const { before, after } = readChanges(base);
  const known = before.flatMap(([file, text]) => [...findSentenceProblems(file, text).keys()]);
  return describeProblems(after, new Set(known));
}

const base = findBase();
if (base === null) console.log('Comments are skipped: there is no branch main to compare with');
const found = [
  ...describeProblems(readFiles('--cached', '--others', '*.md'), new Set()),
  ...(base === null ? [] : checkNewComments(base)),
];
for (const problem of found) console.log(problem);
if (found.length > 0) process.exitCode = 1;
