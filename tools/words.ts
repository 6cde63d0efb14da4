// npm run check:words also spells; this is its second half: names that the glossary (words/glossary.ts) forbids, and sentences over 30 words
// or with a wrong beginning (words/sentences.ts). Documents are checked whole, comments of sources where they are new since the branch left main.
// This is no job for Vale or textlint: neither reads names, comments of TypeScript, or the difference to a commit.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findForbidden } from './words/find.ts';
import { findSentenceProblems } from './words/sentences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The words themselves, what is generated, and clients in other languages. */
const excluded =
  /^(tools\/words\/|tools\/clients\/sessions\/|openapi\/|packages\/server\/data\/|packages\/server\/test\/support\/servers\/s3|tools\/test\/words\.test|docs\/errors\.md|docs\/[\w-]+-de\.md|packages\/sdk\/src\/contract\.ts)/;

const runGit = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const files = runGit('ls-files', '-co', '--exclude-standard', '--deduplicate')
  .split('\n')
  .filter(file => /\.(ts|tsx|js|sql|md|css)$|locales\/\w+\.json$/.test(file) && !excluded.test(file));
const deleted = new Set(runGit('ls-files', '--deleted').split('\n'));
const base = findBase();
const changed = new Set(base === null ? [] : runGit('diff', '--name-only', base).split('\n'));
const added = new Set(runGit('ls-files', '--others', '--exclude-standard').split('\n'));
if (base === null) console.log('Comments are skipped: there is no branch main to compare with');

let count = 0;
const print = (place: string, problem: string) => {
  count += 1;
  console.log(`${place}: ${problem}`);
};
for (const file of files) {
  if (deleted.has(file)) continue;
  const text = readFileSync(path.join(root, file), 'utf8');
  for (const { line, text: word, instead } of findForbidden(file, text))
    print(`${file}:${line}`, `"${word}"; write: ${instead}`);
  for (const [sentence, problem] of newProblems(file, text)) print(file, `${problem}\n    ${sentence}`);
}
if (count > 0) process.exitCode = 1;

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

function newProblems(file: string, text: string): [string, string][] {
  if (file.endsWith('.md')) return [...findSentenceProblems(file, text)];
  if (base === null || !(changed.has(file) || added.has(file)) || !/\.(ts|tsx|js|sql)$/.test(file)) return [];
  const known = findSentenceProblems(file, textAt(base, file));
  return [...findSentenceProblems(file, text)].filter(([sentence]) => !known.has(sentence));
}

/** The file as it was; empty for a new one. */
function textAt(commit: string, file: string): string {
  try {
    return runGit('show', `${commit}:${file}`);
  } catch {
    return '';
  }
}
