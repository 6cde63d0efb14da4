import type { Incident, Order, OrderWithRecord } from '@kontor/contract';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, orderInput, productInput, storeOrders } from '../support/data/orders.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import type { PlatformStage } from './recorder.ts';

/** The way of an order from its decision to its end, of others that end early, of incidents, and what a rule makes of orders. */
export async function transitions(stage: PlatformStage): Promise<void> {
  const { sql, testData } = stage;
  const place = { tenant: testData.tenantA, divisionId: testData.sales };
  const [employee, blocked] = await storeEmployees(sql, testData.organization, [
    place,
    { ...place, blocked: true },
  ]);
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employee!.id}`;
  const { id: employeeId } = employee!;
  const orders = await ordersOf(stage, [employeeId, employeeId, employeeId, blocked!.id, employeeId]);
  const reporter = apiClient(stage.service.url, { key: testData.keys.all });
  await reporter.post(`/orders/${orders.at(-1)!.id}/decision`, { decision: 'approved' });
  await ofOrders(stage, orders);
  await ofIncidents(stage, reporter, { employeeId, orderId: orders[0]!.id });
  reporter.close();
  await ofRules(stage);
}

/** One order under review of each of these employees. */
function ordersOf({ sql, testData }: PlatformStage, employees: readonly string[]): Promise<Order[]> {
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const products = [
    productInput({ model: 'Helium', manufacturerName: 'Nox Cycles', articleGroupName: 'E-Bike' }),
  ];
  const submittedAt = '2026-09-02T08:21:00Z';
  const inputs = employees.map((employeeId, n) => {
    const orderNumber = `A-2026-000${130 + n}`;
    return orderInput({ employeeId, orderNumber, products, submittedAt, contract: contractInput() });
  });
  return storeOrders(sql, target, inputs);
}

async function ofOrders(
  { client, recorder, testData }: PlatformStage,
  orders: readonly Order[],
): Promise<void> {
  const paths: Path[] = orders.map(({ id }) => ({ organizationId: testData.organization, id }));
  const [path, cancelled, expired, ofBlocked] = paths as [Path, Path, Path, Path];
  const approval = { decision: 'approved', comment: 'Laut Rahmenvertrag' };
  const ofDecision = (code: Parameters<typeof recorder.reject>[2][1], status: number, path: Path) =>
    recorder.reject(client, 'recordOrderDecision', [status, code], { path, body: approval });
  await ofDecision('EMPLOYEE_BLOCKED', 422, ofBlocked);
  await recorder.ask(client, 'recordOrderDecision', { path, body: approval });
  await ofDecision('ORDER_ALREADY_DECIDED', 409, path);
  await recorder.ask(client, 'makeOrderReady', { path });
  const startDate = '2026-10-01';
  const invalid = { startDate, endDate: '2026-09-30' };
  await recorder.reject(client, 'handOverOrder', [422, 'VALIDATION_ERROR'], { path, body: invalid });
  const body = { contractNumber: 'LV-2026-000123', startDate };
  await recorder.ask(client, 'handOverOrder', { path, body });
  await ofContract({ client, recorder }, path);
  await recorder.ask(client, 'completeOrder', { path, body: { lastDay: '2027-03-31', reason: 'returned' } });
  await recorder.ask(client, 'cancelOrder', { path: cancelled });
  await recorder.ask(client, 'expireOrder', { path: expired });
  const conflict = (operation: string, sent: object) =>
    recorder.reject(client, operation, [409, 'INVALID_STATE_TRANSITION'], { path: expired, ...sent });
  await conflict('recordOrderDecision', { body: approval });
  await conflict('makeOrderReady', {});
  await conflict('handOverOrder', { body });
  await conflict('previewOrderPayroll', { body: { lastDay: '2027-02-28' } });
  for (const operation of ['completeOrder', 'cancelOrder', 'expireOrder']) await conflict(operation, {});
}

type Path = Record<string, string>;

async function ofContract({ client, recorder }: Pick<PlatformStage, 'client' | 'recorder'>, path: Path) {
  const version = { from: '2027-01', leasingRate: '104.20', comment: 'Zubehör ab Januar' };
  const { body } = await recorder.ask(client, 'recordContractVersion', { path, body: version });
  const { id: versionId } = (body as OrderWithRecord).contractRecord.versions[0]!;
  const ofVersion = { ...path, versionId };
  await recorder.ask(client, 'withdrawContractVersion', { path: ofVersion });
  const end = { lastDay: '2027-02-28', reason: 'purchase', comment: 'Abgelöst' };
  await recorder.ask(client, 'recordContractEnd', { path, body: end });
  await recorder.ask(client, 'getOrderContractRecord', { path });
  await recorder.ask(client, 'withdrawContractEnd', { path });
  const late = { ...end, lastDay: '2030-01-01' };
  await recorder.reject(client, 'recordContractEnd', [422, 'VALIDATION_ERROR'], { path, body: late });
  await recorder.reject(client, 'previewOrderPayroll', [422, 'VALIDATION_ERROR'], {
    path,
    body: { lastDay: late.lastDay },
  });
  await recorder.reject(client, 'recordContractVersion', [422, 'VALIDATION_ERROR'], {
    path,
    body: { from: '2030-01', leasingRate: '104.20' },
  });
  const conflict = (operation: string, sent: object) =>
    recorder.reject(client, operation, [409, 'INVALID_STATE_TRANSITION'], sent);
  await conflict('withdrawContractEnd', { path });
  await conflict('withdrawContractVersion', { path: ofVersion });
}

async function ofIncidents(
  stage: PlatformStage,
  reporter: ApiClient,
  about: { employeeId: string; orderId: string },
): Promise<void> {
  const { client, recorder, testData } = stage;
  const reported = async () => {
    const report = { ...about, type: 'damage', occurredOn: '2026-09-02', description: 'Rahmen gebrochen' };
    const { id } = (await reporter.post<Incident>('/incidents', report)).body;
    return { organizationId: testData.organization, id };
  };
  const [resolved, rejected, cancelled] = [await reported(), await reported(), await reported()];
  const file = { fileName: 'rahmen.pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') };
  await recorder.ask(client, 'attachIncidentFile', { path: cancelled, file, query: { dryRun: true } });
  const attached = await recorder.ask(client, 'attachIncidentFile', { path: cancelled, file });
  const path = { ...cancelled, attachmentId: attached.body.id };
  const removed = await recorder.ask(client, 'attachIncidentFile', { path: resolved, file });
  await recorder.ask(client, 'removeIncidentFile', { path: { ...resolved, attachmentId: removed.body.id } });
  await recorder.ask(client, 'startIncident', { path: resolved });
  await recorder.ask(client, 'resolveIncident', { path: resolved });
  await client.post(`/organizations/${testData.organization}/incidents/${rejected.id}/processing`, undefined);
  await recorder.ask(client, 'rejectIncident', { path: rejected });
  await recorder.ask(client, 'cancelIncident', { path: cancelled });
  await leave(stage, reporter, { ...about, cancelled });
  for (const operation of ['startIncident', 'resolveIncident', 'rejectIncident', 'cancelIncident'])
    await recorder.reject(client, operation, [409, 'INVALID_STATE_TRANSITION'], { path: cancelled });
  const late = 'INVALID_STATE_TRANSITION';
  await recorder.reject(client, 'attachIncidentFile', [409, late], { path: cancelled, file });
  await recorder.reject(client, 'removeIncidentFile', [409, late], { path });
}

async function leave(
  { client, recorder, testData }: PlatformStage,
  reporter: ApiClient,
  { cancelled, ...about }: { employeeId: string; orderId: string; cancelled: Path },
): Promise<void> {
  const days = { occurredOn: '2026-09-01', effectiveFrom: '2026-09-01' };
  const report = { ...about, ...days, type: 'parental_leave', description: 'Elternzeit' };
  const { id } = (await reporter.post<Incident>('/incidents', report)).body;
  const path = { organizationId: testData.organization, id };
  const body = {
    effectiveTo: '2027-08-31',
    bikeReturned: false,
    payer: 'employee',
    comment: 'Rate per Überweisung zum Monatsende',
  };
  await recorder.ask(client, 'recordIncidentLeave', { path, body });
  const early = { path, body: { effectiveTo: '2026-08-31' } };
  await recorder.reject(client, 'recordIncidentLeave', [422, 'VALIDATION_ERROR'], early);
  const late = { path: cancelled, body };
  await recorder.reject(client, 'recordIncidentLeave', [409, 'INVALID_STATE_TRANSITION'], late);
}

async function ofRules({ client, recorder, testData }: PlatformStage): Promise<void> {
  const path = { organizationId: testData.organization, id: testData.tenantA };
  const limits = { approveUpTo: '80.00', rejectAbove: '110.00' };
  await recorder.ask(client, 'tryDecisionRule', { path, query: limits });
  await recorder.reject(client, 'tryDecisionRule', [422, 'VALIDATION_ERROR'], { path });
  await recorder.reject(client, 'setDecisionRule', [422, 'VALIDATION_ERROR'], { path, body: {} });
  await recorder.ask(client, 'setDecisionRule', { path, body: limits });
  await recorder.ask(client, 'applyDecisionRule', { path, body: {} });
  await recorder.ask(client, 'setDecisionRule', { path, body: { ...limits, withinDays: 30 } });
  await recorder.ask(client, 'getDecisionRule', { path });
  await recorder.ask(client, 'removeDecisionRule', { path });
}
