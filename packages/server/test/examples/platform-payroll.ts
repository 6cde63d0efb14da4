import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { settingsInput } from '../features/payroll/support.ts';
import type { PlatformStage } from './recorder.ts';

const unknown = 'f'.repeat(24);

/** A run of a tenant from its settings to a released file, and what is rejected on the way. */
export async function payroll(stage: PlatformStage): Promise<void> {
  const { client, recorder, testData } = stage;
  const organizationId = testData.organization;
  const person = await leasing(stage);
  const path = { organizationId, id: testData.tenantA };
  const body = { ...settingsInput, firstPeriod: '2026-10' };
  const { kinds } = body;
  const noWageType = { ...kinds, salaryConversion: { ...kinds.salaryConversion, wageType: null } };
  await recorder.reject(client, 'getPayrollSettings', [404, 'NOT_FOUND'], { path, own: true });
  const noSettings = { path, body: { period: '2026-10', formats: ['csv'] }, own: true } as const;
  await recorder.reject(client, 'createPayrollRun', [422, 'VALIDATION_ERROR'], noSettings);
  const unmapped = { path, body: { ...body, kinds: noWageType }, own: true } as const;
  await recorder.reject(client, 'setPayrollSettings', [422, 'VALIDATION_ERROR'], unmapped);
  await recorder.ask(client, 'setPayrollSettings', { path, body });
  await recorder.ask(client, 'getPayrollSettings', { path });
  await recorder.reject(client, 'previewPayrollSettings', [422, 'VALIDATION_ERROR'], unmapped);
  const description = await recorder.ask(client, 'getPayrollImportDescription', { path });
  recorder.header('Content-Disposition', description);
  const run = await runs(stage, path, person.employee);
  await reversals(stage, path, run);
  const subsidy = { ...kinds.salaryConversion, wageType: '3030', sign: 'plus' };
  const earlier = {
    path,
    body: { ...body, kinds: { ...kinds, employerSubsidy: subsidy }, from: '2026-10' },
  } as const;
  await recorder.ask(client, 'previewPayrollSettings', earlier);
  const settled = { path, body: { ...body, firstPeriod: '2026-11' }, own: true } as const;
  await recorder.reject(client, 'setPayrollSettings', [409, 'INVALID_STATE_TRANSITION'], settled);
  await recorder.reject(client, 'discardPayrollRun', [409, 'INVALID_STATE_TRANSITION'], {
    path: run,
    own: true,
  });
  const employee = { organizationId, id: person.employee };
  await recorder.ask(client, 'explainPayroll', { path: employee, query: { period: '2026-10' } });
  await proposals(stage, path, person.order);
  const order = { organizationId, id: person.order };
  await recorder.ask(client, 'previewOrderPayroll', { path: order, body: { lastDay: '2026-10-20' } });
  const leave = {
    incidentId: unknown,
    type: 'parental_leave',
    effectiveFrom: '2026-12-01',
    effectiveTo: null,
  };
  const strange = { path: order, body: { leave } };
  await recorder.reject(client, 'previewOrderPayroll', [422, 'INVALID_REFERENCE'], strange);
  await settlements(stage, person.order);
}

/** An employee with an active order. */
async function leasing({ sql, testData }: PlatformStage): Promise<{ employee: string; order: string }> {
  const place = { tenant: testData.tenantA, divisionId: testData.sales };
  const [person] = await storeEmployees(sql, testData.organization, [
    { ...place, employeeNumber: '1234', firstName: 'Jana', lastName: 'Müller' },
  ]);
  const input = orderInput({
    employeeId: person!.id,
    status: 'active',
    hrHistory: historyInput('approved'),
    contract: contractInput({
      contractNumber: 'LV-2026-000123',
      startDate: '2026-10-16',
      endDate: '2029-10-15',
    }),
  });
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const [order] = await storeOrders(sql, target, [input]);
  return { employee: person!.id, order: order!.id };
}

/** A run that is released, whose path it returns, and one that is discarded. */
async function runs(
  stage: PlatformStage,
  tenant: Record<string, string>,
  employee: string,
): Promise<Record<string, string>> {
  const { client, recorder } = stage;
  const { organizationId } = tenant as { organizationId: string };
  const body = { period: '2026-10', formats: ['csv', 'datev_lodas'] };
  const early = { path: tenant, body: { ...body, period: '2026-09' } };
  await recorder.reject(client, 'createPayrollRun', [422, 'VALIDATION_ERROR'], early);
  const division = { path: tenant, body: { ...body, divisionId: unknown }, own: true } as const;
  await recorder.reject(client, 'createPayrollRun', [422, 'INVALID_REFERENCE'], division);
  await recorder.ask(client, 'createPayrollRun', { path: tenant, body, query: { dryRun: true } });
  const created = await recorder.ask(client, 'createPayrollRun', { path: tenant, body });
  const path = { organizationId, id: created.body.id as string };
  await waitForEnd(stage, path);
  const second = { path: tenant, body, own: true } as const;
  await recorder.reject(client, 'createPayrollRun', [409, 'DUPLICATE_RESOURCE'], second);
  await recorder.ask(client, 'getPayrollRun', { path });
  await recorder.ask(client, 'listPayrollFindings', { path });
  await recorder.ask(client, 'searchPayrollEntries', { path, body: { kind: 'salary_conversion' } });
  await recorder.ask(client, 'releasePayrollRun', { path });
  await waitForEnd(stage, path);
  const replacing = { path: tenant, body: { ...body, replaces: path.id } };
  await recorder.reject(client, 'createPayrollRun', [409, 'INVALID_STATE_TRANSITION'], replacing);
  await stage.sql`
    UPDATE employee SET blocked = true, doc = replace(doc, '"blocked":false', '"blocked":true')
    WHERE organization_id = ${organizationId} AND id = ${employee}`;
  const next = await client.post(`/organizations/${organizationId}/tenants/${tenant['id']}/payroll-runs`, {
    period: '2026-11',
    formats: ['csv'],
  });
  const other = { organizationId, id: next.body.id as string };
  await waitForEnd(stage, other);
  await questions(stage, other);
  await recorder.ask(client, 'discardPayrollRun', { path: other });
  const answer = { path: other, body: { finding: 1, reason: 'Nachgeholt' }, own: true } as const;
  await recorder.reject(client, 'acknowledgePayrollFinding', [409, 'INVALID_STATE_TRANSITION'], answer);
  const late = { path: other, own: true } as const;
  await recorder.reject(client, 'releasePayrollRun', [409, 'INVALID_STATE_TRANSITION'], late);
  await recorder.ask(client, 'listPayrollRuns', { path: tenant });
  return path;
}

/** Answers the question about an employee who is blocked. */
async function questions({ client, recorder }: PlatformStage, path: Record<string, string>): Promise<void> {
  const { body } = await client.get(
    `/organizations/${path['organizationId']}/payroll-runs/${path['id']}/findings`,
    {
      query: { severity: 'question' },
    },
  );
  const answer = { finding: body.items[0].number, reason: 'Sie gibt das Rad erst im Januar zurück' };
  await recorder.ask(client, 'acknowledgePayrollFinding', { path, body: answer });
  const unknownQuestion = { path, body: { ...answer, finding: 999 }, own: true } as const;
  await recorder.reject(client, 'acknowledgePayrollFinding', [422, 'VALIDATION_ERROR'], unknownQuestion);
}

/** A reversal of the released run, which is discarded, and a copy of its file. */
async function reversals(
  stage: PlatformStage,
  tenant: Record<string, string>,
  run: Record<string, string>,
): Promise<void> {
  const { client, recorder } = stage;
  const body = { period: '2026-11', formats: ['csv'], runId: run['id'] };
  const neither = { path: tenant, body: { ...body, runId: null } };
  await recorder.reject(client, 'createPayrollReversal', [422, 'VALIDATION_ERROR'], neither);
  const strange = { path: tenant, body: { ...body, runId: unknown }, own: true } as const;
  await recorder.reject(client, 'createPayrollReversal', [422, 'INVALID_REFERENCE'], strange);
  await recorder.ask(client, 'createPayrollReversal', { path: tenant, body, query: { dryRun: true } });
  const created = await recorder.ask(client, 'createPayrollReversal', { path: tenant, body });
  const reversal = { ...run, id: created.body.id as string };
  await waitForEnd(stage, reversal);
  const second = { path: tenant, body, own: true } as const;
  await recorder.reject(client, 'createPayrollReversal', [409, 'DUPLICATE_RESOURCE'], second);
  const early = { path: reversal, query: { format: 'csv' }, own: true } as const;
  await recorder.reject(client, 'getPayrollRunCopy', [409, 'INVALID_STATE_TRANSITION'], early);
  await client.request('POST', `/organizations/${run['organizationId']}/payroll-runs/${reversal.id}/discard`);
  const replacing = { path: tenant, body: { ...body, replaces: run['id'] } };
  await recorder.reject(client, 'createPayrollReversal', [409, 'INVALID_STATE_TRANSITION'], replacing);
  const copy = await recorder.ask(client, 'getPayrollRunCopy', { path: run, query: { format: 'csv' } });
  recorder.header('Content-Disposition', copy);
  const notReleased = { path: reversal, query: { format: 'csv' }, own: true } as const;
  await recorder.reject(client, 'getPayrollRunRecipe', [409, 'INVALID_STATE_TRANSITION'], notReleased);
  const recipe = await recorder.ask(client, 'getPayrollRunRecipe', { path: run, query: { format: 'csv' } });
  recorder.header('Content-Disposition', recipe);
  await recorder.ask(client, 'listPayrollReceivables', { path: tenant });
}

/** Waits until no job works on a run. */
async function waitForEnd(
  { client }: PlatformStage,
  { organizationId, id }: Record<string, string>,
): Promise<void> {
  for (;;) {
    const { body } = await client.get(`/organizations/${organizationId}/payroll-runs/${id}`);
    if (body.status !== 'computing' && body.status !== 'releasing') return;
  }
}

async function settlements({ client, recorder, testData }: PlatformStage, orderId: string): Promise<void> {
  const path = { organizationId: testData.organization };
  const body = {
    orderId,
    month: '2026-11',
    kind: 'salary_conversion',
    meaning: 'paid_elsewhere',
    reason: 'Vom Steuerbüro nachberechnet',
  };
  await recorder.ask(client, 'createPayrollSettlement', { path, body, query: { dryRun: true } });
  await recorder.ask(client, 'createPayrollSettlement', { path, body });
  const nothing = { path, body, own: true } as const;
  await recorder.reject(client, 'createPayrollSettlement', [422, 'VALIDATION_ERROR'], nothing);
  const strange = { path, body: { ...body, orderId: unknown }, own: true } as const;
  await recorder.reject(client, 'createPayrollSettlement', [422, 'INVALID_REFERENCE'], strange);
}

/** A proposed settlement that is rejected, and proposed settings. */
async function proposals(
  { client, recorder, testData }: PlatformStage,
  tenant: Record<string, string>,
  orderId: string,
): Promise<void> {
  const path = { organizationId: testData.organization };
  const settlement = { month: '2026-11', kind: 'salary_conversion', meaning: 'paid_elsewhere' };
  const body = { orderId, ...settlement, reason: 'Vom Steuerbüro nachberechnet' };
  await recorder.ask(client, 'proposePayrollSettlement', { path, body, query: { dryRun: true } });
  const made = await recorder.ask(client, 'proposePayrollSettlement', { path, body });
  const strange = { path, body: { ...body, orderId: unknown }, own: true } as const;
  await recorder.reject(client, 'proposePayrollSettlement', [422, 'INVALID_REFERENCE'], strange);
  const settings = { path: tenant, body: { ...settingsInput, firstPeriod: '2026-10', cutOffDay: 20 } };
  await recorder.ask(client, 'proposePayrollSettings', { ...settings, query: { dryRun: true } });
  await recorder.ask(client, 'proposePayrollSettings', settings);
  const same = { path: tenant, body: { ...settings.body, cutOffDay: null } } as const;
  await recorder.reject(client, 'proposePayrollSettings', [422, 'VALIDATION_ERROR'], { ...same, own: true });
  const decision = {
    path: { ...path, id: made.body.id as string },
    body: { decision: 'rejected', comment: 'Ist schon nachberechnet' },
  };
  await recorder.ask(client, 'decidePayrollProposal', decision);
  const again = { ...decision, own: true } as const;
  await recorder.reject(client, 'decidePayrollProposal', [409, 'INVALID_STATE_TRANSITION'], again);
  await recorder.ask(client, 'listPayrollProposals', { path: tenant });
}
