import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readOutlines } from '../../src/cli/program/program.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { kontorHere } from './in-process.ts';

/** `kontor migrate --dry-run` creates nothing. */
const creating = ['demo', 'serve', 'restore', 'organization create'];

const withDatabase = readOutlines().filter(
  ({ name, settings }) => settings.includes('dataDirectory') && !creating.includes(name),
);

/** Files that commands read before they open the database. */
const files: Record<string, string> = {
  'employees.csv': 'email,firstName,lastName\na@example.com,A,B\n',
  'orders.jsonl': '{}\n',
  'payroll.csv': 'a;b\n',
  'contract.pdf': '%PDF-1.4\n',
  'settings.json': JSON.stringify(settingsInput),
};

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-empty-'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});
after(() => rm(folder, { recursive: true }));

/** The words of an example of the help, with files in the folder of the test. */
function wordsOf(example: string): string[] {
  const words = example.match(/"[^"]*"|\S+/g)!.map(word => word.replaceAll('"', ''));
  return words.map(word => (/^[\w/-]+\.\w+$|^backups\//.test(word) ? path.join(folder, word) : word));
}

describe('in a folder without a database, a command says so and where it looked, and creates nothing', () => {
  for (const { name, example } of withDatabase)
    test(name, async () => {
      const data = path.join(folder, 'no-data');
      const { code, stdout, stderr } = await kontorHere(wordsOf(example), {
        KONTOR_DATA_DIR: data,
        KONTOR_PUBLIC_URL: 'https://kontor.example.com',
        KONTOR_SMTP_HOST: '127.0.0.1',
        KONTOR_MAIL_FROM: 'kontor@example.com',
      });
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(stderr.startsWith(`error: There is no database in the folder ${data}: `), stderr);
      assert.match(stderr, /^[^\n]+\n$/);
      assert.equal(existsSync(data), false);
    });
});
