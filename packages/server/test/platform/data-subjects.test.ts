import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { databaseStore } from '../../src/files/database-store.ts';
import { type FileStore, FileStoreError } from '../../src/files/file-store.ts';
import { unzip } from '../privacy/zip.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { apiClient } from '../support/contract/client.ts';
import { contractInput } from '../support/data/orders.ts';
import { type DataSubject, storeDataSubject } from '../support/data/person.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();
const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let dataSubject: DataSubject;
beforeEach(async () => {
  dataSubject = await storeDataSubject(fixture, { employee: { firstName: 'Zoë', lastName: 'Müller' } });
});

const pathOf = (id: string, what: string) =>
  `/organizations/${fixture.testData.organization}/employees/${id}/${what}`;
const audited = (id: string, action: string) => fixture.sql`
  SELECT actor_type, request_id, address FROM audit WHERE target_id = ${id} AND action = ${action}`;

/** A client of a service that opens files with this function. */
async function clientOn(open: FileStore['open'], timeout = 10_000) {
  const { sql } = fixture;
  const service = await startService(sql, { files: { store: { ...databaseStore(sql), open }, timeout } });
  resources.defer(() => service.stop());
  const client = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  resources.defer(() => client.close());
  return client;
}

describe('GET …/employees/{id}/export', () => {
  test('200: a ZIP of all that is stored about the person, and an entry of the audit that is in it', async () => {
    const { own, client } = fixture;
    const { status, headers, bytes } = await own.get(pathOf(dataSubject.id, 'export'));
    assert.deepEqual([status, headers['content-type']], [200, 'application/zip']);
    assert.match(headers['content-disposition']!, new RegExp(`filename="employee-${dataSubject.id}.zip"`));
    assert.equal(headers['content-length'], undefined);
    const files = unzip(bytes);
    const json = (name: string) => JSON.parse(files.get(name)!.toString());
    assert.deepEqual(json('employee.json').document, (await client.get(`/employees/${dataSubject.id}`)).body);
    assert.deepEqual(
      [dataSubject.orderFile, dataSubject.incidentFile].map(({ id }) =>
        [...files].find(([name]) => name.startsWith(`files/${id}`))?.[1].toString(),
      ),
      [dataSubject.orderFile.bytes.toString(), dataSubject.incidentFile.bytes.toString()],
    );
    const entry = json('audit.json').find(({ action }: { action: string }) => action === 'employee.export');
    assert.deepEqual([entry.actor_type, entry.request_id], ['platform_token', headers['x-request-id']]);
    assert.deepEqual(await audited(dataSubject.id, 'employee.export'), [
      { actor_type: 'platform_token', request_id: headers['x-request-id'], address: '127.0.0.1' },
    ]);
  });

  test('200: a file that is gone is named in the page', async () => {
    const client = await clientOn(async () => null);
    const { status, bytes } = await client.get(pathOf(dataSubject.id, 'export'));
    assert.equal(status, 200);
    assert.match(unzip(bytes).get('index.html')!.toString(), /it is no longer there/);
  });

  test('502 BAD_GATEWAY: the file store fails', async () => {
    const client = await clientOn(() => Promise.reject(new FileStoreError('away')));
    const { status, body } = await client.get(pathOf(dataSubject.id, 'export'));
    assert.deepEqual([status, body.error.code], [502, 'BAD_GATEWAY']);
  });

  test('504 GATEWAY_TIMEOUT: the file store sends nothing', async () => {
    const client = await clientOn(() => new Promise(() => {}), 100);
    const { status, body } = await client.get(pathOf(dataSubject.id, 'export'));
    assert.deepEqual([status, body.error.code], [504, 'GATEWAY_TIMEOUT']);
  });

  test('a file store that fails half way cuts the answer short, which a client detects', async () => {
    const { open } = databaseStore(fixture.sql);
    let opened = 0;
    const client = await clientOn(file =>
      opened++ === 0 ? open(file) : Promise.reject(new FileStoreError('away')),
    );
    await assert.rejects(client.get(pathOf(dataSubject.id, 'export')));
    assert.equal(opened, 2);
  });
});

describe('…/employees/{id}/erasure', () => {
  test('GET 200: that it is possible, and what it takes away', async () => {
    const { own } = fixture;
    assert.deepEqual((await own.get(pathOf(dataSubject.id, 'erasure'))).body, {
      employeeId: dataSubject.id,
      erasedAt: null,
      possible: true,
      possibleFrom: null,
      reasons: [],
      orders: 1,
      incidents: 1,
      files: 2,
    });
  });

  test('POST 200: the person is erased, pollers see it, and it is audited with the request', async () => {
    const { own, client } = fixture;
    const before = (await client.get(`/employees/${dataSubject.id}`)).body;
    const { status, body, headers } = await own.post(pathOf(dataSubject.id, 'erasure'), undefined);
    assert.equal(status, 200);
    const { erasedAt, ...rest } = body;
    assert.deepEqual(rest, {
      employeeId: dataSubject.id,
      possible: true,
      possibleFrom: null,
      reasons: [],
      orders: 1,
      incidents: 1,
      files: 2,
    });
    const { items } = (
      await client.get('/employees', { query: { filter: `updatedAt > ${before.updatedAt}` } })
    ).body;
    assert.deepEqual(
      items.map(({ id, firstName, updatedAt }: Record<string, unknown>) => ({ id, firstName, updatedAt })),
      [{ id: dataSubject.id, firstName: null, updatedAt: erasedAt }],
    );
    const [entry] = await audited(dataSubject.id, 'employee.erase');
    assert.deepEqual([entry!.actor_type, entry!.request_id], ['platform_token', headers['x-request-id']]);
    const again = await own.get(pathOf(dataSubject.id, 'erasure'));
    assert.deepEqual([again.body.erasedAt, again.body.files], [erasedAt, 0]);
    const download = `/orders/${dataSubject.orderId}/attachments/${dataSubject.orderFile.id}`;
    assert.equal((await client.get(download)).status, 404);
  });

  test('POST 200: a second one changes nothing and keeps the instant of the first', async () => {
    const { own, sql } = fixture;
    const first = (await own.post(pathOf(dataSubject.id, 'erasure'), undefined)).body;
    const before = await stateOf(sql);
    const second = (await own.post(pathOf(dataSubject.id, 'erasure'), undefined)).body;
    assert.deepEqual(second, { ...first, files: 0 });
    assert.equal(await stateOf(sql), before);
  });

  for (const [why, order, from] of [
    [
      'a voucher is kept',
      { contract: contractInput({ startDate: '2021-10-01', endDate: '2034-09-30' }) },
      '2041-01-01',
    ],
    [
      'an order is active, and ends on a day',
      { status: 'active', contract: contractInput({ startDate: '2031-10-01', endDate: '2034-09-30' }) },
      '2041-01-01',
    ],
    [
      'an order is active, and nobody knows how long',
      { status: 'active', contract: contractInput({ startDate: '2031-10-01' }) },
      null,
    ],
  ] as const)
    test(`409 INVALID_STATE_TRANSITION with the day from which it is possible: ${why}`, async () => {
      const { own, sql } = fixture;
      const { id } = await storeDataSubject(fixture, { order });
      const before = await stateOf(sql);
      const found = (await own.get(pathOf(id, 'erasure'))).body;
      assert.deepEqual([found.possible, found.possibleFrom, found.reasons.length], [false, from, 1]);
      for (const query of [{}, { dryRun: true }]) {
        const { status, body } = await own.request('POST', pathOf(id, 'erasure'), { query });
        assert.deepEqual([status, body.error.code], [409, 'INVALID_STATE_TRANSITION']);
        assert.match(
          body.error.message,
          from === null ? /the first possible day is not known yet/ : new RegExp(`it can be from ${from}`),
        );
        assert.ok(body.error.message.includes(found.reasons[0]));
      }
      assert.equal(await stateOf(sql), before);
    });
});

describe('GET …/tenants/{id}/retention', () => {
  test('200: who has left and may be erased, how many are kept, and until when', async () => {
    const { own, sql, testData } = fixture;
    const left = { tenant: testData.tenantB, blocked: true };
    const [gone] = await storeEmployees(sql, testData.organization, [left, { tenant: testData.tenantB }]);
    const contract = contractInput({ startDate: '2021-10-01', endDate: '2034-09-30' });
    const kept = await storeDataSubject(fixture, { order: { contract } });
    const path = `/organizations/${testData.organization}/tenants`;
    assert.deepEqual((await own.get(`${path}/${testData.tenantB}/retention`)).body, {
      tenantId: testData.tenantB,
      voucherYears: 6,
      otherDays: 0,
      dueCount: 1,
      dueEmployeeIds: [gone!.id],
      keptCount: 0,
      nextDueOn: null,
      documentCount: 0,
      firstPeriod: null,
      lastPeriod: null,
    });
    await fixture.client.patch(`/employees/${kept.id}`, { blocked: true });
    const { body } = await own.get(`${path}/${testData.tenantA}/retention`);
    assert.deepEqual([body.keptCount, body.nextDueOn], [1, '2041-01-01']);
    assert.equal(body.dueEmployeeIds.includes(kept.id), false);
  });
});
