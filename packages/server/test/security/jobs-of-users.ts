import assert from 'node:assert/strict';
import { createTenant } from '../../src/features/organizations/store.ts';
import type { Answer } from '../support/contract/client.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { draftPayroll, payrollCompany, storeActiveOrder } from '../support/data/payroll-company.ts';
import type { Setting, Someone } from './portal-writes.ts';

/** A job that a request of a user is to queue. */
export interface PreparedJob {
  /** Sends the request, which is answered when the job is queued. */
  readonly send: () => Promise<Answer<any>>;
  /** State and failure of what the job works on, once it has ended, as another user reads them. */
  readonly ended: () => Promise<readonly [status: string, failure: string | undefined]>;
}

/** A job as its type is prepared, and how it ends with and without its user. */
interface JobOfUser {
  readonly prepare: (setting: Setting, who: Someone, reader: Someone) => Promise<PreparedJob>;
  readonly done: string;
  readonly denied: string;
}

/** More than two batches. */
const rowCount = 250;
let made = 0;

async function preparedImport(
  { fixture: { sql }, portal }: Setting,
  { organization, key }: Someone,
  reader: Someone,
) {
  const tenant = await createTenant(sql.database.writes, organization, `Imported ${++made}`);
  const staff = Array.from({ length: rowCount }, (_, n) => ({ tenant, employeeNumber: `${n}` }));
  await storeEmployees(sql, organization, staff);
  const steps = importSteps(portal, key);
  const lines = staff.map(({ employeeNumber }) => `${employeeNumber};Ulm`);
  const { body } = await steps.upload(tenant, `employeeNumber;city\n${lines.join('\n')}\n`);
  const { mapping } = await steps.details(body.id);
  return {
    steps,
    id: body.id,
    mapping,
    async ended() {
      const { status, failure } = await importSteps(portal, reader.key).settled(body.id);
      return [status, failure?.reason] as const;
    },
  };
}

async function preparedPayroll({ fixture: { sql }, portal }: Setting, organization: string, reader: Someone) {
  const tenant = await payrollCompany(sql, organization, `Paid ${++made}`, {});
  await storeActiveOrder(sql, { organization, tenant });
  return {
    tenant,
    async ended(id: string) {
      for (;;) {
        const { run } = (await portal.get(`/payroll-runs/${id}`, { key: reader.key })).body;
        if (run.status !== 'computing' && run.status !== 'releasing')
          return [run.status as string, run.failure?.reason as string | undefined] as const;
      }
    },
  };
}

/** Every type of background jobs, as each acts for the user who has begun it. */
export const jobsOfUsers: Readonly<Record<string, JobOfUser>> = {
  employee_import_parts: {
    async prepare(setting, who, reader) {
      const { steps, id, mapping, ended } = await preparedImport(setting, who, reader);
      return { send: () => steps.post(id, 'plan', mapping), ended };
    },
    done: 'planned',
    denied: 'failed',
  },
  employee_import_apply: {
    async prepare(setting, who, reader) {
      const { steps, id, mapping, ended } = await preparedImport(setting, who, reader);
      assert.equal((await steps.post(id, 'plan', mapping)).status, 200);
      await steps.settled(id);
      return { send: () => steps.post(id, 'apply', { confirmedChanges: rowCount }), ended };
    },
    done: 'applied',
    denied: 'failed',
  },
  payroll_draft: {
    async prepare(setting, { organization, key }, reader) {
      const { tenant, ended } = await preparedPayroll(setting, organization, reader);
      let id = '';
      return {
        async send() {
          const body = { period: '2026-10', formats: ['csv'] };
          const answer = await setting.portal.post(`/tenants/${tenant}/payroll-runs`, body, { key });
          id = answer.body.id;
          return answer;
        },
        ended: () => ended(id),
      };
    },
    done: 'draft',
    denied: 'discarded',
  },
  payroll_release: {
    async prepare(setting, { organization, key }, reader) {
      const { tenant, ended } = await preparedPayroll(setting, organization, reader);
      const id = await draftPayroll(setting.portal, { tenant, key });
      return {
        send: () => setting.portal.request('POST', `/payroll-runs/${id}/release`, { key }),
        ended: () => ended(id),
      };
    },
    done: 'released',
    denied: 'draft',
  },
};
