import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createTenant } from '../../src/features/organizations/store.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();
let id: string;
let path: string;
beforeEach(async () => {
  const { sql, testData } = fixture;
  id = await createTenant(sql, testData.organization, 'Muster Wien GmbH');
  path = `/organizations/${testData.organization}/tenants/${id}`;
});

const audited = () => fixture.sql`
  SELECT action, fields FROM audit WHERE target_id = ${id} AND action <> 'tenant.create'`;

describe('PATCH …/tenants/{id}', () => {
  test('200: orders of a tenant wait for ever until days are set, and again when they are taken away', async () => {
    const { own } = fixture;
    assert.equal((await own.get(path)).body.decisionDays, null);
    const { status, body } = await own.patch(path, { decisionDays: 14 });
    assert.deepEqual([status, body.decisionDays], [200, 14]);
    assert.deepEqual((await own.get(path)).body, body);
    assert.equal((await own.patch(path, { decisionDays: null })).body.decisionDays, null);
    const entry = { action: 'tenant.update', fields: ['decisionDays'] };
    assert.deepEqual(await audited(), [entry, entry]);
  });

  test('200: what is set already is not audited, and the clock of the organization stays', async () => {
    const { own, sql, testData } = fixture;
    const clock = async () =>
      (await sql<{ clock: Date }[]>`SELECT clock FROM organization WHERE id = ${testData.organization}`)[0]!
        .clock;
    const before = await clock();
    await own.patch(path, { decisionDays: 14 });
    await own.patch(path, { decisionDays: 14 });
    assert.equal((await audited()).length, 1);
    assert.deepEqual(await clock(), before);
  });

  for (const decisionDays of [0, -1, 3651, 1.5, '14', 1e99])
    test(`400 VALIDATION_ERROR: ${JSON.stringify(decisionDays)} days`, async () => {
      const { status, body } = await fixture.own.patch(path, { decisionDays });
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
      assert.match(body.error.message, /decisionDays/);
    });

  test('200: the new name is found, audited, and kept from clients of the public API', async () => {
    const { own, sql, testData } = fixture;
    const read = () => sql`SELECT clock FROM organization WHERE id = ${testData.organization}`;
    const before = await read();
    const { status, body } = await own.patch(path, { name: 'Österreich Muster GmbH' });
    assert.deepEqual([status, body.name, body.decisionDays], [200, 'Österreich Muster GmbH', null]);
    const query = { filter: "name STARTS_WITH 'öSTERREICH muster'" };
    const found = await own.get(`/organizations/${testData.organization}/tenants`, { query });
    assert.deepEqual(found.body.items, [body]);
    assert.deepEqual(await audited(), [{ action: 'tenant.update', fields: ['name'] }]);
    assert.deepEqual(await read(), before);
  });

  test('200: a dry run shows the new name and stores nothing; two companies may have one name', async () => {
    const { own, sql, testData } = fixture;
    const query = { dryRun: true };
    assert.equal((await own.patch(path, { name: 'Probe GmbH' }, { query })).body.name, 'Probe GmbH');
    assert.equal((await own.get(path)).body.name, 'Muster Wien GmbH');
    await createTenant(sql, testData.organization, 'Zweite GmbH');
    assert.equal((await own.patch(path, { name: 'Zweite GmbH' })).status, 200);
  });

  for (const name of ['', ' ', 'x'.repeat(201), null, 7])
    test(`400 VALIDATION_ERROR: the name ${JSON.stringify(name).slice(0, 20)}`, async () => {
      const { status, body } = await fixture.own.patch(path, { name });
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
    });

  test('400: nothing to set, and what cannot be set', async () => {
    const { own } = fixture;
    assert.equal((await own.patch(path, {})).body.error.code, 'VALIDATION_ERROR');
    assert.equal((await own.patch(path, { city: 'Wien' })).body.error.code, 'UNSUPPORTED_FIELD');
  });
});

test('POST …/tenants 201: with the days of its orders, by which tenants are found', async () => {
  const { own, testData } = fixture;
  const tenants = `/organizations/${testData.organization}/tenants`;
  const { body } = await own.post(tenants, { name: 'Muster Graz GmbH', decisionDays: 21 });
  assert.equal(body.decisionDays, 21);
  const found = await own.get(tenants, {
    query: { filter: 'decisionDays > 20 AND decisionDays IS NOT NULL' },
  });
  assert.deepEqual(found.body.items, [body]);
});
