import { integer } from '../../config.ts';
import { createTenant } from '../../features/organizations/store.ts';
import { findDueDocuments, type DueDocuments, type Leavers, readLeavers } from '../../privacy/due.ts';
import type { Retention } from '../../privacy/retention.ts';
import { readRetention, storeRetention } from '../../privacy/store.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { argument, defineDatabaseCommand, option } from '../program/command.ts';
import { listTable, sheet } from '../program/output.ts';
import { showProgress } from '../program/progress.ts';
import { nameOption, organizationOption, ownOrganizationOption, parseId, today } from '../program/values.ts';
import { findTenant, type ListedTenant, readTenants } from './store.ts';

const idArgument = argument('<id>', 'The tenant', parseId);

export const tenantCreate = defineDatabaseCommand({
  summary: 'Create a tenant, which is a company of an organization',
  example: 'tenant create --organization 64b7e3f0a1c2d3e4f5a6b7c8 --name "Muster GmbH"',
  input: { organization: ownOrganizationOption, name: nameOption },
  async run({ db }, { organization, name }) {
    const id = await createTenant(db, organization, name);
    return { json: { id }, text: `Created tenant ${id}` };
  },
});

export const tenantList = defineDatabaseCommand({
  summary: 'List tenants, of all organizations or of one',
  example: 'tenant list --organization 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { organization: organizationOption },
  async run({ db }, { organization = null }) {
    const tenants = await readTenants(db, { organizationId: organization });
    const text = listTable<ListedTenant>(tenants, 'No tenants', {
      id: ({ id }) => id,
      name: ({ name }) => name,
      divisions: ({ divisions }) => divisions,
      employees: ({ employees }) => employees,
      created: ({ createdAt }) => createdAt.slice(0, 10),
      organization: ({ organizationId }) => organizationId,
      'its name': ({ organizationName }) => organizationName,
    });
    return { json: { tenants }, text };
  },
});

export const tenantShow = defineDatabaseCommand({
  summary: 'Show a tenant',
  example: 'tenant show 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: idArgument },
  async run({ db }, { id }) {
    const tenant = { ...(await findTenant(db, id)) };
    return { json: tenant, text: sheet(tenant) };
  },
});

/** Max employees that are listed; the others are counted. */
const maxListed = 100;

export const tenantRetention = defineDatabaseCommand({
  summary: 'List the employees of a tenant who can be erased, and set the retention',
  example: 'tenant retention 64b7e3f0a1c2d3e4f5a6b7c8 --voucher-years 8',
  input: {
    id: idArgument,
    voucherYears: option(
      '--voucher-years <years>',
      'Keep payroll vouchers for this number of years after their year (usually 6)',
      integer(0, 100),
    ),
    otherDays: option(
      '--other-days <days>',
      'Keep other orders and incidents for this number of days after their last change (usually 0)',
      integer(0, 36_500),
    ),
  },
  async run(context, { id, voucherYears, otherDays }) {
    const { db } = context;
    const tenant = await findTenant(db, id);
    const place = { organizationId: tenant.organizationId, tenantId: id };
    const before = await readRetention(db, place.organizationId, id);
    const retention: Retention = {
      voucherYears: voucherYears ?? before.voucherYears,
      otherDays: otherDays ?? before.otherDays,
    };
    if (voucherYears !== undefined || otherDays !== undefined)
      await writeAsOperator(db, place.organizationId, write => storeRetention(write, id, before, retention));
    using progress = showProgress(context);
    progress.begin('Looking', tenant.employees);
    const { advance } = progress;
    const leavers = await readLeavers(db, place, retention, { today: today(), maxIds: maxListed, advance });
    const documents = await findDueDocuments(db, place, retention, today());
    const json = { tenant: id, ...retention, ...leavers, documents };
    return { json, text: retentionText(retention, leavers, documents) };
  },
});

function retentionText(
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
