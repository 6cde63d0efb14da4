import type { Pool } from '../../db/connect.ts';
import {
  dueDocuments,
  type DueDocuments,
  type Leavers,
  leaversOf,
  setRetention,
  summedLeavers,
} from '../../privacy/due.ts';
import type { Retention } from '../../privacy/retention.ts';
import { readRetention } from '../../privacy/store.ts';
import { operator } from '../../write/writes.ts';
import { type CommandContext, CommandError, databaseSettings, defineCommand, parseId } from '../command.ts';
import { type ListedTenant, readTenants } from '../look/store.ts';
import { showProgress } from '../progress.ts';

/** Employees that are listed; the others are counted. */
const listedMaximum = 100;

export const tenantRetention = defineCommand({
  name: 'tenant retention',
  summary: 'Show whose data of a tenant may be erased, and set how long they are kept',
  arguments: [{ name: '<id>', description: 'The tenant', parse: parseId }],
  options: [
    {
      flags: '--voucher-years <years>',
      description: 'Keep vouchers of the payroll so many years after the year (usually 6)',
      parse: wholeNumber(100),
    },
    {
      flags: '--other-days <days>',
      description: 'Keep other orders and incidents so many days after their last change (usually 0)',
      parse: wholeNumber(36_500),
    },
  ],
  settings: databaseSettings,
  async run(context, { arguments: [id], options }) {
    const { writes: db } = await context.openDatabase();
    const [tenant] = await readTenants(db, { id: id as string });
    if (!tenant) throw new CommandError(`there is no tenant ${id as string}`);
    const place = { organizationId: tenant.organizationId, tenantId: tenant.id };
    const before = await readRetention(db, place.organizationId, place.tenantId);
    const retention = { ...before, ...(options as Partial<Retention>) };
    if (Object.keys(options).length > 0) await setRetention(db, place, retention, operator);
    const today = new Date().toISOString().slice(0, 10);
    const leavers = await readLeavers(db, context, tenant, { retention, today });
    const documents = await dueDocuments(db, place, retention, today);
    const json = { tenant: tenant.id, ...retention, ...leavers, documents };
    return { json, text: textOf(retention, leavers, documents) };
  },
});

function textOf(
  { voucherYears, otherDays }: Retention,
  { due, later, next }: Leavers,
  { count, first, last }: DueDocuments,
): string {
  return [
    `Vouchers of the payroll are kept for ${voucherYears} years after the year, other orders and incidents for ${otherDays} days`,
    `${due.count} who have left may be erased, ${later} are kept${next === null ? '' : `, the next one until ${next}`}`,
    `${count} payroll export documents are older${count === 0 ? '' : `: ${first} to ${last}`}`,
    ...due.employees,
    ...(due.count > due.employees.length ? [`… and ${due.count - due.employees.length} more`] : []),
  ].join('\n');
}

async function readLeavers(
  db: Pool,
  context: CommandContext,
  { id, organizationId, employees: total }: ListedTenant,
  { retention, today }: { retention: Retention; today: string },
): Promise<Leavers> {
  const progress = showProgress(context, { step: 'Looking', total, unit: 'employees' });
  const slices = leaversOf(db, { organizationId, tenantId: id }, retention, today);
  try {
    return await summedLeavers(slices, { today, named: listedMaximum, advance: progress.advance });
  } finally {
    progress.close();
  }
}

function wholeNumber(maximum: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^[0-9]{1,5}$/.test(text) || value > maximum)
      throw new CommandError(`expected a whole number from 0 to ${maximum}`);
    return value;
  };
}
