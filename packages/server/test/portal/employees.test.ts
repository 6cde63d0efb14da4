import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { apis, type Employee, type EmployeeChange } from '@kontor/contract';
import { exportOf } from '../support/contract/exports.ts';
import { employeeChangeRemoval } from '../../src/features/employees/history.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { type FileStore, FileStoreError } from '../../src/files/file-store.ts';
import { runOnce } from '../jobs/support.ts';
import { unzip } from '../privacy/zip.ts';
import { apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { storePayrollEntry } from '../support/data/payroll-runs.ts';
import { storeDataSubject } from '../support/data/person.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

/** HR of company A alone; the same as company admin; and HR of company B. */
let petra: { id: string; key: string };
let admin: string;
let elsewhere: string;
const fixture = usePortal(async ({ sql, testData }) => {
  const { organization, tenantA, tenantB } = testData;
  const hr = (hrTenants: string[], more: 'COMPANY_ADMIN'[] = []) =>
    signedInUser(sql, organization, { permissions: ['HR', ...more], hrTenants });
  const { user, secret } = await hr([tenantA]);
  petra = { id: user.id, key: secret };
  ({ secret: admin } = await hr([tenantA], ['COMPANY_ADMIN']));
  ({ secret: elsewhere } = await hr([tenantB]));
});
const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

async function person(more: object = {}): Promise<Employee> {
  const { organization, tenantA } = fixture.testData;
  const [stored] = await storeEmployees(fixture.sql, organization, [{ tenant: tenantA, ...more }]);
  return stored!;
}

const get = (path: string, key = petra.key) => fixture.portal.get(`/employees${path}`, { key });
const patch = (id: string, body: object) =>
  fixture.portal.patch(`/employees/${id}`, body, { key: petra.key });

async function changesOf(
  id: string,
): Promise<[actor: string, field: string, before: unknown, after: unknown][]> {
  const { body } = await get(`/${id}/changes?sort=createdAt`);
  return (body.items as EmployeeChange[]).flatMap(({ actorType, values }) =>
    values.map(({ field, before, after }) => [actorType, field, before, after] as const),
  ) as never;
}

describe('the history of an employee', () => {
  test('has who changed which values, whatever they used, and nothing of a creation', async () => {
    const { client, portal, sql, testData, service } = fixture;
    const { organization, tenantA, sales } = testData;
    const created = await portal.post(
      '/employees',
      { email: 'h1@example.com', firstName: 'A', lastName: 'B', divisionId: sales },
      { key: petra.key },
    );
    assert.equal(created.status, 201);
    const { id } = created.body;
    assert.equal(created.headers['location'], `${apis.portal.prefix}/employees/${id}`);
    assert.deepEqual(await changesOf(id), []);
    await patch(id, { city: 'Bonn', blocked: true, firstName: 'A' });
    await client.patch(`/employees/${id}`, { city: null, divisionId: null });
    await client.patch(`/employees/${id}`, { city: 'Köln' }, { query: { dryRun: true } });
    const activated = await portal.post(`/employees/${id}/activation`, undefined, { key: petra.key });
    await portal.post(`/employees/${id}/activation`, undefined, { key: petra.key });
    assert.deepEqual(await changesOf(id), [
      ['user', 'city', null, 'Bonn'],
      ['user', 'blocked', 'false', 'true'],
      ['api_key', 'city', 'Bonn', null],
      ['api_key', 'divisionId', sales, null],
      ['user', 'activatedAt', null, activated.body.activatedAt],
    ]);
    const { body } = await get(`/${id}`);
    assert.deepEqual([body.activatedAt, body.erasedAt], [activated.body.activatedAt, null]);
    // The platform assigns an employee to a company, and activates many at once.
    const [stranger] = await storeEmployees(sql, organization, [{ tenant: null }]);
    const platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
    resources.defer(() => platform.close());
    const path = `/organizations/${organization}`;
    await platform.post(`${path}/employees/${stranger!.id}/assignment`, { tenant: tenantA });
    await platform.post(`${path}/activation-batches`, { items: [{ employeeId: stranger!.id }] });
    assert.deepEqual(
      (await changesOf(stranger!.id)).map(([actor, field, before]) => [actor, field, before]),
      [
        ['platform_token', 'tenant', null],
        ['platform_token', 'activatedAt', null],
      ],
    );
  });

  test('422 VALIDATION_ERROR: from after to', async () => {
    const { id } = await person();
    const days = 'createdAtFrom=2026-09-02T00:00:00Z&createdAtTo=2026-09-01T00:00:00Z';
    assert.equal(outcome(await get(`/${id}/changes?${days}`)), '422 VALIDATION_ERROR');
  });

  test('is removed after the days that the organization has set', async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const { id } = await person();
    for (const city of ['Bonn', 'Köln']) await patch(id, { city });
    await sql`
      UPDATE employee_change SET at = at - interval '12 days'
      WHERE organization_id = ${organization} AND employee_id = ${id} AND changes @> '{"city": [null, "Bonn"]}'`;
    await runOnce(sql, employeeChangeRemoval);
    assert.equal((await changesOf(id)).length, 2);
    const key = admin;
    await fixture.portal.patch('/organization', { employeeHistoryDays: 10 }, { key });
    const { inspections } = await runOnce(sql, employeeChangeRemoval);
    assert.deepEqual(inspections, [1, 0]);
    assert.deepEqual(await changesOf(id), [['user', 'city', 'Bonn', 'Köln']]);
    await fixture.portal.patch('/organization', { employeeHistoryDays: 1095 }, { key });
  });
});

describe('updatePortalEmployee', () => {
  test('409 INVALID_STATE_TRANSITION: another user changed the employee since the form was opened', async () => {
    const { id, updatedAt: unchangedSince } = await person();
    const first = await patch(id, { city: 'Bonn', unchangedSince });
    assert.equal(first.status, 200);
    const second = await patch(id, { street: 'Markt 1', unchangedSince });
    assert.equal(outcome(second), '409 INVALID_STATE_TRANSITION');
    assert.equal(second.headers.etag, undefined);
    const again = await patch(id, { street: 'Markt 1', unchangedSince: first.body.updatedAt });
    assert.deepEqual([again.body.city, again.body.street], ['Bonn', 'Markt 1']);
  });
});

describe('changePortalEmployeeEmail and blockPortalEmployee', () => {
  const post = (id: string, what: 'email' | 'blocking', body: object, key = petra.key) =>
    fixture.portal.post(`/employees/${id}/${what}`, body, { key });

  test('200: the history has both emails, and the reason of a block', async () => {
    const { id, email } = await person();
    assert.equal((await post(id, 'email', { email: 'h2@example.com' })).body.email, 'h2@example.com');
    assert.equal((await post(id, 'blocking', { blocked: true, reason: 'Elternzeit' })).body.blocked, true);
    assert.deepEqual(await changesOf(id), [
      ['user', 'email', email, 'h2@example.com'],
      ['user', 'blocked', 'false', 'true'],
    ]);
    const { body } = await get(`/${id}/changes?sort=createdAt`);
    assert.deepEqual(
      body.items.map(({ reason }: EmployeeChange) => reason),
      [null, 'Elternzeit'],
    );
  });

  test('404 and 409: a person of another company, and an email that another person has', async () => {
    const { id } = await person();
    const other = await person();
    assert.equal(outcome(await post(id, 'email', { email: other.email })), '409 DUPLICATE_RESOURCE');
    assert.equal(outcome(await post(id, 'email', { email: 'h3@example.com' }, elsewhere)), '404 NOT_FOUND');
    assert.equal(outcome(await post(id, 'blocking', { blocked: true }, elsewhere)), '404 NOT_FOUND');
  });
});

describe('createPortalEmployee', () => {
  const create = (body: object, key = petra.key) =>
    fixture.portal.post('/employees', { firstName: 'A', lastName: 'B', ...body }, { key });

  test('400, 409 and 422: as the public API', async () => {
    const { sql, testData } = fixture;
    const { organization, lager } = testData;
    const { email } = await person();
    assert.equal(outcome(await create({ email })), '409 DUPLICATE_RESOURCE');
    assert.equal(
      outcome(await create({ email: 'c1@example.com', divisionId: '7' })),
      '400 INVALID_REFERENCE_ID',
    );
    const strange = await create({ email: 'c2@example.com', divisionId: lager });
    assert.equal(outcome(strange), '422 INVALID_REFERENCE');
    const { secret } = await signedInUser(sql, organization, { permissions: ['HR'], hrTenants: null });
    const anywhere = await create({ email: 'c3@example.com' }, secret);
    assert.equal(outcome(anywhere), '422 TENANT_CONTEXT_AMBIGUOUS');
  });
});

describe('exportPortalEmployees', () => {
  test('200: a CSV file of what is filtered, and who exported it is in the audit', async () => {
    const { portal, sql, testData } = fixture;
    const { id } = await person({ employeeNumber: 'X-77', lastName: 'Ärzte; "GmbH"' });
    await person({ employeeNumber: 'X-78' });
    const filter = "employeeNumber = 'X-77'";
    const { bytes } = await portal.post('/employees/export', exportOf(['id', 'lastName'], { filter }), {
      key: petra.key,
    });
    const lines = bytes.toString().trimEnd().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1]!, new RegExp(`^${id};.*"Ärzte; ""GmbH"""`));
    const entries = await sql`
      SELECT actor FROM audit WHERE organization_id = ${testData.organization} AND action = 'employee.export_list'`;
    assert.deepEqual(entries, [{ actor: petra.id }]);
  });
});

describe('the data of a person', () => {
  const erasure = (id: string, key: string) =>
    fixture.portal.post(`/employees/${id}/erasure`, undefined, { key });

  test('are exported with the history, and erased with it, by a company admin who is HR of the company', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA } = testData;
    const { id, orderId } = await storeDataSubject(fixture, { employee: { lastName: 'Blaukehlchen' } });
    const payroll = { tenantId: tenantA, employeeId: id, orderId, month: '2012-03' };
    await storePayrollEntry(sql, { organization, ...payroll });
    await patch(id, { lastName: 'Rotkehlchen' });
    for (const key of [petra.key, elsewhere]) {
      assert.equal(outcome(await erasure(id, key)), '403 PERMISSION_DENIED');
      assert.equal(outcome(await get(`/${id}/export`, key)), '403 PERMISSION_DENIED');
    }
    const { headers, bytes } = await get(`/${id}/export`, admin);
    assert.match(headers['content-disposition']!, new RegExp(`filename="employee-${id}.zip"`));
    const [change] = JSON.parse(unzip(bytes).get('history.json')!.toString());
    assert.deepEqual(change.changes, { lastName: ['Blaukehlchen', 'Rotkehlchen'] });
    assert.match(unzip(bytes).get('index.html')!.toString(), /Blaukehlchen.*Rotkehlchen/);
    const { possible, holds, payrollEntries, payrollKeptUntil } = (await get(`/${id}/erasure`)).body;
    assert.deepEqual([possible, holds, payrollEntries, payrollKeptUntil], [true, [], 1, '2019-01-01']);
    const erased = await erasure(id, admin);
    assert.deepEqual([erased.status, erased.body.payrollEntries], [200, 1]);
    const { employee, erasedAt } = (await get(`/${id}`)).body;
    assert.deepEqual([employee.lastName, erasedAt], [null, employee.updatedAt]);
    assert.deepEqual(await changesOf(id), []);
    assert.equal((await get(`/${id}/erasure`)).body.payrollKeptUntil, '2019-01-01');
  });

  test('409 INVALID_STATE_TRANSITION: the reasons to keep them have a kind, a number and a day', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA } = testData;
    const { id, orderId } = await storeDataSubject(fixture, {});
    const month = new Date().toISOString().slice(0, 7);
    await storePayrollEntry(sql, { organization, tenantId: tenantA, employeeId: id, orderId, month });
    const until = `${Number(month.slice(0, 4)) + 7}-01-01`;
    const { possible, possibleFrom, holds } = (await get(`/${id}/erasure`)).body;
    assert.deepEqual([possible, possibleFrom], [false, until]);
    assert.deepEqual(holds, [{ kind: 'payroll', subject: month, until }]);
    assert.equal(outcome(await erasure(id, admin)), '409 INVALID_STATE_TRANSITION');
  });

  test('502 BAD_GATEWAY, 504 GATEWAY_TIMEOUT: a store of files that fails or stalls', async () => {
    const { sql } = fixture;
    const { id } = await storeDataSubject(fixture, {});
    const exportOf = async (open: FileStore['open']) => {
      const files = { store: { ...databaseStore(sql), open }, timeout: 100 };
      const service = await startService(sql, { files });
      resources.defer(() => service.stop());
      const client = apiClient(service.url, { api: 'portal' });
      resources.defer(() => client.close());
      return outcome(await client.get(`/employees/${id}/export`, { key: admin }));
    };
    assert.equal(await exportOf(() => Promise.reject(new FileStoreError('down'))), '502 BAD_GATEWAY');
    assert.equal(await exportOf(() => new Promise<never>(() => {})), '504 GATEWAY_TIMEOUT');
  });
});
