import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { table } from '../../src/cli/program/output.ts';
import { ApiKeyAuthenticator } from '../../src/auth/api-keys.ts';
import { collectUses } from '../../src/features/keys/usage/write.ts';
import { dayAgo, giveDays, running, store, waiting } from '../jobs/support.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { kontorHere } from './in-process.ts';

const pepper = 'x'.repeat(32);
let testing: TestDatabase;
let folder: string;
let variables: Record<string, string>;
let organization: string;
let tenant: string;

before(async () => {
  testing = await emptyDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-look-'));
  variables = { DATABASE_URL: testing.url, KONTOR_DATA_DIR: folder, KONTOR_KEY_PEPPER: pepper };
  organization = (await json('organization', 'create', '--name', 'Schau AG')).id;
  tenant = (await json('tenant', 'create', '--organization', organization, '--name', 'Schau GmbH')).id;
});
after(async () => {
  await testing.drop();
  await rm(folder, { recursive: true });
});

async function json(...args: string[]): Promise<Record<string, any>> {
  const run = await kontorHere([...args, '--json'], variables);
  assert.equal(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as Record<string, any>;
}

async function text(...args: string[]): Promise<string> {
  const run = await kontorHere(args, variables);
  assert.equal(run.code, 0, run.stderr);
  return run.stdout;
}

async function rejected(...args: string[]): Promise<string> {
  const run = await kontorHere(args, variables);
  assert.equal(run.code, 1, run.stdout);
  assert.equal(run.stdout, '');
  assert.match(run.stderr, /^error: [^\n]+\n$/);
  return run.stderr;
}

const anonymous = '0123456789abcdef01234567';

describe('a user who has lost an identifier', () => {
  test('finds organizations and tenants with the numbers of what they have', async () => {
    const { organizations } = await json('organization', 'list');
    const found = organizations.find(({ id }: { id: string }) => id === organization);
    assert.deepEqual([found.name, found.tenants, found.employees], ['Schau AG', 1, 0]);
    const { tenants } = await json('tenant', 'list', '--organization', organization);
    assert.deepEqual([tenants.length, tenants[0].id, tenants[0].organizationId], [1, tenant, organization]);
    assert.match(await text('tenant', 'list'), new RegExp(`^id +name.*\n.*${tenant}  Schau GmbH`, 's'));
    assert.equal((await json('organization', 'show', organization)).tenants[0].id, tenant);
    assert.equal((await json('tenant', 'show', tenant)).name, 'Schau GmbH');
  });

  test('sees the divisions of a tenant as a tree', async () => {
    const create = async (name: string, ...more: string[]) =>
      (await json('division', 'create', '--tenant', tenant, '--name', name, ...more)).id as string;
    const sales = await create('Vertrieb');
    const inside = await create('Innendienst', '--parent', sales);
    await create('Technik');
    const { divisions } = await json('division', 'list', '--tenant', tenant);
    assert.deepEqual(
      divisions.map(({ name, divisions }: any) => [name, divisions.map(({ name }: any) => name)]),
      [
        ['Vertrieb', ['Innendienst']],
        ['Technik', []],
      ],
    );
    const rendered = await text('division', 'list', '--tenant', tenant);
    assert.match(rendered, /├─ Vertrieb .*\n│ {2}└─ Innendienst .*\n└─ Technik /);
    assert.equal((await json('division', 'show', inside)).parentId, sales);
  });

  test('lists employees with filter, sort and page of the API, and shows one', async () => {
    const staff = ['Ähre', 'Birne', 'Apfel'].map(lastName => ({ tenant, lastName }));
    const stored = await storeEmployees(testing.database.sql, organization, staff);
    const ids = stored.map(({ id }) => id);
    const list = (...args: string[]) => json('employee', 'list', '--tenant', tenant, ...args);
    const { items, totalElements } = await list('--sort', 'lastName', '--page-size', '2');
    assert.deepEqual([totalElements, items.map((item: any) => item.lastName)], [3, ['Apfel', 'Birne']]);
    assert.equal((await list('--filter', "lastName = 'ähre'")).items[0].id, ids[0]);
    const rendered = await text('employee', 'list', '--tenant', tenant, '--page-size', '2');
    assert.match(rendered, /\n1 to 2 of 3 employees; --page 2 shows the next\n$/);
    const rest = await text('employee', 'list', '--tenant', tenant, '--page-size', '2', '--page', '2');
    assert.match(rest, /\n3 to 3 of 3 employees\n$/);
    assert.match(await text('employee', 'list', '--organization', organization), /Ähre[^]*\n3 employees\n$/);
    const shown = await json('employee', 'show', ids[1]!);
    assert.deepEqual([shown.organizationId, shown.lastName], [organization, 'Birne']);
    assert.match(await text('employee', 'show', ids[1]!), /^lastName +Birne$/m);
    assert.match(await rejected('employee', 'list', '--tenant', tenant, '--filter', 'x'), /filter/);
  });

  test('of orders, incidents and documents, too', async () => {
    for (const resource of ['order', 'incident', 'document']) {
      assert.deepEqual((await json(resource, 'list', '--organization', organization)).items, []);
      assert.match(await rejected(resource, 'show', anonymous), /there is no/);
    }
  });

  test('gets the missing resource or option reported', async () => {
    for (const args of [
      ['organization', 'show', anonymous],
      ['tenant', 'show', anonymous],
      ['division', 'list', '--tenant', anonymous],
      ['employee', 'list', '--organization', anonymous],
      ['employee', 'list', '--tenant', anonymous],
      ['key', 'show', '000000000000'],
      ['usage', '000000000000'],
    ])
      assert.match(await rejected(...args), /there is no /);
    assert.match(await rejected('employee', 'list'), /--organization or --tenant/);
    assert.match(await rejected('employee', 'list', '--tenant', tenant, '--page-size', '0'), /1 to 1000/);
  });
});

describe('keys with an end', () => {
  const create = (...args: string[]) =>
    json('key', 'create', '--organization', organization, '--name', 'Endlich', '--all', ...args);
  async function works(key: string): Promise<boolean> {
    const keys = new ApiKeyAuthenticator(testing.database, Buffer.from(pepper));
    const found = await keys.authenticate(key);
    await keys.close();
    return found !== null && 'actor' in found;
  }

  test('--expires takes a day or a time, in the future', async () => {
    const [year] = new Date().toISOString().split('-');
    const day = await create('--expires', `${Number(year) + 1}-01-31`);
    assert.equal((await json('key', 'show', day.id)).expiresAt, `${Number(year) + 1}-02-01T00:00:00.000Z`);
    const { expiresAt } = await json('key', 'show', (await create('--expires', '90d')).id);
    assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 90 * 86_400_000) < 60_000);
    const args = ['key', 'create', '--organization', organization, '--name', 'x', '--all', '--expires'];
    for (const wrong of ['2020-01-31', '2027-02-30', 'soon', '90'])
      assert.match(await rejected(...args, wrong), /expires/);
  });

  test('an expired key is rejected and listed as expired', async () => {
    const { id, key } = await create('--expires', '0');
    assert.equal(await works(key), false);
    assert.equal((await json('key', 'show', id)).status, 'expired');
    assert.match(await text('key', 'list', '--organization', organization), new RegExp(`${id}  expired`));
  });

  test('rotate makes a key of the same scope and quota; the old one ends after the grace', async () => {
    const division = (await json('division', 'create', '--tenant', tenant, '--name', 'Umlauf')).id;
    const args = ['key', 'create', '--organization', organization, '--name', 'Alt', '--quota', '7/70'];
    const old = await json(...args, '--division', division);
    const { id, key, replaces } = await json('key', 'rotate', old.id, '--grace', '7d');
    const [before, now] = [await json('key', 'show', old.id), await json('key', 'show', id)];
    assert.deepEqual([now.grants, now.quota, now.name], [before.grants, before.quota, 'Alt']);
    assert.equal(replaces.expiresAt, before.expiresAt);
    assert.ok(Math.abs(Date.parse(before.expiresAt) - Date.now() - 7 * 86_400_000) < 60_000);
    assert.deepEqual([await works(old.key), await works(key)], [true, true]);
    await json('key', 'rotate', id, '--grace', '0');
    assert.equal(await works(key), false);
    assert.match(await rejected('key', 'rotate', id), /expired/);
    const actions = await testing.database.sql`SELECT action FROM audit WHERE target_id = ${id} ORDER BY at`;
    assert.deepEqual(
      actions.map(row => row['action']),
      ['key.create', 'key.expire'],
    );
  });

  test('rotate never lets a key work for longer than it would have', async () => {
    const { id } = await create('--expires', '1h');
    const { expiresAt } = await json('key', 'show', id);
    assert.equal((await json('key', 'rotate', id, '--grace', '7d')).replaces.expiresAt, expiresAt);
  });

  test('usage counts the requests of a key by the day, and those that did not succeed', async () => {
    const { id } = await create();
    for (const successes of [2, 3]) {
      const uses = collectUses(testing.database.writes, () => {});
      const caller = {
        actor: { type: 'api_key', id, name: id },
        scope: { organizationId: organization, callerId: id, grants: 'all' },
      } as const;
      const request = {
        operation: 'listOrders',
        startedAt: 0,
        requestId: '1',
        rejection: null,
        readTo: null,
        caller,
      };
      for (const status of Array.from({ length: successes }, () => 200)) uses.answered(request, status);
      for (const status of [400, 401, 404, 429, 499, 503]) uses.answered(request, status);
      await uses.close();
    }
    const totals = { requests: 17, rejected: 4, denied: 2, limited: 2, failed: 2 };
    const { lastUsedAt, days, ...shown } = await json('usage', id);
    assert.deepEqual(shown, { id, ...totals });
    assert.deepEqual(days, [{ day: lastUsedAt.slice(0, 10), ...totals, lastUsedAt }]);
    const rendered = await text('usage', id);
    assert.match(
      rendered,
      /^day +requests +rejected +denied +over quota +failed +last\n.* +17 +4 +2 +2 +2 +\d\d:\d\d\n17 requests in 30/,
    );
    assert.match(await text('usage', (await create()).id), /^0 requests in 30 days,.*; never used\n$/);
  });
});

describe('the command line', () => {
  test('suggests the most similar name', async () => {
    assert.match(await rejected('serv'), /Did you mean serve\?/);
    assert.match(await rejected('key', 'lst'), /Did you mean list\?/);
    assert.match(await rejected('frobnicate'), /unknown command 'frobnicate': "kontor --help" lists/);
    assert.match(
      await rejected('key', 'list', '--organisation', organization),
      /Did you mean --organization\?/,
    );
  });

  test('rejects help on an unknown command', async () => {
    for (const args of [['nonsense'], ['key', 'nonsense']]) {
      assert.match(await rejected(...args, '--help'), /unknown command 'nonsense'/);
      assert.match(await rejected(...args, '-h'), /unknown command 'nonsense'/);
      assert.match(await rejected('help', ...args), /unknown command 'nonsense'/);
    }
    assert.match(await text('key', '--help'), /rotate/);
  });

  test('renders tables in which wide letters and combining marks are aligned, and no escape reaches the terminal', () => {
    const rendered = table(
      ['name', 'n'],
      [
        ['佐藤', 1],
        ['e\u0301te', 10],
        ['\u001b[2J', null],
      ],
    );
    assert.equal(rendered, 'name   n\n佐藤   1\ne\u0301te   10\n [2J   -');
  });
});

describe('order due', () => {
  test('shows what the service would do by itself, and does nothing', async () => {
    assert.equal(await text('order', 'due'), 'No order is due\n');
    const { sql } = testing.database;
    const place = { organizationId: organization, tenantId: tenant };
    await giveDays(sql, place, 14);
    await store(sql, place, [waiting(20), waiting(10), running(3)]);
    const { due } = await json('order', 'due');
    assert.deepEqual(
      due.map(({ job, organizationId, count }: Record<string, unknown>) => [job, organizationId, count]),
      [
        ['order_expiry', organization, 1],
        ['order_completion', organization, 1],
      ],
    );
    assert.equal((await json('tenant', 'show', tenant)).decisionDays, 14);
    assert.equal(due[0].since.slice(0, 10), dayAgo(6));
    assert.equal(due[1].since, `${dayAgo(2)}T00:00:00.000Z`);
    assert.match(await text('order', 'due'), new RegExp(`order_expiry +${organization} +1`));
    assert.deepEqual(await json('order', 'due'), { due });
  });
});

describe('order end', () => {
  test('records an early end, changes it, and restores the agreed last day', async () => {
    const place = { organizationId: organization, tenantId: tenant };
    const { sql } = testing.database;
    const [employee] = await storeEmployees(sql, organization, [{ tenant }]);
    const contract = contractInput({ startDate: '2026-01-01', endDate: '2028-12-31' });
    const input = orderInput({ employeeId: employee!.id, status: 'active', contract, orderNumber: 'A-77' });
    const [order] = await storeOrders(sql, place, [input]);
    const end = (day: string, ...more: string[]) =>
      ['order', 'end', order!.id, '--last-day', day, '--reason', 'returned', ...more] as const;
    assert.equal(await text(...end('2026-03-31')), 'The contract of order A-77 ends on 2026-03-31\n');
    const { contractRecord } = await json(...end('2026-04-30', '--comment', 'Später'));
    const [, last] = contractRecord.endHistory;
    assert.deepEqual(
      [last.lastDay, last.comment, last.recordedBy.type],
      ['2026-04-30', 'Später', 'operator'],
    );
    const restored = await text('order', 'end', order!.id, '--withdraw');
    assert.equal(restored, 'The contract of order A-77 ends on 2028-12-31\n');
    assert.match(await rejected('order', 'end', order!.id, '--withdraw'), /No early end/);
    assert.match(await rejected(...end('2029-01-01')), /lastDay must be from 2026-01-01 to 2028-12-31/);
  });
});
