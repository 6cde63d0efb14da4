import type { PayrollRun } from '@kontor/contract';
import { readReport } from '../../features/payroll/report.ts';
import { readRun, readRuns } from '../../features/payroll/runs.ts';
import { findOrganizationOfTenant } from '../organization/store.ts';
import { argument, defineDatabaseCommand } from '../program/command.ts';
import { listTable, minute } from '../program/output.ts';
import { parseId, tenantOption } from '../program/values.ts';
import { reportText } from './report.ts';
import { findRunKey } from './work.ts';

export const payrollList = defineDatabaseCommand({
  summary: 'List the last payroll runs of a tenant, the latest first',
  example: 'payroll list --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { tenant: tenantOption },
  async run({ db }, { tenant }) {
    const organizationId = await findOrganizationOfTenant(db, tenant);
    const runs = await readRuns(db, organizationId, { tenantId: tenant });
    const text = listTable<PayrollRun>(runs, 'No payroll runs', {
      run: ({ id }) => id,
      period: ({ period }) => period,
      status: ({ status }) => status,
      formats: ({ formats }) => formats.join(' '),
      division: ({ divisionId }) => divisionId,
      amounts: ({ summary }) => summary && summary.entries,
      created: ({ createdAt }) => minute(createdAt),
      released: ({ releasedAt }) => releasedAt && minute(releasedAt),
      by: ({ releasedBy, createdBy }) => (releasedBy ?? createdBy).name,
    });
    return { json: { runs }, text };
  },
});

export const payrollShow = defineDatabaseCommand({
  summary: 'Show a payroll run: its state, sums, report and documents, and who downloaded them',
  example: 'payroll show 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: argument('<run>', 'The payroll run', parseId) },
  async run({ db }, { id }) {
    const key = await findRunKey(db, id);
    const run = await readRun(db, key);
    const findings = await readReport(db, key);
    return {
      json: { ...run, findings },
      text: await reportText(db, key.organizationId, { run, findings }),
    };
  },
});
