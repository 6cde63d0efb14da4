import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { germanCatalog, messagesOfSources, sources } from '../tools/messages.ts';

const german = JSON.parse(await readFile(germanCatalog, 'utf8')) as Record<string, string>;

/** Placeholders and tags, which a translation must not lose. The words of a plural also stand in braces, after `one` or `other`. */
const places = (message: string) =>
  message.match(/(?<!(?:plural,|\}) (?:zero|one|two|few|many|other|=\d+) )\{\w+|<\/?\d+\/?>/g)?.toSorted() ??
  [];

describe('the messages of the service', () => {
  test('are shown, and never compared: an error has a code and a field for that', () => {
    const comparing =
      /\bmessage\)?\.(startsWith|endsWith|includes|indexOf|match|search|split)\(|\.(exec|test)\([\w.]*message\)|message [!=]==/;
    const found = globSync('**/*.{ts,tsx}', { cwd: sources }).filter(file =>
      comparing.test(readFileSync(path.join(sources, file), 'utf8')),
    );
    assert.deepEqual(found, []);
  });
});

describe('the German catalogue', () => {
  test('has every message of the sources, and no other: npm run messages', async () => {
    assert.deepEqual(Object.keys(german).sort(), await messagesOfSources());
  });

  test('is complete, with all placeholders', () => {
    for (const [message, text] of Object.entries(german)) {
      assert.notEqual(text, '', `packages/portal/src/locales/de.json has no German for: ${message}`);
      assert.deepEqual(places(text), places(message), message);
    }
  });
});
