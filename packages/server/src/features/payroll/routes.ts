import {
  acknowledgePayrollFinding,
  acknowledgePortalPayrollFinding,
  ApiError,
  createPayrollReversal,
  createPayrollRun,
  createPayrollSettlement,
  createPortalPayrollReversal,
  createPortalPayrollRun,
  createPortalPayrollSettlement,
  createPortalPayrollTestFile,
  decidePayrollProposal,
  decidePortalPayrollProposal,
  discardPayrollRun,
  discardPortalPayrollRun,
  dryRunId,
  explainPayroll,
  explainPortalPayroll,
  exportPortalPayrollEntries,
  exportPortalPayrollReceivables,
  type FindingOfEmployee,
  getPayrollImportDescription,
  getPayrollRun,
  getPayrollRunCopy,
  getPayrollRunRecipe,
  getPayrollSettings,
  getPortalPayrollImportDescription,
  getPortalPayrollRun,
  getPortalPayrollRunCopy,
  getPortalPayrollRunRecipe,
  getPortalPayrollSettings,
  listPayrollFindings,
  listPayrollProposals,
  listPayrollReceivables,
  listPayrollRuns,
  listPortalEmployeeReleases,
  listPortalPayrollFindings,
  listPortalPayrollProposals,
  listPortalPayrollReceivables,
  listPortalPayrollMonths,
  listPortalPayrollRuns,
  type PayrollExportDocument,
  type PayrollFinding,
  type PayrollRun,
  type PayrollRunDetails,
  type PayrollRunsOfTenant,
  type PayrollSettings,
  type PayrollSettingsChange,
  previewOrderPayroll,
  previewPayrollSettings,
  previewPortalOrderPayroll,
  previewPortalPayrollSettings,
  proposePayrollSettings,
  proposePayrollSettlement,
  proposePortalPayrollSettings,
  proposePortalPayrollSettlement,
  releasePayrollRun,
  releasePortalPayrollRun,
  searchPayrollEntries,
  searchPortalPayrollEntries,
  setPayrollSettings,
  setPortalPayrollSettings,
} from '@kontor/contract';
import { Readable } from 'node:stream';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Scope } from '../../auth/scope.ts';
import { sql } from '../../db/sql.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import { ok, type Route } from '../../http/route.ts';

import { acknowledge } from './acknowledge.ts';
import { renderCopy } from './files/copies.ts';
import { lugImportDescription } from './formats/lug.ts';
import { entriesFile, readRunEntries } from './entries.ts';
import { readEmployeeReleases } from './employee-releases.ts';
import { explain } from './explain.ts';
import { previewOrder } from './order-preview.ts';
import { renderTestFile } from './files/files.ts';
import { readMonths } from './months.ts';
import { previewSettings } from './preview.ts';
import {
  checkDivision,
  checkIncident,
  employeesOf,
  findOrder,
  readCostCenterDivisions,
  readNamesInScope,
} from './read.ts';
import { checkTenant, keyOf, type Parts, tenantOf } from './parts.ts';
import { renderRecipe } from './files/recipe.ts';
import { checkReversed } from './reversals.ts';
import { beginRelease, releaseObstacle } from './release.ts';
import { readFindings } from './report.ts';
import {
  createRun,
  discardRun,
  findRunInScope,
  type NewRun,
  readPeriods,
  readRun,
  readRuns,
} from './runs.ts';
import { settingsIn } from './computation/facts.ts';
import { checkSettings, readSettings, showSettings, storeSettings } from './settings.ts';
import { settlementOperations } from './settlements/operations.ts';

interface PortalParts extends Parts {
  /** Documents in scope, by their identifiers. */
  readonly readDocuments: (scope: Scope, ids: readonly string[]) => Promise<PayrollExportDocument[]>;
}

export function payrollRoutes(parts: Parts): Route[] {
  const payroll = payrollOperations(parts);
  return [
    implement(getPayrollSettings, payroll.getSettings),
    implement(setPayrollSettings, payroll.setSettings),
    implement(previewPayrollSettings, payroll.previewSettings),
    implement(getPayrollImportDescription, payroll.getImportDescription),
    implement(listPayrollRuns, payroll.listRuns),
    implement(createPayrollRun, payroll.createRun),
    implement(createPayrollReversal, payroll.createReversal),
    implement(getPayrollRun, payroll.getRun),
    implement(getPayrollRunCopy, payroll.getCopy),
    implement(getPayrollRunRecipe, payroll.getRecipe),
    implement(listPayrollFindings, payroll.listFindings),
    implement(acknowledgePayrollFinding, payroll.acknowledge),
    implement(searchPayrollEntries, payroll.searchEntries),
    implement(releasePayrollRun, payroll.releaseRun),
    implement(discardPayrollRun, payroll.discardRun),
    implement(createPayrollSettlement, payroll.createSettlement),
    implement(proposePayrollSettlement, payroll.proposeSettlement),
    implement(proposePayrollSettings, payroll.proposeSettings),
    implement(listPayrollProposals, payroll.listProposals),
    implement(decidePayrollProposal, payroll.decideProposal),
    implement(listPayrollReceivables, payroll.listReceivables),
    implement(explainPayroll, payroll.explain),
    implement(previewOrderPayroll, payroll.previewOrder),
  ];
}

/** Payroll as HR works with it, in the scope of the user's permission HR. */
export function portalPayrollRoutes(parts: PortalParts): Route[] {
  const payroll = payrollOperations(parts);
  return [
    implement(getPortalPayrollSettings, payroll.getSettings),
    implement(setPortalPayrollSettings, payroll.setSettings),
    implement(previewPortalPayrollSettings, payroll.previewSettings),
    implement(createPortalPayrollTestFile, payroll.createTestFile),
    implement(getPortalPayrollImportDescription, payroll.getImportDescription),
    implement(listPortalPayrollRuns, async call => {
      const items = await runsOf(parts, call);
      const periods = await readPeriods(parts.reads, tenantOf(call), call.receivedAt.toISOString());
      return ok(JSON.stringify({ items, ...periods } satisfies PayrollRunsOfTenant));
    }),
    implement(listPortalPayrollMonths, async call => {
      await checkTenant(parts, call);
      const wanted = { last: call.query.last, now: call.receivedAt };
      return ok(JSON.stringify({ items: await readMonths(parts.reads, tenantOf(call), wanted) }));
    }),
    implement(createPortalPayrollRun, payroll.createRun),
    implement(createPortalPayrollReversal, payroll.createReversal),
    implement(getPortalPayrollRun, async call => ok(JSON.stringify(await detailsOf(parts, call)))),
    implement(getPortalPayrollRunCopy, payroll.getCopy),
    implement(getPortalPayrollRunRecipe, payroll.getRecipe),
    implement(listPortalPayrollFindings, async call => {
      const findings = await findingsOf(parts, call);
      const isOfDivision = ({ field }: PayrollFinding) => field === 'costCenter';
      const [names, divisions] = await Promise.all([
        readNamesInScope(parts.reads, call.scope, employeesOf(findings)),
        readCostCenterDivisions(parts.reads, call.scope, employeesOf(findings.filter(isOfDivision))),
      ]);
      const items: FindingOfEmployee[] = findings.map(finding => ({
        ...finding,
        employeeName: names.get(finding.employeeId ?? '') ?? null,
        divisionId: (isOfDivision(finding) && divisions.get(finding.employeeId ?? '')) || null,
      }));
      return ok(JSON.stringify({ items }));
    }),
    implement(acknowledgePortalPayrollFinding, payroll.acknowledge),
    implement(searchPortalPayrollEntries, payroll.searchEntries),
    implement(exportPortalPayrollEntries, payroll.exportEntries),
    implement(releasePortalPayrollRun, payroll.releaseRun),
    implement(discardPortalPayrollRun, payroll.discardRun),
    implement(createPortalPayrollSettlement, payroll.createSettlement),
    implement(proposePortalPayrollSettlement, payroll.proposeSettlement),
    implement(proposePortalPayrollSettings, payroll.proposeSettings),
    implement(listPortalPayrollProposals, payroll.listProposals),
    implement(decidePortalPayrollProposal, payroll.decideProposal),
    implement(listPortalPayrollReceivables, payroll.listReceivables),
    implement(exportPortalPayrollReceivables, payroll.exportReceivables),
    implement(explainPortalPayroll, payroll.explain),
    implement(listPortalEmployeeReleases, async call => {
      const { scope, tenant, parameters } = call;
      const { reads, readDocuments } = parts;
      const place = { table: 'employee', scope, tenant, id: parameters.id };
      const found = await findInScope<{ id: string }>(reads, place, sql`id`);
      if (found === null) return notFound('employee', call);
      const wanted = { scope, tenant, employeeId: parameters.id, readDocuments };
      return ok(JSON.stringify({ items: await readEmployeeReleases(reads, wanted) }));
    }),
    implement(previewPortalOrderPayroll, payroll.previewOrder),
  ];
}

/** The operations of payroll. The platform and the portal serve them under different names. */
function payrollOperations(parts: Parts) {
  const { reads, writes } = parts;
  return {
    ...settlementOperations(parts),
    getSettings: async (call: ResourceCall) => ok(JSON.stringify(await settingsOf(parts, call))),
    async setSettings(call: CallOf<typeof setPayrollSettings | typeof setPortalPayrollSettings>) {
      await checkTenant(parts, call);
      const { expectedVersion, ...wanted } = call.body as PayrollSettingsChange;
      checkSettings(wanted);
      const settings = await writes.runWithoutClock(call, (write, session) =>
        storeSettings(write, session, { tenantId: call.parameters.id, wanted, expectedVersion }),
      );
      return ok(JSON.stringify(settings));
    },
    async previewSettings(call: CallOf<typeof previewPayrollSettings | typeof previewPortalPayrollSettings>) {
      await checkTenant(parts, call);
      checkSettings(call.body);
      const wanted = { wanted: call.body, at: call.receivedAt };
      return ok(JSON.stringify(await previewSettings(reads, tenantOf(call), wanted)));
    },
    async getImportDescription(call: ResourceCall): Promise<AnswerOf<typeof getPayrollImportDescription>> {
      await checkTenant(parts, call);
      const [stream, size] = [Readable.from([lugImportDescription]), lugImportDescription.length];
      return { status: 200, file: { stream, fileName: 'kontor-lug.ini', mediaType: 'text/plain', size } };
    },
    async createTestFile(
      call: CallOf<typeof createPortalPayrollTestFile>,
    ): Promise<AnswerOf<typeof createPortalPayrollTestFile>> {
      await checkTenant(parts, call);
      const { bytes, ...file } = renderTestFile(call.body);
      return { status: 200, file: { ...file, stream: Readable.from([bytes]), size: bytes.length } };
    },
    listRuns: async (call: ResourceCall) => ok(JSON.stringify({ items: await runsOf(parts, call) })),
    async createRun(call: CallOf<typeof createPayrollRun | typeof createPortalPayrollRun>) {
      await checkTenant(parts, call);
      await checkDivision(reads, { ...tenantOf(call), ...call.body });
      return await create(parts, call, call.body);
    },
    async createReversal(call: CallOf<typeof createPayrollReversal | typeof createPortalPayrollReversal>) {
      await checkTenant(parts, call);
      const reverses = await checkReversed(reads, tenantOf(call), call.body);
      const { period, formats, replaces = null } = call.body;
      return await create(parts, call, { period, formats, replaces, reverses });
    },
    getRun: async (call: ResourceCall) => ok(JSON.stringify(await runOf(parts, call))),
    async getCopy(
      call: CallOf<typeof getPayrollRunCopy | typeof getPortalPayrollRunCopy>,
    ): Promise<AnswerOf<typeof getPayrollRunCopy>> {
      await runOf(parts, call);
      const { format, number = 1 } = call.query;
      const copy = await renderCopy(reads, keyOf(call), { format, number });
      if (copy === null) throw new ApiError('NOT_FOUND', 'The run has fewer files of this format');
      await parts.recordDownload(keyOf(call), call.caller.actor);
      const { bytes, ...file } = copy;
      return { status: 200, file: { ...file, stream: Readable.from([bytes]), size: bytes.length } };
    },
    async getRecipe(
      call: CallOf<typeof getPayrollRunRecipe | typeof getPortalPayrollRunRecipe>,
    ): Promise<AnswerOf<typeof getPayrollRunRecipe>> {
      await runOf(parts, call);
      const { format, language = 'de' } = call.query;
      const { bytes, fileName } = await renderRecipe(reads, keyOf(call), { format, language });
      const stream = Readable.from([bytes]);
      return { status: 200, file: { stream, fileName, mediaType: 'text/plain', size: bytes.length } };
    },
    listFindings: async (call: ResourceCall) => ok(JSON.stringify({ items: await findingsOf(parts, call) })),
    async acknowledge(
      call: CallOf<typeof acknowledgePayrollFinding | typeof acknowledgePortalPayrollFinding>,
    ) {
      await runOf(parts, call);
      const answered = await writes.runWithoutClock(call, (write, session) =>
        acknowledge(write, session, call.parameters.id, call.body),
      );
      return ok(JSON.stringify(answered));
    },
    async searchEntries(call: CallOf<typeof searchPayrollEntries | typeof searchPortalPayrollEntries>) {
      const run = await runOf(parts, call);
      return ok(JSON.stringify(await readRunEntries(reads, call.scope, { run, ...call.body })));
    },
    async exportEntries(
      call: CallOf<typeof exportPortalPayrollEntries>,
    ): Promise<AnswerOf<typeof exportPortalPayrollEntries>> {
      const run = await runOf(parts, call);
      const stream = await entriesFile(reads, call.scope, { run, ...call.body });
      await writes.recordAccess(call, write => write.audit({ id: run.id, action: 'payroll_run.export' }));
      const fileName = `kontor-${run.period}.csv`;
      return { status: 200, file: { stream, fileName, mediaType: 'text/csv', size: null } };
    },
    releaseRun: (call: ResourceCall) => release(parts, call),
    async discardRun(call: ResourceCall) {
      await runOf(parts, call);
      const discarded = await writes.runWithoutClock(call, async (write, session) => {
        await discardRun(write, session, call.parameters.id);
        return { ...(await readRun(session, keyOf(call))), status: 'discarded' };
      });
      return ok(JSON.stringify(discarded));
    },
    async explain(call: CallOf<typeof explainPayroll | typeof explainPortalPayroll>) {
      const { organizationId } = call.scope;
      const { id: employeeId } = call.parameters;
      const place = { table: 'employee', scope: call.scope, tenant: call.tenant, id: employeeId };
      const found = await findInScope<{ tenantId: string | null }>(
        reads,
        place,
        sql`tenant_id AS "tenantId"`,
      );
      if (found === null) return notFound('employee', call);
      const { period } = call.query;
      const employee = { organizationId, employeeId, tenantId: found.tenantId };
      return ok(JSON.stringify(await explain(reads, employee, { period, now: call.receivedAt })));
    },
    async previewOrder(call: CallOf<typeof previewOrderPayroll | typeof previewPortalOrderPayroll>) {
      const { scope, body, parameters, receivedAt: at } = call;
      const { leave, ...changes } = body;
      const contract = await parts.planContract(call, changes);
      const place = (await findOrder(reads, scope, parameters.id)) ?? notFound('order', call);
      if (typeof leave?.incidentId === 'string')
        await checkIncident(reads, scope, { id: leave.incidentId, employeeId: place.employeeId });
      const order = { ...place, organizationId: scope.organizationId, orderId: parameters.id };
      return ok(JSON.stringify(await previewOrder(reads, order, { change: body, contract, at })));
    },
  };
}

/** The runs of a tenant in scope. @throws ApiError NOT_FOUND */
async function runsOf(parts: Pick<Parts, 'reads' | 'findTenant'>, call: ResourceCall): Promise<PayrollRun[]> {
  await checkTenant(parts, call);
  const { period = null } = call.query as { period?: string };
  return readRuns(parts.reads, call.scope.organizationId, { tenantId: call.parameters.id, period });
}

/** The run of a tenant in scope. A run never changes its tenant. @throws ApiError NOT_FOUND */
async function runOf({ reads }: Pick<Parts, 'reads'>, call: ResourceCall): Promise<PayrollRun> {
  const run = await findRunInScope(reads, call.scope, call.parameters.id);
  return run ?? notFound('payroll_run', call);
}

/** A page of the report of a run. @throws ApiError NOT_FOUND */
async function findingsOf(parts: Pick<Parts, 'reads'>, call: ResourceCall): Promise<PayrollFinding[]> {
  await runOf(parts, call);
  const { after = 0, severity = null } = call.query as {
    after?: number;
    severity?: PayrollFinding['severity'];
  };
  return readFindings(parts.reads, keyOf(call), { after, severity });
}

/** @throws ApiError NOT_FOUND */
async function settingsOf(parts: Parts, call: ResourceCall): Promise<PayrollSettings> {
  await checkTenant(parts, call);
  const versions = await readSettings(parts.reads, tenantOf(call));
  if (versions === null)
    throw new ApiError('NOT_FOUND', 'The tenant has no payroll settings yet; set them first');
  return showSettings(versions);
}

type CreateCall = CallOf<
  | typeof createPayrollRun
  | typeof createPortalPayrollRun
  | typeof createPayrollReversal
  | typeof createPortalPayrollReversal
>;

async function create(
  parts: Parts,
  call: CreateCall,
  wanted: NewRun,
): Promise<AnswerOf<typeof createPayrollRun>> {
  const { organizationId, tenantId } = tenantOf(call);
  const run = await parts.writes.runWithoutClock(call, (write, session) =>
    createRun(write, session, tenantId, wanted),
  );
  if (call.dryRun) return ok(JSON.stringify({ ...run, id: dryRunId }));
  // Not awaited: the answer is a run that is computing.
  parts.jobs.wake();
  const Location = parts.addressOf('payroll-runs')(organizationId, run.id);
  return { status: 201, body: JSON.stringify(run), headers: { Location } };
}

async function release(parts: Parts, call: ResourceCall): Promise<AnswerOf<typeof releasePayrollRun>> {
  const key = keyOf(call);
  await runOf(parts, call);
  const { isQueued, run } = await parts.writes.runWithoutClock(call, async (write, session) => ({
    isQueued: await beginRelease(write, session, key.id),
    run: await readRun(session, key),
  }));
  if (!isQueued) return ok(JSON.stringify(run));
  // Not awaited: the answer is a run that is releasing.
  if (!call.dryRun) parts.jobs.wake();
  return ok(JSON.stringify({ ...run, status: 'releasing', failure: null } satisfies PayrollRun));
}

async function detailsOf(parts: PortalParts, call: ResourceCall): Promise<PayrollRunDetails> {
  const { scope, caller } = call;
  const run = await runOf(parts, call);
  const { organizationId } = scope;
  const versions = await readSettings(parts.reads, { organizationId, tenantId: run.tenant });
  const files = await parts.readDocuments(
    scope,
    run.documents.map(({ id }) => id),
  );
  const obstacle =
    run.status === 'draft' ? releaseObstacle(run, settingsIn(versions!, run.period), caller) : null;
  return { run, files, obstacle };
}
