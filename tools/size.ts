// npm run size: prints how large the parts of the repository are, each beside its limit, and how many forbidden names there are. It
// fails when something is over its limit only with --check.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFilesOfRequest } from './request-files.ts';
import { findAllForbidden } from './words/files.ts';

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
  { name: 'server', folders: [server], maxLines: 25_000 },
  { name: 'contract', folders: ['packages/contract/src'], maxLines: 6_000 },
  {
    name: 'portal and its tools',
    folders: ['packages/portal/src', 'packages/portal/tools'],
    maxLines: 7_300,
  },
  { name: 'http and telemetry', folders: [`${server}/http`, `${server}/telemetry`], maxLines: 3_000 },
  { name: 'query', folders: [`${server}/query`], maxLines: 1_800 },
  { name: 'db', folders: [`${server}/db`], maxLines: 1_900 },
  { name: 'write', folders: [`${server}/write`], maxLines: 850 },
  {
    name: 'SDK',
    folders: ['packages/sdk/src', ':(exclude)packages/sdk/src/contract.ts'],
    maxLines: 1_500,
  },
  { name: 'embedded PostgreSQL', folders: ['packages/embedded-postgres/src'], maxLines: null },
  { name: 'tests', folders: [':(glob)packages/*/test/**', 'test', 'tools/test'], maxLines: null },
  { name: 'tools', folders: ['tools', ':(exclude)tools/test', 'bench'], maxLines: null },
];

/** The hand-written source files below some folders: scripts, not data. */
function listSources(folders: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...folders], { cwd: repository, encoding: 'utf8' });
  return listed.split('\n').filter(file => /\.(ts|tsx|js|py)$/.test(file));
}

const linesOf = (file: string) => readFileSync(path.join(repository, file), 'utf8').split('\n').length - 1;

/** Most files of the server that a `GET /v1/employees` may pass. */
const maxRequestFiles = 35;

let isOver = false;

function printRow(name: string, files: number | null, count: number | null, limit: number | null): void {
  if (limit !== null && count !== null && count > limit) isOver = true;
  const columns = [files, count, limit].map(value => value?.toLocaleString('en') ?? '');
  console.log(`${name.padEnd(24)}${columns.map(column => column.padStart(9)).join('')}`);
}

console.log(`${'part'.padEnd(24)}${['files', 'lines', 'limit'].map(name => name.padStart(9)).join('')}`);
for (const { name, folders, maxLines } of parts) {
  const files = listSources(folders);
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  printRow(name, files.length, lines, maxLines);
}
const requestFiles = (await findFilesOfRequest()).length;
if (requestFiles > maxRequestFiles) isOver = true;
printRow(`GET /v1/employees (≤ ${maxRequestFiles})`, requestFiles, null, null);
printRow('forbidden names', null, (await findAllForbidden()).length, 0);
if (isOver && process.argv.includes('--check')) process.exitCode = 1;
