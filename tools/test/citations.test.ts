import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brokenCitations } from '../citations.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Everything that is written here by people. */
const written = [
  '*.md',
  'docs/**/*.md',
  'packages/*/*.md',
  'packages/*/{src,test,migrations}/**/*.{ts,sql,peggy}',
  'test/**/*.ts',
  'tools/**/*.{ts,js,py}',
  'bench/*.ts',
];

/** The name of a document, put together so that this file does not cite it. */
const document = (name: string) => `${name}.md`;

/** A document with a numbered section and one with a name, and a file of code with this text. */
const planted = (text: string, file = 'packages/server/src/a.ts') =>
  new Map([
    ['docs/specification.md', '# Specification\n\n## 3. Lists\n\n### 3.4 Comparison\n'],
    ['docs/running.md', '# Running\n\n## A reverse proxy\n'],
    [file, text],
  ]);

describe('the documents that texts of the repository cite', () => {
  test('exist, with the sections that are cited', async () => {
    const texts = new Map<string, string>();
    for await (const file of glob(written, { cwd: root }))
      texts.set(file, await readFile(path.join(root, file), 'utf8'));
    const citing = [...texts.values()].filter(text => /specification\.md \d/.test(text));
    assert.ok(citing.length > 50, `only ${citing.length} files cite the specification`);
    assert.deepEqual(brokenCitations(texts), []);
  });

  test('may be cited by number, by anchor or as a whole', () => {
    for (const text of [
      '// see specification.md',
      '// rules (specification.md 3 and 3.4), and more.',
      '// specification.md sections 3, 3.4 and 3',
      '// docs/running.md#a-reverse-proxy',
    ])
      assert.deepEqual(brokenCitations(planted(text)), [], text);
  });

  test('are missed when there is no such document', () => {
    const name = document('nowhere');
    assert.deepEqual(brokenCitations(planted(`// one\n// (${name}, Limits)`)), [
      `packages/server/src/a.ts:2: there is no document ${name}`,
    ]);
  });

  test('are missed when they have no such section', () => {
    const cited = (name: string, place: string) => brokenCitations(planted(`// ${name}${place}`));
    const specification = document('specification');
    const running = document('running');
    for (const [name, place, missing] of [
      [specification, ' 3.5', '3.5'],
      [specification, ' 3.4 and 4', '4'],
      [running, ' section 3', '3'],
      [running, '#lists', '#lists'],
    ] as const)
      assert.deepEqual(cited(name, place), [`packages/server/src/a.ts:1: ${name} has no section ${missing}`]);
  });

  test('may have their earlier name in a migration, since those are never edited', () => {
    const old = `-- as ${document('decisions')} section 3 says`;
    assert.deepEqual(brokenCitations(planted(old, 'packages/server/migrations/0001_a.sql')), []);
    assert.equal(brokenCitations(planted(old)).length, 1);
  });
});
