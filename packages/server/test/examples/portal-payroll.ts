import { settingsInput } from '../features/payroll/support.ts';
import { storeEmployees } from '../support/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/orders.ts';
import type { Sent, Stage } from './recorder.ts';

/** Records a month of payroll in the portal, from the settings to a file. */
export async function workOfPayroll(stage: Stage, key: string): Promise<void> {
  const { client, recorder, testData } = stage;
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  const { employeeId, orderId } = await leasing(stage);
  const company = { path: { id: testData.tenantA } };
  await recorder.reject(client, 'getPortalPayrollSettings', [404, 'NOT_FOUND'], { key, ...company });
  const settings = { ...company, body: { ...settingsInput, firstPeriod: '2026-10' } };
  await ask('setPortalPayrollSettings', { ...settings, query: { dryRun: true } });
  await ask('setPortalPayrollSettings', settings);
  await ask('getPortalPayrollSettings', company);
  await ask('getPortalPayrollImportDescription', company);
  const wanted = { ...company, body: { period: '2026-10', formats: ['csv', 'datev_lodas'] } };
  await ask('createPortalPayrollRun', { ...wanted, query: { dryRun: true } });
  const path = { id: (await ask('createPortalPayrollRun', wanted)).body.id as string };
  await computed(stage, key, path.id);
  await ask('listPortalPayrollFindings', { path });
  await ask('releasePortalPayrollRun', { path });
  const { body: released } = await ask('getPortalPayrollRun', { path });
  const [file] = released.files;
  await ask('downloadPortalPayrollFile', { path: { id: file.id } });
  await ask('listPortalPayrollRuns', { ...company, query: { period: '2026-10' } });
  await ask('explainPortalPayroll', { path: { id: employeeId }, query: { period: '2026-10' } });
  const reason = 'Vom Steuerbüro nachberechnet';
  const settled = { orderId, month: '2026-11', kind: 'salary_conversion', reason };
  await ask('createPortalPayrollSettlement', { body: settled, query: { dryRun: true } });
  await ask('createPortalPayrollSettlement', { body: settled });
  const next = await client.post(
    `/tenants/${testData.tenantA}/payroll-runs`,
    { period: '2026-11', formats: ['csv'] },
    { key },
  );
  await computed(stage, key, next.body.id);
  await ask('discardPortalPayrollRun', { path: { id: next.body.id as string } });
}

async function leasing({ sql, testData }: Stage): Promise<{ employeeId: string; orderId: string }> {
  const { organization, tenantA, sales } = testData;
  const person = { email: 'mia.fischer@example.com', firstName: 'Mia', lastName: 'Fischer' };
  const place = { tenant: tenantA, divisionId: sales, employeeNumber: '1234' };
  const [employee] = await storeEmployees(sql, organization, [{ ...person, ...place }]);
  const contract = { contractNumber: 'LV-2026-000123', startDate: '2026-10-16', endDate: '2029-10-15' };
  const input = orderInput({
    employeeId: employee!.id,
    orderNumber: 'A-2026-000128',
    status: 'active',
    hrHistory: historyInput('approved'),
    contract: contractInput(contract),
  });
  const target = { organizationId: organization, tenantId: tenantA };
  const [order] = await storeOrders(sql, target, [input]);
  return { employeeId: employee!.id, orderId: order!.id };
}

async function computed({ client }: Stage, key: string, id: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(`/payroll-runs/${id}`, { key });
    if (body.run.status !== 'computing') return;
  }
}
