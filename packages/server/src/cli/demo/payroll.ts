import type { PayrollExportDocument } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { databaseStore } from '../../files/database-store.ts';
import type { FileStore } from '../../files/file-store.ts';
import { publishPayroll } from '../records/import.ts';
import { firstOfMonth } from './calendar.ts';
import type { DemoOrder } from './orders.ts';
import type { DemoOrganization } from './organization.ts';

type Format = PayrollExportDocument['format'];

/** A line of a payroll file: the amount that is kept back from the salary of an employee in a month. */
interface Deduction {
  readonly number: string;
  readonly amount: string;
}

/** Wage type and other numbers of an invented client. */
const client = { adviser: '1234567', client: '10001', wageType: '3010', key: '2' };

/** Lines of payroll files as payroll software reads them. */
const renderers: Readonly<Record<Format, (period: string, rows: readonly Deduction[]) => string[]>> = {
  csv: (period, rows) => [
    'period,employeeNumber,amount',
    ...rows.map(({ number, amount }) => `${period},${number},${amount}`),
  ],
  datev_lodas: (period, rows) => [
    '[Allgemein]',
    'Ziel=LODAS',
    `BeraterNr=${client.adviser}`,
    `MandantenNr=${client.client}`,
    'Feldtrennzeichen=;',
    'Zahlenkomma=,',
    'Datumsformat=TT/MM/JJJJ',
    '[Satzbeschreibung]',
    '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;pnr#bwd;',
    '[Bewegungsdaten]',
    ...rows.map(
      ({ number, amount }) =>
        `1;01/${month(period)};${amount.replace('.', ',')};${client.key};${client.wageType};${number};`,
    ),
  ],
  datev_lug: (period, rows) => [
    `${client.adviser};${client.client};${month(period)}`,
    ...rows.map(({ number, amount }) => `${number};;;${client.wageType};;;${amount.replace('.', ',')};;;;`),
  ],
};

/** `2026-11` as `11/2026`. */
function month(period: string): string {
  return period.split('-').toReversed().join('/');
}

/** Publishes payroll export documents: in each format, for a single division, empty, and failed. Returns one with a file. */
export async function createPayrollDocuments(
  db: Pool,
  { organizationId, tenants }: DemoOrganization,
  orders: readonly DemoOrder[],
): Promise<string> {
  const target = { db, store: databaseStore(db), organizationId };
  const period = firstOfMonth(-1).slice(0, 7);
  let first: string | undefined;
  for (const [index, { id: tenant, divisions }] of tenants.entries()) {
    const active = orders.filter(({ status, employee }) => status === 'active' && employee.tenant === tenant);
    for (const format of Object.keys(renderers) as Format[]) {
      const id = await publishFile(target, { tenant, divisionId: null, period, format }, active);
      first ??= id;
    }
    const placed = active.find(({ employee }) => employee.divisionId !== null);
    const divisionId = placed?.employee.divisionId ?? divisions[0]!.id;
    const own = active.filter(({ employee }) => employee.divisionId === divisionId);
    await publishFile(target, { tenant, divisionId, period, format: 'csv' }, own);
    const none = { tenant, divisionId: null, rowCount: 0 };
    const earlier = firstOfMonth(-2 - index).slice(0, 7);
    const empty = { ...none, period: earlier, format: 'csv', status: 'empty', skippedCount: 0 } as const;
    const failed = { ...none, period, format: 'datev_lodas', status: 'failed', skippedCount: 2 } as const;
    await publishPayroll(target, organizationId, empty, null);
    await publishPayroll(target, organizationId, failed, null);
  }
  return first!;
}

/** Publishes a document with a file. Employees without a personnel number are left out of it. */
function publishFile(
  target: { db: Pool; store: FileStore; organizationId: string },
  place: Pick<PayrollExportDocument, 'tenant' | 'divisionId' | 'period' | 'format'>,
  orders: readonly DemoOrder[],
): Promise<string> {
  const rows = orders.flatMap(({ employee: { employeeNumber }, salaryConversion }) =>
    employeeNumber === null ? [] : [{ number: employeeNumber, amount: salaryConversion }],
  );
  const { format, period, divisionId } = place;
  const lines = renderers[format](period, rows).map(line => `${line}\r\n`);
  const part = divisionId === null ? '' : '-bereich';
  const extension = format === 'csv' ? 'csv' : 'txt';
  const file = {
    fileName: `${format}-${period}${part}.${extension}`,
    bytes: Buffer.from(lines.join(''), 'latin1'),
  };
  const counts = { rowCount: rows.length, skippedCount: orders.length - rows.length };
  return publishPayroll(target, target.organizationId, { ...place, status: 'available', ...counts }, file);
}
