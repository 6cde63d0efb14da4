import { createOrganization } from '../../packages/server/src/features/organizations/store.ts';
import { type ApiClient, apiClient } from '../../packages/server/test/support/contract/client.ts';
import { importSteps } from '../../packages/server/test/support/data/employee-imports.ts';
import {
  draftPayroll,
  payrollCompany,
  storeActiveOrder,
} from '../../packages/server/test/support/data/payroll-company.ts';
import { storePayrollSettings } from '../../packages/server/test/support/data/payroll-runs.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { signedInUser } from '../../packages/server/test/support/data/users.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const importsAtOnce = 2;
const rows = 90_000;
const runs = 5;

/** Milliseconds that a part of an import may take, which a run may wait for instead. */
const part = 2000;

/** Plans two large imports of two organizations, while another one computes payroll: a run takes at most three times as long, or a part. */
export async function attackJobs(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql } = target;
  const service = await target.start();
  const portal = apiClient(service.url, { api: 'portal' });
  const paid = await customer(sql, 'Paid');
  await storePayrollSettings(sql, paid.organization, paid.tenant);
  await storeActiveOrder(sql, paid);
  await slowestRun(portal, paid);
  const quiet = await slowestRun(portal, paid);
  const imports = await Promise.all(
    Array.from({ length: importsAtOnce }, (_, n) => planLarge(sql, portal, n)),
  );
  const duringImports = await slowestRun(portal, paid);
  const states = await Promise.all(
    imports.map(async ({ steps, id }) => (await steps.details(id)).import.status),
  );
  const planning = states.filter(status => status === 'planning').length;
  for (const { steps, id } of imports) await steps.post(id, 'discard');
  portal.close();
  const findings: string[] = [];
  const limit = Math.max(3 * quiet, part);
  if (duringImports > limit)
    findings.push(`a payroll run took ${duringImports} ms during imports, more than ${limit} ms`);
  if (planning === 0) findings.push('both imports had ended before the last run, so nothing was measured');
  log(`${planning} of ${importsAtOnce} imports were still planned after the last run`);
  return { findings, figures: { runs, rows, 'quiet, ms': quiet, 'during imports, ms': duringImports } };
}

interface Customer {
  readonly organization: string;
  readonly tenant: string;
  readonly key: string;
}

async function customer(sql: Sql, name: string): Promise<Customer> {
  const organization = await createOrganization(sql, name);
  const permissions = ['HR' as const, 'PAYROLL_RUN' as const];
  const { secret: key } = await signedInUser(sql, organization, { permissions, hrTenants: null });
  return { organization, tenant: await payrollCompany(sql, organization, name), key };
}

/** Milliseconds of the slowest of some runs, from the request until the draft is there. */
async function slowestRun(portal: ApiClient, { tenant, key }: Customer): Promise<number> {
  let slowest = 0;
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    const id = await draftPayroll(portal, { tenant, key });
    slowest = Math.max(slowest, performance.now() - began);
    await portal.request('POST', `/payroll-runs/${id}/discard`, { key });
  }
  return Math.round(slowest);
}

/** Begins to plan a large import of an organization of its own. */
async function planLarge(sql: Sql, portal: ApiClient, number: number) {
  const { tenant, key } = await customer(sql, `Importing ${number}`);
  const steps = importSteps(portal, key);
  const lines = Array.from({ length: rows }, (_, n) => `person.${n}@example.com;Mia;Lang;Bonn`);
  const file = `email;firstName;lastName;city\n${lines.join('\n')}\n`;
  const { id } = (await steps.upload(tenant, file)).body;
  await steps.post(id, 'plan', (await steps.details(id)).mapping);
  return { steps, id };
}
