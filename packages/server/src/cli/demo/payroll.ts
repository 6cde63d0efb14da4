import { payrollFormats, type PayrollExportDocument, type PayrollSettingsInput } from '@kontor/contract';
import { pino } from 'pino';
import { backgroundJobs } from '../../app/payroll.ts';
import type { Database, Pool } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import { beginRelease } from '../../features/payroll/release.ts';
import { createRun, readRun } from '../../features/payroll/runs.ts';
import { storeSettings } from '../../features/payroll/settings.ts';
import { databaseStore } from '../../files/database-store.ts';
import { type FileStore, FileStoreError } from '../../files/file-store.ts';
import type { BackgroundJobs } from '../../jobs/background.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { firstOfMonth } from './calendar.ts';
import type { DemoOrder } from './orders.ts';
import type { DemoOrganization } from './organization.ts';

type Format = PayrollExportDocument['format'];

const monthOf = (fromNow: number) => firstOfMonth(fromNow).slice(0, 7);

const continuing = {
  salaryConversion: 'continue',
  taxableBenefit: 'continue',
  employerSubsidy: 'continue',
  payer: null,
} as const;

/** Numbers and wage types of an invented client of DATEV. */
const settings: PayrollSettingsInput = {
  firstPeriod: monthOf(-2),
  adviserNumber: '1234567',
  clientNumber: '10001',
  personnelNumbers: 'payroll',
  cutOffDay: null,
  benefitProRata: false,
  releaseBySecondActor: false,
  kinds: {
    salaryConversion: { export: true, wageType: '3010', processingKey: '2', sign: 'minus' },
    taxableBenefit: { export: true, wageType: '3020', processingKey: '2', sign: 'plus' },
    employerSubsidy: { export: false, wageType: null, processingKey: null, sign: 'plus' },
  },
  leaves: {
    longTermIllness: { ...continuing, salaryConversion: 'suspend', payer: 'employee' },
    maternityLeave: { ...continuing, salaryConversion: 'suspend', payer: 'employee' },
    parentalLeave: { ...continuing, salaryConversion: 'suspend', payer: 'employee' },
    unpaidLeave: {
      ...continuing,
      salaryConversion: 'suspend',
      employerSubsidy: 'suspend',
      payer: 'employee',
    },
  },
  conversionBound: null,
};

interface Parts {
  readonly db: Pool;
  readonly jobs: BackgroundJobs;
  readonly organizationId: string;
}

/**
 * Exports the last two months of each company in every format: the last one first for a division alone, and in the end once more, which is
 * empty. In the first company the file store fails once, and this month is checked, but not released. Returns a document with a file.
 */
export async function createPayrollDocuments(
  database: Pick<Database, 'reads' | 'writes'>,
  { organizationId, tenants }: DemoOrganization,
  orders: readonly DemoOrder[],
): Promise<string> {
  const db = database.writes;
  const store = databaseStore(db);
  const jobsOn = (files: FileStore) => backgroundJobs(database, files, pino({ level: 'silent' }));
  const parts = { db, jobs: jobsOn(store), organizationId };
  let first: string | undefined;
  for (const { id: tenantId } of tenants) {
    await writeAsOperator(db, organizationId, (write, session) =>
      storeSettings(write, session, { tenantId, wanted: settings }),
    );
    const placed = orders.findLast(
      ({ status, employee }) =>
        status === 'active' && employee.tenant === tenantId && employee.divisionId !== null,
    );
    const [before, last] = [monthOf(-2), monthOf(-1)];
    const month = { period: before, formats: payrollFormats };
    const releasing = first === undefined ? [jobsOn({ ...store, put: fail }), parts.jobs] : [parts.jobs];
    const documents = await exportMonth(parts, tenantId, { ...month, releasing });
    first ??= documents[0];
    const divisionId = placed?.employee.divisionId ?? null;
    if (divisionId !== null)
      await exportMonth(parts, tenantId, { period: last, formats: ['csv'], divisionId });
    await exportMonth(parts, tenantId, { period: last, formats: payrollFormats });
    await exportMonth(parts, tenantId, { period: last, formats: ['csv'] });
  }
  await draftMonth(parts, tenants[0]!.id, { period: monthOf(0), formats: payrollFormats });
  return first!;
}

const fail = () => Promise.reject(new FileStoreError('the file store of the demo failed'));

interface Month {
  readonly period: string;
  readonly formats: readonly Format[];
  readonly divisionId?: string;
}

/** Computes a run and returns its key. */
async function draftMonth({ db, jobs, organizationId }: Parts, tenantId: string, month: Month) {
  const { id } = await writeAsOperator(db, organizationId, (write, session) =>
    createRun(write, session, tenantId, { ...month, formats: [...month.formats] }),
  );
  const key = { organizationId, id };
  await jobs.run(key);
  return key;
}

/** Computes and releases a run, with an attempt of each of `releasing`, and returns its documents, those with a file first. */
async function exportMonth(
  parts: Parts,
  tenantId: string,
  { releasing = [parts.jobs], ...month }: Month & { releasing?: readonly BackgroundJobs[] },
): Promise<string[]> {
  const { db, organizationId } = parts;
  const key = await draftMonth(parts, tenantId, month);
  for (const attempt of releasing) {
    await writeAsOperator(db, organizationId, (write, session) => beginRelease(write, session, key.id));
    await attempt.run(key);
  }
  const { status, documents, failure } = await readRun(db, key);
  if (status !== 'released')
    throw new Error(`a payroll run of the demo is ${status}: ${failure?.message ?? 'it has errors'}`);
  const ids = documents.map(document => document.id);
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM payroll_export_document
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::text[]) ORDER BY status, id`);
  return rows.map(row => row.id);
}
