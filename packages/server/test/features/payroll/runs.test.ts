import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storeEmployees } from '../../support/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../../support/orders.ts';
import { usePlatform } from '../../platform/support.ts';
import { settingsInput } from './support.ts';

const fixture = usePlatform(async ({ own, testData }) => {
  const answer = await own.post(
    `/organizations/${testData.organization}/tenants/${testData.tenantA}/payroll-settings`,
    settingsInput,
  );
  assert.equal(answer.status, 200);
});

const at = (path: string) => `/organizations/${fixture.testData.organization}${path}`;
const ofTenant = (path: string) => at(`/tenants/${fixture.testData.tenantA}${path}`);

/** An active order of a new employee of tenant A. */
async function activeOrder(contract: object, employee: object = {}) {
  const { sql, testData } = fixture;
  const [person] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, employeeNumber: '1234', lastName: 'Müller', firstName: 'Änne', ...employee },
  ]);
  const input = orderInput({
    employeeId: person!.id,
    status: 'active',
    hrHistory: historyInput('approved'),
    contract: contractInput({ contractNumber: 'LV-1', ...contract }),
  });
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  return (await storeOrders(sql, target, [input]))[0]!;
}

async function draft(period: string, formats = ['csv']) {
  const created = await fixture.own.post(ofTenant('/payroll-runs'), { period, formats });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  for (;;) {
    const { body: run } = await fixture.own.get(at(`/payroll-runs/${created.body.id}`));
    if (run.status !== 'computing') return run;
  }
}

describe('payroll runs', () => {
  test('what is owed is exported once', async () => {
    await activeOrder({ startDate: '2026-10-16', endDate: '2029-10-15' });
    const run = await draft('2026-10');
    assert.equal(run.status, 'draft', JSON.stringify(run));
    console.log(JSON.stringify(run.summary, null, 1));
    const released = await fixture.own.post(at(`/payroll-runs/${run.id}/release`), undefined);
    console.log(released.status, JSON.stringify(released.body, null, 1));
    assert.equal(released.body.status, 'released');
    const [document] = released.body.documents;
    const file = await fixture.client.get(`/payroll-export-documents/${document.id}/download`);
    console.log(file.bytes.toString());
    const next = await draft('2026-10');
    assert.equal(next.summary.entries, 0);
  });
});
