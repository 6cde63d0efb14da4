import { createHash } from 'node:crypto';
import type { PayrollExportDocument } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { insertPayrollDocument, type NewPayrollDocument } from '../../features/payroll-documents/store.ts';
import { databaseStore } from '../../files/database-store.ts';
import { firstOfMonth } from './calendar.ts';
import type { DemoOrganization } from './organization.ts';
import type { DemoOrder } from './orders.ts';

type Format = PayrollExportDocument['format'];

/** A line of a payroll file: what is kept back from the salary of an employee in a month. */
interface Deduction {
  readonly number: string;
  readonly amount: string;
}

/** Wage type and other numbers of an invented client. */
const client = { adviser: '1234567', client: '10001', wageType: '3010', key: '2' };

/** Files of these formats as payroll software reads them, with lines that end in CR LF. */
const files: Readonly<
  Record<
    Format,
    { mediaType: string; extension: string; render: (period: string, rows: Deduction[]) => string[] }
  >
> = {
  csv: {
    mediaType: 'text/csv',
    extension: 'csv',
    render: (period, rows) => [
      'period,employeeNumber,amount',
      ...rows.map(({ number, amount }) => `${period},${number},${amount}`),
    ],
  },
  datev_lodas: {
    mediaType: 'text/plain',
    extension: 'txt',
    render: (period, rows) => [
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
  },
  datev_lug: {
    mediaType: 'text/plain',
    extension: 'txt',
    render: (period, rows) => [
      `${client.adviser};${client.client};${month(period)}`,
      ...rows.map(({ number, amount }) => `${number};;;${client.wageType};;;${amount.replace('.', ',')};;;;`),
    ],
  },
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
  const publish = (document: NewPayrollDocument, bytes: Buffer | null) =>
    insertPayrollDocument({ db, store: databaseStore(db) }, organizationId, document, bytes);
  const period = firstOfMonth(-1).slice(0, 7);
  const none = { divisionId: null, fileName: null, mediaType: null, size: null, sha256: null, rowCount: 0 };
  let first: string | undefined;
  for (const [index, { id: tenant, divisions }] of tenants.entries()) {
    const active = orders.filter(({ status, employee }) => status === 'active' && employee.tenant === tenant);
    for (const format of Object.keys(files) as Format[]) {
      const { id } = await publish(...available({ tenant, divisionId: null, period, format }, active));
      first ??= id;
    }
    const placed = active.flatMap(({ employee }) => employee.divisionId ?? []);
    const divisionId = placed[0] ?? divisions[0]!.id;
    const own = active.filter(({ employee }) => employee.divisionId === divisionId);
    await publish(...available({ tenant, divisionId, period, format: 'csv' }, own));
    const earlier = firstOfMonth(-2 - index).slice(0, 7);
    await publish(
      { ...none, tenant, period: earlier, format: 'csv', status: 'empty', skippedCount: 0 },
      null,
    );
    await publish(
      { ...none, tenant, period, format: 'datev_lodas', status: 'failed', skippedCount: 2 },
      null,
    );
  }
  return first!;
}

/** A document with the bytes of its file. Whoever has no personnel number is left out of it. */
function available(
  place: Pick<PayrollExportDocument, 'tenant' | 'divisionId' | 'period' | 'format'>,
  orders: readonly DemoOrder[],
): [NewPayrollDocument, Buffer] {
  const numbered = orders.filter(({ employee }) => employee.employeeNumber !== null);
  const rows = numbered.map(({ employee, salaryConversion }) => ({
    number: employee.employeeNumber!,
    amount: salaryConversion,
  }));
  const { mediaType, extension, render } = files[place.format];
  const bytes = Buffer.from(
    render(place.period, rows)
      .map(line => `${line}\r\n`)
      .join(''),
    'latin1',
  );
  const part = place.divisionId === null ? '' : '-bereich';
  const document = {
    ...place,
    status: 'available' as const,
    fileName: `${place.format}-${place.period}${part}.${extension}`,
    mediaType,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    rowCount: rows.length,
    skippedCount: orders.length - numbered.length,
  };
  return [document, bytes];
}
