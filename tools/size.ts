// npm run size: prints how large the parts of the repository are. The mechanisms behind every request have a limit, since new features must
// not make them larger, and so have generated lines and the files of a folder. With --check it fails when one is over its limit.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFilesOfRequest } from './request-files.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const server = 'packages/server/src';

/** A part of the repository: its folders (pathspecs of git), and the lines that it may have. */
interface Part {
  readonly name: string;
  readonly folders: readonly string[];
  /** Null: the lines are reported only. */
  readonly maxLines: number | null;
}

const parts: readonly Part[] = [
  { name: 'server', folders: [server], maxLines: null },
  // Imports between its folders have longer paths, which take ten lines more.
  { name: 'contract', folders: ['packages/contract/src'], maxLines: 7_861 },
  { name: 'portal and its tools', folders: ['packages/portal/src', 'packages/portal/tools'], maxLines: null },
  // With the log and the metrics of requests, which were in telemetry/.
  { name: 'http', folders: [`${server}/http`], maxLines: 3_610 },
  { name: 'telemetry', folders: [`${server}/telemetry`], maxLines: 290 },
  { name: 'query', folders: [`${server}/query`], maxLines: 1_875 },
  // The share of each caller, which the lists and `lib/concurrency/limiter.ts` had, and addresses of databases as libpq reads them.
  { name: 'db', folders: [`${server}/db`], maxLines: 2_794 },
  // The entrance of all writes, with versions and idempotency keys.
  { name: 'write', folders: [`${server}/write`], maxLines: 1005 },
  {
    name: 'SDK',
    folders: ['packages/sdk/src', ':(exclude)packages/sdk/src/contract.ts'],
    // The hover texts of all options, the pacer of the quota, and the checks of options and answers need 600 of them.
    maxLines: 2_190,
  },
  { name: 'tabular', folders: ['packages/tabular/src'], maxLines: null },
  { name: 'embedded PostgreSQL', folders: ['packages/embedded-postgres/src'], maxLines: null },
  { name: 'tests', folders: [':(glob)packages/*/test/**', 'test', 'tools/test'], maxLines: null },
  { name: 'tools', folders: ['tools', ':(exclude)tools/test', 'bench'], maxLines: null },
];

/**
 * Commands of this repository write these files: `generate`, `examples`, `messages`, `release` and `tools/record-session.ts`. Not counted are the
 * lock file of npm, the published list of common passwords, pictures, and the German texts, which people write.
 */
const generated = [
  'docs/configuration.md',
  'docs/errors.md',
  'openapi',
  'packages/contract/src/examples',
  'packages/sdk/src/contract.ts',
  'packages/server/data/commands.json',
  'packages/server/test/session/recorded.http',
];

const maxGeneratedLines = 30_000;

function listFiles(folders: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...folders], { cwd: repository, encoding: 'utf8' });
  return listed.split('\n').filter(Boolean);
}

/** The hand-written source files below some folders: scripts, not data. */
function listSources(folders: readonly string[]): string[] {
  return listFiles(folders).filter(file => /\.(ts|tsx|js|py)$/.test(file));
}

const linesOf = (file: string) => readFileSync(path.join(repository, file), 'utf8').split('\n').length - 1;

/** Most files of the server that a `GET /v1/employees` may pass. */
const maxRequestFiles = 34;

let isOver = false;

function printRow(name: string, files: number | null, count: number | null, limit: number | null): void {
  if (limit !== null && count !== null && count > limit) isOver = true;
  const columns = [files, count, limit].map(value => value?.toLocaleString('en') ?? '');
  console.log(`${name.padEnd(24)}${columns.map(column => column.padStart(9)).join('')}`);
}

console.log(`${'part'.padEnd(24)}${['files', 'lines', 'limit'].map(name => name.padStart(9)).join('')}`);
const printFiles = (name: string, files: readonly string[], limit: number | null) =>
  printRow(
    name,
    files.length,
    files.reduce((sum, file) => sum + linesOf(file), 0),
    limit,
  );
for (const { name, folders, maxLines } of parts) printFiles(name, listSources(folders), maxLines);
printFiles('generated or recorded', listFiles(generated), maxGeneratedLines);
const requestFiles = (await findFilesOfRequest()).length;
if (requestFiles > maxRequestFiles) isOver = true;
printRow(`GET /v1/employees (≤ ${maxRequestFiles})`, requestFiles, null, null);
/** Most files that a folder of sources may have beside its subfolders. */
const maxFolderFiles = 20;
const folderSizes = Map.groupBy(listFiles([':(glob)packages/*/src/**']), file => path.dirname(file));
for (const [folder, { length }] of folderSizes) {
  if (length <= maxFolderFiles) continue;
  isOver = true;
  console.log(`${folder} has ${length} files; the limit is ${maxFolderFiles}`);
}
if (isOver && process.argv.includes('--check')) process.exitCode = 1;
