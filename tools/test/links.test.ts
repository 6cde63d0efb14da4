import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brokenLinks } from '../links.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('every link of a document leads to a file, and to a heading where it names one', async () => {
  const documents = new Map<string, string>();
  for await (const file of glob(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'packages/*/reference/*.md'], {
    cwd: root,
  }))
    documents.set(file, await readFile(path.join(root, file), 'utf8'));
  assert.ok(documents.size > 15, `only ${documents.size} documents`);
  assert.deepEqual(
    brokenLinks(documents, file => existsSync(path.join(root, file))),
    [],
  );
});

test('links that lead nowhere are found', () => {
  const documents = new Map([
    [
      'docs/a.txt',
      '# A\n\n[b](b.txt#there) [b](b.txt#away) [c](c.txt) [d](../d.ts) [e](https://example.com/e)\n[a](#a)',
    ],
    ['docs/b.txt', '## There\n'],
  ]);
  assert.deepEqual(
    brokenLinks(documents, file => documents.has(file)),
    [
      'docs/a.txt:3: b.txt#away leads to no heading',
      'docs/a.txt:3: c.txt leads to no file',
      'docs/a.txt:3: ../d.ts leads to no file',
    ],
  );
});
