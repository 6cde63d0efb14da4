import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { storeEmployees } from '../support/data/employees.ts';
import { storeIncident } from '../support/data/incidents.ts';
import { contractInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { testDivision } from '../support/data/test-data.ts';
import { signedInUser } from '../support/data/users.ts';
import { exportOf } from '../support/contract/exports.ts';
import { outcome, usePortal } from './support.ts';

const fixture = usePortal();

/** The lines of a file, without the byte order mark that it must have. */
function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString();
  assert.equal(text[0], '\uFEFF');
  return text.slice(1).trimEnd().split('\r\n');
}

describe('the file of a list', () => {
  let key: string;
  let elsewhere: string;
  let admin: string;
  const post = (path: string, body: object, secret = key) => fixture.portal.post(path, body, { key: secret });

  before(async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA, tenantB } = testData;
    const place = { organizationId: organization, tenantId: tenantA };
    const root = await testDivision(sql, place, 'Werk Nord');
    const below = await testDivision(sql, { ...place, parentId: root }, 'Lager');
    const [person] = await storeEmployees(sql, organization, [
      { tenant: tenantA, divisionId: below, firstName: 'Ute', lastName: '=1+1', employeeNumber: '7' },
    ]);
    await storeEmployees(sql, organization, [{ tenant: tenantB, lastName: 'Fremd' }]);
    const order = { orderNumber: 'A-1', employeeId: person!.id, contract: contractInput() };
    await storeOrders(sql, place, [orderInput(order)]);
    await storeIncident(sql, { organization, tenant: tenantA }, { employeeId: person!.id });
    const hr = (hrTenants: string[]) => signedInUser(sql, organization, { permissions: ['HR'], hrTenants });
    ({ secret: key } = await hr([tenantA]));
    ({ secret: elsewhere } = await hr([tenantB]));
    ({ secret: admin } = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN', 'IT'] }));
  });

  const orders = {
    columns: [
      { field: 'person.lastName', label: 'Nachname' },
      { field: 'divisionPath', label: 'Bereich' },
      { field: 'tenantName', label: 'Unternehmen' },
      { field: 'products', label: 'Produkte' },
      { field: 'salaryConversion', label: 'Umwandlung' },
      { field: 'status', label: 'Status' },
      { field: 'submittedAt', label: 'Eingereicht' },
      { field: 'decidedAt', label: 'Entschieden' },
    ],
    words: [{ field: 'status', value: 'under_review', words: 'Zu entscheiden' }],
    language: 'de',
    timeZone: 'Europe/Berlin',
    filter: "orderNumber = 'A-1'",
  } as const;

  test('has the words, division, amounts and dates of a German spreadsheet, and no formula', async () => {
    const { bytes, headers } = await post('/orders/export', orders);
    assert.match(headers['content-disposition'] ?? '', /orders\.csv/);
    const [heads, row, ...others] = linesOf(bytes);
    assert.equal(heads, 'Nachname;Bereich;Unternehmen;Produkte;Umwandlung;Status;Eingereicht;Entschieden');
    assert.match(
      row!,
      /^'=1\+1;Werk Nord › Lager;[^;]+;Nox Helium;\d+,\d\d;Zu entscheiden;01\.09\.2026 12:00:00;$/,
    );
    assert.deepEqual(others, []);
  });

  test('has commas, decimal points and ISO dates in English', async () => {
    const { bytes } = await post('/orders/export', { ...orders, language: 'en', timeZone: 'UTC' });
    assert.match(
      linesOf(bytes)[1]!,
      /^'=1\+1,Werk Nord › Lager,[^,]+,Nox Helium,\d+\.\d\d,Zu entscheiden,2026-09-01 10:00:00,$/,
    );
  });

  test('of incidents has days, and empty cells for what is missing', async () => {
    const { bytes } = await post('/incidents/export', exportOf(['occurredOn', 'effectiveFrom', 'editable']));
    assert.deepEqual(linesOf(bytes), ['occurredOn;effectiveFrom;editable', '02.09.2026;;true']);
  });

  test('has only rows in the scope of the user', async () => {
    for (const path of ['/orders/export', '/incidents/export']) {
      const { bytes } = await post(path, exportOf(['id']), elsewhere);
      assert.deepEqual(linesOf(bytes), ['id']);
    }
    assert.equal(outcome(await post('/orders/export', exportOf(['id']), admin)), '403 PERMISSION_DENIED');
    const { bytes } = await post('/tenants/export', exportOf(['id']), elsewhere);
    assert.deepEqual(linesOf(bytes), ['id', fixture.testData.tenantB]);
  });

  test('has the order of the list over many slices, with nulls as in the list', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantB } = testData;
    const persons = Array.from({ length: 4100 }, (_, n) => ({
      tenant: tenantB,
      employeeNumber: String(n),
      city: n % 3 === 0 ? null : `Ort ${n % 7}`,
    }));
    await storeEmployees(sql, organization, persons);
    for (const sort of ['city', '-city', '-createdAt', 'blocked']) {
      const { bytes } = await post('/employees/export', exportOf(['id'], { sort }), elsewhere);
      const shown: string[] = [];
      for (let page = 1; page <= 5; page++) {
        const { body } = await post('/employees/search', { sort, pageSize: 1000, page }, elsewhere);
        for (const { id } of (body as { items: { id: string }[] }).items) shown.push(id);
      }
      assert.equal(shown.length, 4101);
      assert.deepEqual(linesOf(bytes).slice(1), shown, sort);
    }
  });

  test('of keys, users and audit has lists in words', async () => {
    const words = [{ field: 'permissions', value: 'IT', words: 'Technik' }];
    const body = exportOf([], { columns: [{ field: 'permissions', label: 'Rechte' }], words });
    const users = linesOf((await post('/users/export', body, admin)).bytes);
    assert.ok(users.includes('Technik, COMPANY_ADMIN'), users.join());
    const keys = linesOf(
      (await post('/api-keys/export', exportOf(['name', 'tenants', 'requests']), admin)).bytes,
    );
    assert.equal(keys[0], 'name;tenants;requests');
    const audit = exportOf(['action', 'fields'], { sort: '-createdAt' });
    const entries = linesOf((await post('/audit-entries/export', audit, admin)).bytes);
    assert.equal(entries[1], 'key.export;');
  });

  test('is in the audit', async () => {
    const actions = ['order.export_list', 'incident.export_list', 'tenant.export_list'];
    const found = await fixture.sql<{ action: string }[]>`
      SELECT DISTINCT action FROM audit WHERE organization_id = ${fixture.testData.organization}
        AND action LIKE '%.export_list'`;
    const recorded = new Set(found.map(({ action }) => action));
    assert.deepEqual(
      actions.filter(action => !recorded.has(action)),
      [],
    );
  });

  test('is rejected for fields and time zones that do not exist', async () => {
    assert.equal(outcome(await post('/orders/export', exportOf(['doc']))), '422 VALIDATION_ERROR');
    const nowhere = exportOf(['id'], { timeZone: 'Mars/Base' });
    assert.equal(outcome(await post('/orders/export', nowhere)), '422 VALIDATION_ERROR');
  });
});
