// npm run size: prints the lines of each part of the repository: at 5ab2fb33, at present, and the goal. It also counts the files
// that a `GET /v1/employees` passes. With --check it fails when one of them is over its limit, or a folder of sources has too many files.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFilesOfRequest } from './request-files.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A part of the repository, by pathspecs of git. */
interface Part {
  readonly name: string;
  readonly folders: readonly string[];
  /** Lines at 5ab2fb33. */
  readonly before: number | null;
  readonly goal: number;
  /** Null: the lines are reported only. */
  readonly limit: number | null;
}

const server = 'packages/server/src';

const sources: readonly Part[] = [
  { name: 'server/src', folders: [server], before: 39_200, goal: 33_000, limit: null },
  { name: '  http', folders: [`${server}/http`], before: 3_658, goal: 2_600, limit: 3_640 },
  { name: '  query', folders: [`${server}/query`], before: 2_199, goal: 1_500, limit: 2_080 },
  { name: '  write', folders: [`${server}/write`], before: 900, goal: 800, limit: 1_150 },
  { name: 'contract/src', folders: ['packages/contract/src'], before: 8_300, goal: 6_500, limit: 9_800 },
  { name: 'sync/src', folders: ['packages/sync/src'], before: null, goal: 1_500, limit: 3_400 },
  { name: 'portal/src', folders: ['packages/portal/src'], before: 20_600, goal: 18_000, limit: null },
  {
    name: 'tests',
    folders: [':(glob)packages/*/test/**', 'test', 'tools/test'],
    before: 75_400,
    goal: 62_000,
    limit: null,
  },
  {
    name: 'tools and bench',
    folders: ['tools', ':(exclude)tools/test', 'bench'],
    before: 14_700,
    goal: 9_500,
    limit: 13_840,
  },
];

/**
 * Commands of this repository write these files: `generate`, `examples`, `messages`, `release` and `tools/record-session.ts`. Not counted are the
 * lock file of npm, the published list of common passwords, pictures, and the German texts, which people write.
 */
const generated: Part = {
  name: 'generated or recorded',
  folders: [
    'docs/configuration.md',
    'docs/errors.md',
    'openapi',
    'packages/contract/src/examples',
    'packages/sdk/src/contract.ts',
    'packages/server/data/commands.json',
    'packages/server/test/session/recorded.http',
  ],
  before: 115_000,
  goal: 30_000,
  limit: 35_880,
};

function listFiles(folders: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...folders], { cwd: repository, encoding: 'utf8' });
  return listed.split('\n').filter(file => file !== '');
}

function countLines({ folders }: Part, isCounted: (file: string) => boolean): number {
  const files = listFiles(folders).filter(isCounted);
  const lines = files.map(file => readFileSync(path.join(repository, file), 'utf8').split('\n').length - 1);
  return lines.reduce((sum, count) => sum + count, 0);
}

function print(name: string, cells: readonly string[]): void {
  console.log(`${name.padEnd(24)}${cells.map(cell => cell.padStart(14)).join('')}`);
}

function report({ name, before, goal, limit }: Omit<Part, 'folders'>, count: number): void {
  print(
    name,
    [before, count, goal, limit].map(value => value?.toLocaleString('en') ?? ''),
  );
  if (limit !== null && count > limit && process.argv.includes('--check')) process.exitCode = 1;
}

print('part', ['at 5ab2fb33', 'at present', 'goal', 'limit']);
for (const part of sources)
  report(
    part,
    countLines(part, file => /\.(ts|tsx|js|py)$/.test(file)),
  );
report(
  generated,
  countLines(generated, () => true),
);
const requestFiles = { name: 'files of a request', before: null, goal: 25, limit: 32 };
report(requestFiles, (await findFilesOfRequest()).length);

/** Most files that a folder of sources, or of helpers of tests, may have beside its subfolders. */
const maxFolderFiles = 20;
const folders = Map.groupBy(
  listFiles([':(glob)packages/*/src/**', ':(glob)packages/*/test/support/**']),
  file => path.dirname(file),
);
for (const [folder, { length }] of folders) {
  if (length <= maxFolderFiles) continue;
  console.log(`${folder} has ${length} files; the limit is ${maxFolderFiles}`);
  if (process.argv.includes('--check')) process.exitCode = 1;
}
