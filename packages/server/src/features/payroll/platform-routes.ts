import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { ApiError, apis, dryRunId, type PayrollFinding, type PayrollRun } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { findInScope } from '../../auth/find-in-scope.ts';
import { sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import type { BackgroundJobs } from '../../jobs/background.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { lugImportDescription } from './formats/lug.ts';
import type { PayrollParts } from './jobs.ts';
import { explain, settle } from './receipts.ts';
import { readFindings } from './report.ts';
import {
  beginRelease,
  checkDivision,
  createRun,
  type Divisions,
  discardRun,
  readRun,
  readRuns,
  releaseError,
} from './runs.ts';
import { checkSettings, readSettings, storeSettings } from './settings.ts';

interface Parts extends Pick<PayrollParts, 'readers'> {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly jobs: BackgroundJobs;
  readonly places: Divisions & {
    /** Those of the identifiers that are tenants of the organization. */
    tenantsAmong(organizationId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  };
}

export function payrollHandlers(parts: Parts): HandlersOf<'platform', 'Payroll'> {
  const { reads, writes, readers } = parts;
  return {
    getPayrollSettings: async call => ok(JSON.stringify(await settingsOf(parts, call))),
    async setPayrollSettings(call) {
      await checkTenant(parts, call);
      checkSettings(call.body);
      const settings = await writes.runUnordered(requestOf(call), (write, session) =>
        storeSettings(write, session, call.parameters.id, call.body),
      );
      return ok(JSON.stringify(settings));
    },
    async getPayrollImportDescription(call) {
      await checkTenant(parts, call);
      const [stream, size] = [Readable.from([lugImportDescription]), lugImportDescription.length];
      return { status: 200, file: { stream, fileName: 'kontor-lug.ini', mediaType: 'text/plain', size } };
    },
    async listPayrollRuns(call) {
      await checkTenant(parts, call);
      const items = await readRuns(reads, call.scope.organizationId, call.parameters.id);
      return ok(JSON.stringify({ items }));
    },
    createPayrollRun: call => create(parts, call),
    getPayrollRun: async call => ok(JSON.stringify(await readRun(reads, keyOf(call)))),
    async listPayrollFindings(call) {
      await readRun(reads, keyOf(call));
      const { after = 0, severity = null } = call.query as {
        after?: number;
        severity?: PayrollFinding['severity'];
      };
      return ok(JSON.stringify({ items: await readFindings(reads, keyOf(call), { after, severity }) }));
    },
    releasePayrollRun: call => release(parts, call),
    async discardPayrollRun(call) {
      const discarded = await writes.runUnordered(requestOf(call), async (write, session) => {
        await discardRun(write, session, call.parameters.id);
        return { ...(await readRun(session, keyOf(call))), status: 'discarded' };
      });
      return ok(JSON.stringify(discarded));
    },
    async createPayrollSettlement(call) {
      const settlement = await writes.runUnordered(requestOf(call), (write, session) =>
        settle(write, session, readers, call.body),
      );
      if (call.dryRun) return ok(JSON.stringify({ ...settlement, id: dryRunId }));
      const path = `${apis.platform.prefix}/organizations/${call.scope.organizationId}/orders/${settlement.orderId}`;
      return { status: 201, body: JSON.stringify(settlement), headers: { Location: path } };
    },
    async explainPayroll(call) {
      const { organizationId } = call.scope;
      const { id: employeeId } = call.parameters;
      const place = { table: 'employee', scope: call.scope, tenant: call.tenant, id: employeeId };
      const found = await findInScope<{ tenantId: string | null }>(
        reads,
        place,
        sql`tenant_id AS "tenantId"`,
      );
      if (found === null) throw notFound('employee');
      const { period } = call.query as { period: string };
      const employee = { organizationId, employeeId, tenantId: found.tenantId };
      return ok(JSON.stringify(await explain(reads, readers, employee, period)));
    },
  };
}

type OfId = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

function keyOf({ scope: { organizationId }, parameters: { id } }: OfId) {
  return { organizationId, id };
}

function notFound(noun: string): ApiError {
  return new ApiError('NOT_FOUND', `No ${noun} with this id is visible to the token`);
}

/** @throws ApiError NOT_FOUND */
async function checkTenant({ places }: Parts, call: OfId): Promise<void> {
  const { organizationId, id } = keyOf(call);
  if (!(await places.tenantsAmong(organizationId, [id])).has(id)) throw notFound('tenant');
}

async function settingsOf(parts: Parts, call: OfId) {
  await checkTenant(parts, call);
  const { organizationId, id: tenantId } = keyOf(call);
  const settings = await readSettings(parts.reads, { organizationId, tenantId });
  if (settings === null)
    throw new ApiError('NOT_FOUND', 'The tenant has no payroll settings yet; set them first');
  return settings;
}

async function create(parts: Parts, call: CallOf<'createPayrollRun'>): Promise<AnswerOf<'createPayrollRun'>> {
  await checkTenant(parts, call);
  const { organizationId, id: tenantId } = keyOf(call);
  await checkDivision(parts.places, { organizationId, tenantId, ...call.body });
  const run = await parts.writes.runUnordered(requestOf(call), (write, session) =>
    createRun(write, session, tenantId, call.body),
  );
  if (call.dryRun) return ok(JSON.stringify({ ...run, id: dryRunId }));
  // Not awaited: the answer is a run that is computing.
  void parts.jobs.run({ organizationId, id: run.id }).catch(() => {});
  const Location = `${apis.platform.prefix}/organizations/${organizationId}/payroll-runs/${run.id}`;
  return { status: 201, body: JSON.stringify(run), headers: { Location } };
}

/** Milliseconds that a release waits for its job, and between two reads of a job that another process works on. */
const releaseWait = 5000;
const releasePause = 100;

/** A release that takes longer goes on in the background; its answer is then a run that is `releasing`. */
async function release(
  { reads, writes, jobs }: Parts,
  call: CallOf<'releasePayrollRun'>,
): Promise<AnswerOf<'releasePayrollRun'>> {
  const key = keyOf(call);
  const begun = await writes.runUnordered(requestOf(call), async (write, session) => ({
    isQueued: await beginRelease(write, session, key.id),
    run: await readRun(session, key),
  }));
  if (call.dryRun)
    return ok(JSON.stringify(begun.isQueued ? { ...begun.run, status: 'releasing' } : begun.run));
  if (begun.isQueued) void jobs.run(key).catch(() => {});
  const run = await waitForRelease(reads, key);
  if (run.failure) throw releaseError(run.failure);
  return ok(JSON.stringify(run));
}

async function waitForRelease(db: Pool, key: ReturnType<typeof keyOf>): Promise<PayrollRun> {
  const end = performance.now() + releaseWait;
  for (;;) {
    const run = await readRun(db, key);
    if (run.status !== 'releasing' || performance.now() > end) return run;
    await delay(releasePause);
  }
}
