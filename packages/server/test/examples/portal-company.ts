import type { ErrorCode } from '@kontor/contract';
import { settingsInput } from '../features/payroll/support.ts';
import type { Sent, Stage } from './recorder.ts';

/** Records what an administrator does in a company, and its rejections. */
export async function workOfAdmin(stage: Stage, key: string): Promise<void> {
  await divisions(stage, key);
  await rules(stage, key);
}

/** The test file for payroll, the rule for orders, and the retention. */
async function rules({ client, recorder, testData }: Stage, key: string): Promise<void> {
  const path = { id: testData.tenantA };
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, path, ...sent });
  const amounts = [{ kind: 'salary_conversion', amount: '83.10' }];
  const file = { settings: settingsInput, period: '2026-10', personnelNumber: '99999', costCenter: null };
  await ask('createPortalPayrollTestFile', { body: { ...file, format: 'datev_lodas', amounts } });
  const body = { approveUpTo: '120.00', rejectAbove: '300.00', withinDays: null };
  await ask('samplePortalDecisionRule', { body });
  const change = { ...body, expectedVersion: 0 };
  await ask('setPortalDecisionRule', { body: change, query: { dryRun: true } });
  await ask('setPortalDecisionRule', { body: change });
  const late = { key, path, body: { ...change, approveUpTo: '90.00' } };
  await recorder.reject(client, 'setPortalDecisionRule', [409, 'INVALID_STATE_TRANSITION'], late);
  await ask('getPortalDecisionRule');
  await ask('removePortalDecisionRule');
  await ask('getPortalTenantDueData');
}

async function divisions({ client, recorder, testData }: Stage, key: string): Promise<void> {
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  const reject = (operation: string, rejection: [number, ErrorCode], sent: Sent = {}) =>
    recorder.reject(client, operation, rejection, { key, ...sent });
  const { tenantA, sales, support, lager } = testData;
  const body = { name: 'Einkauf', parentId: sales, costCenter: '4711' };
  await ask('createPortalDivision', { body, query: { dryRun: true } });
  const { id } = (await ask('createPortalDivision', { body })).body;
  const path = { id: id as string };
  await reject('createPortalDivision', [422, 'TENANT_CONTEXT_AMBIGUOUS'], { body: { name: 'Einkauf' } });
  await reject('createPortalDivision', [409, 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL'], { body });
  await reject('createPortalDivision', [422, 'INVALID_REFERENCE'], {
    body: { name: 'Einkauf', parentId: lager },
    tenant: tenantA,
  });
  const read = (await client.get('/divisions', { key, query: { filter: `id = ${id}` } })).body.items[0];
  const expectedUpdatedAt = read.updatedAt as string;
  const change = { expectedUpdatedAt, costCenter: '4712' };
  await ask('updatePortalDivision', { path, body: change, query: { dryRun: true } });
  const updated = (await ask('updatePortalDivision', { path, body: change })).body;
  await reject('updatePortalDivision', [409, 'INVALID_STATE_TRANSITION'], { path, body: change });
  const place = { expectedUpdatedAt: updated.updatedAt as string, parentId: support, after: null };
  await ask('movePortalDivision', { path, body: place, query: { dryRun: true } });
  const moved = (await ask('movePortalDivision', { path, body: place })).body.division;
  await reject('movePortalDivision', [409, 'INVALID_STATE_TRANSITION'], { path, body: place });
  const next = { expectedUpdatedAt: moved.updatedAt as string, parentId: support };
  await reject('movePortalDivision', [409, 'DIVISION_CYCLE'], { path, body: { ...next, parentId: id } });
  await reject('movePortalDivision', [422, 'INVALID_REFERENCE'], {
    path,
    body: { ...next, parentId: lager },
  });
}
