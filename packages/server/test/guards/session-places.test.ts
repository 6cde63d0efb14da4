import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exportOf } from '../support/contract/exports.ts';
import { Pool } from '../../src/db/connect.ts';
import { currentCaller } from '../../src/db/session-caller.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { signedInUser } from '../support/data/users.ts';

/** A statement outside of the fair queue, or of another caller than the one that caused it, would be a way around the shares. */

const sources = fileURLToPath(new URL('../../src', import.meta.url));

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => ({ file, text: readFileSync(path.join(sources, file), 'utf8') }));

const filesWith = (pattern: RegExp) =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

describe('a session is opened', () => {
  test('by the pool in one place, which holds a place of the queue', () => {
    const { text } = files.find(({ file }) => file === path.join('db', 'pool.ts'))!;
    assert.equal(text.match(/\.connect\(/g)!.length, 1);
    assert.equal(text.match(/this\.#take\(/g)!.length, 1);
    assert.match(
      text,
      /await this\.#queue\.take\(caller, isBrief\);\n.*\n +try \{\n +session = await this\.#take\(\);/,
    );
    assert.deepEqual(filesWith(/new pg\.Pool\(/), [path.join('db', 'pool.ts')]);
  });

  test('outside of the pools only for what holds one for a long time, and never for a request', () => {
    assert.deepEqual(
      filesWith(/\bopenSession\(/),
      ['listener', 'migration-lock', 'open-session', 'process-lock', path.join('servers', 'watch')].map(
        name => path.join('db', `${name}.ts`),
      ),
    );
    assert.deepEqual(filesWith(/new ServerSession\(/), [path.join('db', 'open-session.ts')]);
  });
});

/** The statements from here on, with the identifier of the caller, or `service`. */
const sent: { caller: string; text: string }[] = [];
const { rows, run, arrays } = Pool.prototype;
let portal: ApiClient | undefined;

const fixture = useFixture(async ({ sql, testData, service }) => {
  await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA, lastName: 'Known' }]);
  portal = apiClient(service.url, { api: 'portal' });
  for (const [name, method] of Object.entries({ rows, run, arrays }))
    Object.assign(Pool.prototype, {
      [name](this: Pool, statement: { text: string }, ...more: unknown[]): unknown {
        sent.push({ caller: currentCaller()?.id ?? 'service', text: statement.text });
        return (method as (...values: unknown[]) => unknown).call(this, statement, ...more);
      },
    });
});
after(() => {
  portal?.close();
  Object.assign(Pool.prototype, { rows, run, arrays });
});

describe('the statements of a request are those of its caller', () => {
  const ofOthers = (id: string) => sent.filter(({ caller }) => caller !== id).map(({ text }) => text.trim());

  test('of a portal user: pages, exports of several slices, all but the lookup of the session', async () => {
    const { sql, testData } = fixture;
    const { user, secret: key } = await signedInUser(sql, testData.organization, {
      permissions: ['COMPANY_ADMIN', 'HR'],
      hrTenants: null,
    });
    await sql`
      INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
      SELECT ${testData.organization}, now(), substr(md5('t' || n), 1, 24), 'employee.update', 'operator', '{city}', substr(md5(n::text), 1, 24), 'operator', 'operator', 'operator'
      FROM generate_series(1, 5000) AS n`;
    sent.length = 0;
    assert.equal((await portal!.post('/audit-entries/search', {}, { key })).status, 200);
    const exported = await portal!.post('/audit-entries/export', exportOf(['id']), { key });
    assert.ok(exported.bytes.toString().split('\r\n').length > 5000);
    assert.equal((await portal!.get('/summary', { key })).status, 200);
    assert.equal((await portal!.post('/employees/search', {}, { key })).status, 200);
    assert.ok(sent.filter(({ caller }) => caller === user.id).length >= 6);
    for (const text of ofOthers(user.id)) assert.match(text, /portal_session/, text);
  });

  test('of a key: a list and a lookup, all but the lookup of the key', async () => {
    const { client, testData } = fixture;
    sent.length = 0;
    const { body } = await client.get('/employees', { query: { filter: 'lastName = Known' } });
    assert.equal((await client.get(`/employees/${body.items[0].id}`)).status, 200);
    const [, id] = testData.keys.all.split('_');
    assert.ok(sent.length >= 2);
    for (const text of ofOthers(id!)) assert.match(text, /FROM (key_organization|api_key k) /, text);
  });

  test('of an anonymous client: those of its network', async () => {
    sent.length = 0;
    await portal!.post('/session', { email: 'nobody@example.com', password: 'wrong password here' });
    assert.ok(sent.length > 0);
    assert.deepEqual(ofOthers('127.0.0.0/24'), []);
  });
});
