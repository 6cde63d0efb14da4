import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { targetUrl } from '../support/database/target-url.ts';
import { kontorHere } from '../cli/in-process.ts';
import type { ApiClient, RequestOptions } from '../support/contract/client.ts';
import { postHeld } from '../support/service/held-body.ts';
import { testToken } from '../support/data/tokens.ts';
import { testPepper } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

/** Runs a command with --json and answers what it printed. */
async function kontor(...args: string[]): Promise<any> {
  const variables = {
    DATABASE_URL: await targetUrl(fixture.sql.database.target),
    KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
  };
  const { code, stdout, stderr } = await kontorHere([...args, '--json'], variables);
  return code === 0 ? JSON.parse(stdout) : { code, stderr };
}

const create = (...more: string[]) =>
  kontor('platform-token', 'create', '--name', 'Shop', '--permission', 'organizations:read', ...more);

async function statusWith(client: ApiClient, options: RequestOptions = {}): Promise<string> {
  const { status, body } = await client.get('/organizations', options);
  return status === 200 ? '200' : `${status} ${body.error.code}`;
}

describe('kontor platform-token', () => {
  test('create: the token works; neither database nor list has its secret; it is audited', async () => {
    const { id, token } = await create('--all');
    assert.equal(await statusWith(fixture.clientOf(token)), '200');
    const { tokens } = await kontor('platform-token', 'list');
    const listed = tokens.find((found: { id: string }) => found.id === id);
    assert.partialDeepStrictEqual(listed, { name: 'Shop', status: 'active', organizations: 'all' });
    const stored = await fixture.sql`SELECT t.*, encode(secret_hash, 'escape') FROM platform_token t`;
    assert.ok(!JSON.stringify([tokens, stored]).includes(token.split('_')[2]));
    const audited =
      await fixture.sql`SELECT organization_id, action, actor FROM audit WHERE target_id = ${id}`;
    assert.deepEqual(
      audited.map(row => ({ ...row })),
      [{ organization_id: '', action: 'platform_token.create', actor: 'operator' }],
    );
  });

  test('create --organization: it works for these only', async () => {
    const { testData } = fixture;
    const { token } = await create('--organization', testData.organization);
    const { body } = await fixture.clientOf(token).get('/organizations');
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      [testData.organization],
    );
  });

  test('create rejects an empty request, an unknown organization and an unknown permission', async () => {
    assert.match((await create()).stderr, /either --all, or --organization/);
    assert.match((await create('--organization', 'f'.repeat(24))).stderr, /there is no organization/);
    assert.match(
      (await create('--all', '--permission', 'everything')).stderr,
      /expected one of organizations:read/,
    );
  });

  test('revoke: it is rejected from the next request on, and revoked once in the audit', async () => {
    const { id, token } = await create('--all');
    const client = fixture.clientOf(token);
    assert.equal(await statusWith(client), '200');
    assert.deepEqual(await kontor('platform-token', 'revoke', id, '--yes'), { id, status: 'revoked' });
    assert.equal(await statusWith(client), '401 INVALID_TOKEN');
    await kontor('platform-token', 'revoke', id, '--yes');
    const audited = await fixture.sql`SELECT action FROM audit WHERE target_id = ${id} ORDER BY at`;
    assert.deepEqual(
      audited.map(row => row['action']),
      ['platform_token.create', 'platform_token.revoke'],
    );
    assert.match(
      (await kontor('platform-token', 'revoke', 'a'.repeat(12), '--yes')).stderr,
      /there is no token/,
    );
  });
});

describe('401 INVALID_TOKEN', () => {
  test('one that is revoked while the body is on its way, and nothing is made', async () => {
    const { id, token } = await create('--all', '--permission', 'organizations:write');
    const name = `Made by ${id}`;
    const answer = await postHeld(
      `${new URL(fixture.service.managementUrl).origin}/platform/v1/organizations`,
      { headers: { authorization: `Bearer ${token}` }, body: { name } },
      () => kontor('platform-token', 'revoke', id, '--yes'),
    );
    assert.equal(answer, '401 INVALID_TOKEN');
    assert.deepEqual([...(await fixture.sql`SELECT id FROM organization WHERE name = ${name}`)], []);
  });

  test('no token, one of another form, of a wrong secret, and an API key', async () => {
    const token = await testToken(fixture.sql);
    const other = await testToken(fixture.sql);
    const mixed = token.slice(0, 20) + other.slice(20);
    for (const wrong of [undefined, 'secret', mixed, `${token}x`, fixture.testData.keys.all])
      assert.equal(await statusWith(fixture.clientOf(wrong)), '401 INVALID_TOKEN', String(wrong));
  });

  test('one that is at its end', async () => {
    const token = await testToken(fixture.sql, { expiresAt: new Date(Date.now() - 1000) });
    assert.equal(await statusWith(fixture.clientOf(token)), '401 INVALID_TOKEN');
  });

  test('a token works in Authorization only, in any case of Bearer', async () => {
    const token = await testToken(fixture.sql);
    const none = fixture.clientOf();
    assert.equal(await statusWith(none, { headers: { 'x-api-key': token } }), '401 INVALID_TOKEN');
    assert.equal(await statusWith(none, { headers: { authorization: token } }), '401 INVALID_TOKEN');
    assert.equal(await statusWith(none, { headers: { authorization: `bearer ${token}` } }), '200');
  });

  test('a token is no key of the public API, which is not on this port, nor this API on that one', async () => {
    const token = await testToken(fixture.sql);
    assert.equal((await fixture.client.get('/employees', { key: token })).status, 401);
    const { url, managementUrl } = fixture.service;
    const headers = { authorization: `Bearer ${token}`, 'x-api-key': fixture.testData.keys.all };
    for (const address of [`${url}/platform/v1/organizations`, `${managementUrl}/v1/employees`])
      assert.equal((await fetch(address, { headers })).status, 404);
  });
});

test('the use of a token is noted', async () => {
  const token = await testToken(fixture.sql);
  await statusWith(fixture.clientOf(token));
  const id = token.split('_')[1]!;
  for (;;) {
    const [row] = await fixture.sql`SELECT last_used_at FROM platform_token WHERE id = ${id}`;
    if (row!['last_used_at'] !== null) break;
  }
});

test('the reference of the platform API is beside it, and its document needs no token', async () => {
  const { managementUrl } = fixture.service;
  const page = await fetch(`${managementUrl}/platform/docs`);
  assert.match(await page.text(), /Kontor platform API reference/);
  assert.equal((await fetch(`${managementUrl}/platform/docs/start.js`)).status, 200);
  assert.equal((await fixture.clientOf().get('/openapi.json')).body.info.title, 'Kontor Platform API');
});

test('what is unknown on this port is advised with the paths of this API', async () => {
  const answer = await fetch(`${fixture.service.managementUrl}/platform/v1/organisations`);
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  assert.deepEqual([answer.status, error.code], [404, 'NOT_FOUND']);
  assert.match(error.message, /did you mean GET \/platform\/v1\/organizations\?/);
});
