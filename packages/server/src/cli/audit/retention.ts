import type { AuditKeeping } from '../../write/writes.ts';
import type { Pool } from '../../db/connect.ts';
import {
  findTenantAuditDays,
  keepingOf,
  mayRemoveAudit,
  organizationsWithAuditDays,
  setAuditDays,
  setTenantAuditDays,
} from '../../features/audit/retention.ts';
import { pruneAudit } from '../../features/audit/sweep.ts';
import { organizationOfTenant } from '../../features/organizations/store.ts';
import { besideClock, operator } from '../../write/writes.ts';
import { CommandError, databaseSettings, defineCommand, parseId } from '../command.ts';
import { wholeNumber } from '../pages.ts';
import { placeOf, placeOptions } from './place.ts';

/** A hundred years. */
const maxDays = 36_500;

type Options = Readonly<Record<string, unknown>>;

export const auditRetentionCommand = defineCommand({
  name: 'audit retention',
  summary: 'Show or set for how many days the audit of an organization or of a tenant is kept',
  options: [
    ...placeOptions,
    { flags: '--tenant <id>', description: 'A tenant, which may have days of its own', parse: parseId },
    { flags: '--days <days>', description: 'Keep entries so long', parse: wholeNumber(maxDays) },
    {
      flags: '--for-ever',
      description: 'Keep all entries, as it is unless said; of a tenant: as long as its organization does',
    },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    if (options.days !== undefined && options.forEver === true)
      throw new CommandError('give either --days, or --for-ever');
    const wanted = options.forEver === true ? null : (options.days as number | undefined);
    return options.tenant === undefined ? ofOrganization(db, options, wanted) : ofTenant(db, options, wanted);
  },
});

async function ofOrganization(db: Pool, options: Options, wanted: number | null | undefined) {
  const organizationId = await placeOf(db, options);
  if (wanted !== undefined)
    await besideClock(db, organizationId, operator, turn => setAuditDays(turn, wanted));
  const keeping = await keepingOf(db, organizationId);
  const tenants = [...keeping.tenants].map(([tenantId, days]) => ({ tenantId, days }));
  return {
    json: { organizationId: organizationId || null, days: keeping.organization, tenants },
    text: textOf(keeping),
  };
}

function textOf({ organization, tenants }: AuditKeeping): string {
  const own = [...tenants].map(([id, days]) => `That of the tenant ${id} is kept for ${days} days`);
  return [`The audit is kept ${forDays(organization)}`, ...own].join('\n');
}

const forDays = (days: number | null) => (days === null ? 'for ever' : `for ${days} days`);

async function ofTenant(db: Pool, options: Options, wanted: number | null | undefined) {
  const tenantId = options.tenant as string;
  const organizationId = await organizationOfTenant(db, tenantId);
  if (organizationId === null) throw new CommandError(`there is no tenant ${tenantId}`);
  const named = options.organization === undefined || options.organization === organizationId;
  if (!named || options.platform === true)
    throw new CommandError(`the tenant ${tenantId} belongs to the organization ${organizationId}`);
  if (wanted !== undefined)
    await besideClock(db, organizationId, operator, (turn, session) =>
      setTenantAuditDays(turn, session, { tenantId, days: wanted }),
    );
  const found = (await findTenantAuditDays(db, organizationId, tenantId))!;
  const { days, organizationDays } = found;
  const text =
    days === null
      ? `The audit of the tenant is kept as long as that of its organization: ${forDays(organizationDays)}`
      : `The audit of the tenant is kept ${forDays(days)}`;
  return { json: { ...found }, text };
}

export const auditPruneCommand = defineCommand({
  name: 'audit prune',
  summary: 'Remove entries that are older than the audit is kept, of all organizations or of one',
  options: placeOptions,
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizations = await organizationsOf(db, options);
    if (!(await mayRemoveAudit(db)))
      throw new CommandError(
        'the role of DATABASE_URL may not remove entries: use the one that owns the tables',
      );
    const removed: { organizationId: string | null; removed: number }[] = [];
    const how = { author: operator, signal: context.signal };
    for (const organizationId of organizations)
      removed.push({
        organizationId: organizationId || null,
        removed: await pruneAudit(db, organizationId, how),
      });
    const sum = removed.reduce((total, each) => total + each.removed, 0);
    return { json: { removed }, text: `Removed ${sum} entries of ${removed.length} organizations` };
  },
});

async function organizationsOf(db: Pool, options: Options): Promise<string[]> {
  if (options.organization === undefined && options.platform !== true) return organizationsWithAuditDays(db);
  const organizationId = await placeOf(db, options);
  const { organization, tenants } = await keepingOf(db, organizationId);
  if (organization === null && tenants.size === 0)
    throw new CommandError('this audit is kept for ever: say otherwise with kontor audit retention');
  return [organizationId];
}
