import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { blocksBelow, page, quickStarts } from '../clients/quick-starts.ts';
import { versions } from '../clients/versions.ts';
import { blocksOf, forgottenBlocks } from '../guides.ts';

const text = await readFile(page, 'utf8');

describe('the quick starts of the generated clients', () => {
  test('have no block that npm run clients neither runs nor compares, without a reason', () => {
    assert.deepEqual(forgottenBlocks(blocksOf(text)), []);
    const followed = quickStarts.flatMap(({ heading }) => blocksBelow(text, heading));
    const isUsed = ({ run, file }: (typeof followed)[number]) => run || file !== null;
    assert.equal(followed.filter(isUsed).length, blocksOf(text).filter(isUsed).length);
  });

  test('install the versions that the sessions are tested with', () => {
    for (const { heading } of quickStarts) {
      const commands = blocksBelow(text, heading).map(block => block.text);
      const named = [
        ...commands.join('').matchAll(/(openapi-(?:generator-cli|python-client))(?:\[\w+\])?[=:]+([\d.]+)/g),
      ];
      assert.ok(named.length > 0, heading);
      for (const [, name, version] of named)
        assert.equal(version, versions[name as keyof typeof versions], heading);
    }
  });
});
