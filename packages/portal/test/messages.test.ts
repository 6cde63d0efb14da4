import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { messagesOfSources, sources } from '../tools/messages.ts';

const catalog = async (language: string) =>
  JSON.parse(await readFile(path.join(sources, 'locales', `${language}.json`), 'utf8')) as Record<
    string,
    string
  >;

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

describe('the catalogues of the portal', () => {
  for (const language of ['de', 'en'])
    test(`${language} has every message of the sources, and no other: npm run messages`, async () => {
      assert.deepEqual(Object.keys(await catalog(language)).sort(), await messagesOfSources());
    });

  test('the English catalog equals the sources', async () => {
    for (const [message, text] of Object.entries(await catalog('en'))) assert.equal(text, message);
  });

  test('the German catalog is complete, with all placeholders', async () => {
    for (const [message, text] of Object.entries(await catalog('de'))) {
      assert.notEqual(text, '', `packages/portal/src/locales/de.json has no German for: ${message}`);
      assert.deepEqual(places(text), places(message), message);
    }
  });
});
