// npm run check:sentences: checks the sentences of comments and documents that are new since the branch left main. A sentence has
// at most 30 words. It begins with "Of", "Who", "Whose" or "What" only where it asks. Text that was there before is not checked,
// wherever it stood. This is no job for textlint: that needs over a hundred packages, and it cannot read comments of TypeScript or
// distinguish new text from old.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findSentenceProblems } from './words/sentences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// docs/errors.md and the types of the SDK are generated: their sentences are those of the contract.
const kinds = ['*.md', '*.ts', '*.tsx', '*.js', '*.sql'];
const generated = [':!docs/errors.md', ':!packages/sdk/src/contract.ts'];
const prose = [...kinds, ':!tools/clients/sessions', ':!CHANGELOG.md', ...generated];

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
  const whole = runGit('diff', '--unified=1000000', '--no-renames', '--no-color', base, '--', ...prose);
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
  const added = runGit('ls-files', '--others', '--exclude-standard', '--', ...prose)
    .split('\n')
    .filter(Boolean);
  return {
    before,
    after: [
      ...after,
      ...added.map(file => [file, readFileSync(`${root}${file}`, 'utf8')] as [string, string]),
    ],
  };
}

const base = findBase();
if (base === null) console.log('Skipped: there is no branch main to compare with');
else {
  const { before, after } = readChanges(base);
  const known = new Set(before.flatMap(([file, text]) => [...findSentenceProblems(file, text).keys()]));
  const found = after.flatMap(([file, text]) =>
    [...findSentenceProblems(file, text)]
      .filter(([sentence]) => !known.has(sentence))
      .map(([sentence, problem]) => `${file}: ${problem}\n    ${sentence}`),
  );
  for (const problem of found) console.log(problem);
  if (found.length > 0) process.exitCode = 1;
}
