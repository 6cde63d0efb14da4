import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildPages } from './support.ts';

const built = fileURLToPath(new URL('../../server/portal/assets/', import.meta.url));
const ofLibrary = fileURLToPath(new URL('../../../node_modules/@mantine/core/styles.css', import.meta.url));

/** The classes of the component library that a text names. */
const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

async function classesOf(pattern: string): Promise<Set<string>> {
  const classes = new Set<string>();
  for await (const file of glob(pattern, { cwd: built }))
    for (const name of classesIn(await readFile(`${built}${file}`, 'utf8'))) classes.add(name);
  return classes;
}

test('every component of the library that a page can show has its styles, and most of the others are left out', async () => {
  buildPages();
  const library = classesIn(await readFile(ofLibrary, 'utf8'));
  const [shown, styled] = [await classesOf('*.js'), await classesOf('*.css')];
  assert.deepEqual(
    [...shown].filter(name => library.has(name) && !styled.has(name)),
    [],
  );
  assert.ok(shown.size > 50);
  assert.ok(styled.size < library.size / 2, `${styled.size} of ${library.size}`);
});
