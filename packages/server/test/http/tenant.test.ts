import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caching } from '../../src/http/request/tenant.ts';

test('a tenant that exists is asked for once per organization, one that does not every time', async () => {
  const asked: string[] = [];
  const exists = caching(async (organization, tenant) => {
    asked.push(`${organization}/${tenant}`);
    return organization === 'one' && tenant === 'known';
  });
  for (let i = 0; i < 2; i++) {
    assert.equal(await exists('one', 'known'), true);
    assert.equal(await exists('one', 'unknown'), false);
    assert.equal(await exists('two', 'known'), false);
  }
  assert.deepEqual(asked, ['one/known', 'one/unknown', 'two/known', 'one/unknown', 'two/known']);
});
