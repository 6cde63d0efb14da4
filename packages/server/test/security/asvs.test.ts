import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** How many requirements each section of ASVS 5.0 has, and which of them are of level 3. */
const sections: Readonly<Record<string, { count: number; levelThree?: readonly number[] }>> = {
  '6.1': { count: 3 },
  '6.2': { count: 12 },
  '6.3': { count: 8, levelThree: [5, 6, 7, 8] },
  '6.4': { count: 6, levelThree: [5, 6] },
  '6.5': { count: 8, levelThree: [6, 7, 8] },
  '6.6': { count: 4, levelThree: [4] },
  '6.7': { count: 2, levelThree: [1, 2] },
  '6.8': { count: 4 },
  '7.1': { count: 3 },
  '7.2': { count: 4 },
  '7.3': { count: 2 },
  '7.4': { count: 5 },
  '7.5': { count: 3, levelThree: [3] },
  '7.6': { count: 2 },
  '8.1': { count: 4, levelThree: [3, 4] },
  '8.2': { count: 4, levelThree: [4] },
  '8.3': { count: 3, levelThree: [2, 3] },
  '8.4': { count: 2, levelThree: [2] },
};

const required = Object.entries(sections).flatMap(([section, { count, levelThree = [] }]) =>
  Array.from({ length: count }, (_, index) => index + 1)
    .filter(number => !levelThree.includes(number))
    .map(number => `${section}.${number}`),
);

interface Row {
  readonly number: string;
  readonly state: string;
  readonly evidence: string;
}

/** The rows of the tables in docs/asvs.md. */
async function readRows(): Promise<{ text: string; rows: Row[] }> {
  const text = await readFile(path.join(root, 'docs/asvs.md'), 'utf8');
  const rows = text
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .filter(([, number = '']) => /^\d/.test(number))
    .flatMap(([, numbers, , state, evidence]) =>
      numbers!.split(', ').map(number => ({ number, state: state!, evidence: evidence! })),
    );
  return { text, rows };
}

const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

test('docs/asvs.md has one row for each requirement of levels 1 and 2', async () => {
  assert.equal(required.length, 60);
  const { rows } = await readRows();
  assert.deepEqual(rows.map(({ number }) => number).toSorted(byNumber), required.toSorted(byNumber));
});

test('every row states whether the requirement is held, and how that is shown or why it is not', async () => {
  const { text, rows } = await readRows();
  for (const { number, state, evidence } of rows) {
    assert.match(state, /^_(held|not held|not applicable)_$/, number);
    assert.notEqual(evidence, '', number);
    if (state === '_held_')
      assert.match(evidence, /\.test\.ts`|\]\([a-z-]+\.md/, `${number} names no test or document`);
  }
  const count = (state: string) => rows.filter(row => row.state === state).length;
  const counts = [rows.length, count('_held_'), count('_not held_'), count('_not applicable_')];
  const given = /(\d+) requirements: (\d+) are held, (\d+) are not, and (\d+) do not apply/.exec(
    text.replaceAll(/\s+/g, ' '),
  );
  assert.deepEqual(given?.slice(1).map(Number), counts);
});

test('every test that docs/asvs.md names is there', async () => {
  const text = await readFile(path.join(root, 'docs/asvs.md'), 'utf8');
  const named = new Set(Array.from(text.matchAll(/`([\w./-]+\.test\.ts)`/g), ([, file]) => file!));
  assert.ok(named.size > 20);
  const missing = Array.from(named, file =>
    file.startsWith('pages/')
      ? file.replace('pages/', 'packages/portal/test/')
      : `packages/server/test/${file}`,
  ).filter(file => !existsSync(path.join(root, file)));
  assert.deepEqual(missing, []);
});
