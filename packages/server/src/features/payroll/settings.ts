import {
  ApiError,
  type PayrollLeaveRule,
  type PayrollSettings,
  type PayrollSettingsInput,
  unprocessable,
} from '@kontor/contract';
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import { type Month, monthAfter } from '../../lib/calendar.ts';
import { changedValues } from '../../lib/changed-values.ts';
import type { Write } from '../../write/writes.ts';
import {
  lastMonth,
  settingsIn,
  type SettingsVersion,
  type SettingsVersions,
  yearsAhead,
} from './computation/facts.ts';

/** @throws ApiError 422 VALIDATION_ERROR for an exported kind without a wage type */
export function checkSettings({ kinds }: PayrollSettingsInput): void {
  for (const [name, mapping] of Object.entries(kinds))
    if (mapping?.export && mapping.wageType === null)
      throw unprocessable(`kinds.${name}.wageType is required for a kind that is exported`);
}

/** Names of the settings that differ. All of them for the first settings. */
function changedSettings(before: SettingsVersion | null, after: SettingsVersion): string[] {
  const settings = pickSettings(after);
  const names = Object.keys(settings) as (keyof typeof settings)[];
  return names.filter(name => before === null || !isDeepStrictEqual(before[name], after[name]));
}

/** Picks the settings of a version, without its tenant, month, number and time. */
export function pickSettings({
  tenant: _tenant,
  from: _from,
  version: _version,
  changedAt: _changedAt,
  ...settings
}: SettingsVersion) {
  return settings;
}

interface StoredVersion {
  readonly from: Month;
  readonly version: number;
  readonly changedAt: string;
  readonly settings: StoredSettings;
}

type LeaveName = keyof PayrollSettingsInput['leaves'];

/** One effect on all kinds, as processes of 0.2.0 read and write it. */
type LeaveEffects = Record<LeaveName, PayrollLeaveRule['salaryConversion']>;

/** The settings of a version as they are stored. Settings of 0.2.0 lack the optional properties. */
type StoredSettings = Omit<
  PayrollSettingsInput,
  'from' | 'changesReleased' | 'leaves' | 'conversionBound'
> & {
  readonly leaves: LeaveEffects;
  readonly leaveRules?: PayrollSettingsInput['leaves'];
  readonly conversionBound?: string | null;
};

/** Settings as they are stored: 0.2.0 can compute with them. */
export function storedSettings({
  leaves,
  ...settings
}: Omit<PayrollSettingsInput, 'from' | 'changesReleased'>): StoredSettings {
  const effects = Object.entries(leaves).map(([name, rule]) => [name, rule.salaryConversion]);
  return { ...settings, leaves: Object.fromEntries(effects) as LeaveEffects, leaveRules: leaves };
}

/** Settings of 0.2.0 go on as they were. */
function leaveRulesOf({ leaves, leaveRules }: StoredSettings): PayrollSettingsInput['leaves'] {
  if (leaveRules) return leaveRules;
  const rules = Object.entries(leaves).map(([name, effect]): [string, PayrollLeaveRule] => [
    name,
    { salaryConversion: effect, taxableBenefit: effect, employerSubsidy: effect, payer: null },
  ]);
  return Object.fromEntries(rules) as PayrollSettingsInput['leaves'];
}

/** A row of the settings with all their versions. */
export interface SettingsRow extends Omit<StoredVersion, 'from' | 'changedAt'> {
  readonly changed_at: Date;
  readonly from_month: Month | null;
  readonly earlier: readonly StoredVersion[];
}

export interface TenantKey {
  readonly organizationId: string;
  readonly tenantId: string;
}

/** The settings of a tenant; null before they were set. */
export async function readSettings(db: Queryable, tenant: TenantKey): Promise<SettingsVersions | null> {
  return await readVersions(db, tenant, false);
}

/**
 * Reads the settings and locks them until the end of the transaction. Every caller that changes the payroll of a tenant locks them first, so
 * that nothing of it happens at the same time. Background jobs do not, as they take long: see {@link rejectDuringRelease}.
 * @throws ApiError 422 VALIDATION_ERROR before they were set
 */
export async function lockSettings(session: Queryable, tenant: TenantKey): Promise<SettingsVersions> {
  const versions = await readVersions(session, tenant, true);
  if (versions) return versions;
  throw unprocessable('The tenant has no payroll settings; set them first');
}

async function readVersions(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
  locks: boolean,
): Promise<SettingsVersions | null> {
  const row = sql`
    SELECT version, settings, changed_at, from_month, earlier FROM payroll_settings
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`;
  const [found] = await db.rows<SettingsRow>(locks ? sql`${row} FOR UPDATE` : row);
  return found ? versionsOf(tenantId, found) : null;
}

export function versionsOf(tenantId: string, row: SettingsRow): SettingsVersions {
  const { settings, version, from_month: from, changed_at: changedAt, earlier } = row;
  const { firstPeriod } = settings;
  const latest = { version, settings, from: from ?? firstPeriod, changedAt: changedAt.toISOString() };
  const versions = [...earlier, latest].map(stored => versionOf(tenantId, stored, firstPeriod));
  return versions as [SettingsVersion, ...SettingsVersion[]];
}

function versionOf(
  tenant: string,
  { from, version, changedAt, settings }: StoredVersion,
  firstPeriod: Month,
): SettingsVersion {
  const { adviserNumber, clientNumber, personnelNumbers, cutOffDay, ...more } = settings;
  const { benefitProRata, releaseBySecondActor, kinds, partMonth = 'calendar_days' } = more;
  const { conversionBound = null, lugCorrections = 'two_years', changesBySecondActor = false } = more;
  return {
    tenant,
    from,
    version,
    changedAt,
    firstPeriod,
    adviserNumber,
    clientNumber,
    personnelNumbers,
    cutOffDay,
    benefitProRata,
    releaseBySecondActor,
    kinds,
    leaves: leaveRulesOf(settings),
    partMonth,
    conversionBound,
    lugCorrections,
    changesBySecondActor,
  };
}

/** The latest settings as the contract shows them. */
export function showSettings(versions: SettingsVersions): PayrollSettings {
  return {
    ...versions.at(-1)!,
    versions: versions.map(({ from, version, changedAt }) => ({ from, version, changedAt })),
  };
}

/** Settings of a tenant, so that each is read and locked in one row. */
const maxVersions = 120;

/**
 * The settings of a tenant after a change: those from its month on are replaced. `released` is the last released month.
 * @throws ApiError 422 VALIDATION_ERROR for a month before the first period or far ahead, and for too many versions
 */
export function planSettings(
  before: SettingsVersions | null,
  { tenantId, wanted, released, at }: PlannedSettings,
): SettingsVersions {
  const { from: given, changesReleased: _, ...settings } = wanted;
  const { firstPeriod } = settings;
  const latest = before?.at(-1);
  const afterReleased = released === null ? firstPeriod : monthAfter(released);
  const from = given ?? [afterReleased, latest?.from ?? firstPeriod, firstPeriod].toSorted().at(-1)!;
  if (from < firstPeriod)
    throw unprocessable(`from must not be before ${firstPeriod}, the first period of the tenant`);
  if (before === null && from > firstPeriod)
    throw unprocessable(`from must be ${firstPeriod}, the first period, for the first settings of a tenant`);
  const last = lastMonth(at);
  if (given !== undefined && given > last)
    throw unprocessable(`from must not be after ${last}, ${yearsAhead} years after the present month`);
  const kept = from === firstPeriod ? [] : (before ?? []).filter(version => version.from < from);
  if (kept.length >= maxVersions)
    throw unprocessable(
      `A tenant has at most ${maxVersions} settings; replace the settings of an earlier month`,
    );
  const version = (latest?.version ?? 0) + 1;
  const added = {
    from: kept.length === 0 ? firstPeriod : from,
    version,
    changedAt: at.toISOString(),
    settings: storedSettings({ ...(latest && keptIn(latest)), ...settings }),
  };
  const versions = [
    ...kept.map(earlier => ({ ...earlier, firstPeriod })),
    versionOf(tenantId, added, firstPeriod),
  ];
  return versions as [SettingsVersion, ...SettingsVersion[]];
}

/** Settings that stay as they are if a client does not know them. */
function keptIn({ lugCorrections, changesBySecondActor }: SettingsVersion) {
  return { lugCorrections, changesBySecondActor };
}

interface PlannedSettings {
  readonly tenantId: string;
  readonly wanted: PayrollSettingsInput;
  readonly released: Month | null;
  readonly at: Date;
}

export interface WantedSettings {
  readonly tenantId: string;
  readonly wanted: PayrollSettingsInput;
  readonly expectedVersion?: number | undefined;
  /** Whether another caller has confirmed what was proposed. */
  readonly isConfirmed?: boolean;
}

/**
 * The latest settings say whether settlements and settings need another caller, whatever their month.
 * @throws ApiError PERMISSION_DENIED where one has to confirm a change
 */
export function rejectUnconfirmed(versions: SettingsVersions): void {
  if (versions.at(-1)!.changesBySecondActor)
    throw new ApiError(
      'PERMISSION_DENIED',
      'Another caller must confirm changes of this tenant (changesBySecondActor): send it to the path with /proposals',
    );
}

/**
 * Stores settings that were checked. Returns the present ones where nothing changes.
 * @throws ApiError INVALID_STATE_TRANSITION, PERMISSION_DENIED where another caller has to confirm them
 */
export async function storeSettings(
  write: Write,
  session: Queryable,
  { tenantId, wanted, expectedVersion, isConfirmed = false }: WantedSettings,
): Promise<PayrollSettings> {
  const { organizationId } = write;
  const tenant = { organizationId, tenantId };
  // The first settings have no row yet that two users could wait for.
  await session.run(sql`
    SELECT FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenantId} FOR NO KEY UPDATE`);
  const before = await readVersions(session, tenant, true);
  const released = await readLastReleased(session, tenant);
  const after = planSettings(before, { tenantId, wanted, released, at: write.at });
  const latest = after.at(-1)!;
  const replaced = before && settingsIn(before, latest.from);
  const fields = changedSettings(replaced, latest);
  if (before !== null && fields.length === 0 && before.at(-1)!.from <= latest.from)
    return showSettings(before);
  if (before !== null && !isConfirmed) rejectUnconfirmed(before);
  await rejectDuringRelease(session, tenant);
  if (released !== null && fields.includes('firstPeriod'))
    throw conflict('firstPeriod', 'firstPeriod cannot change once a payroll run was released');
  if (released !== null && latest.from <= released && wanted.changesReleased !== true)
    throw conflict(
      'from',
      `from: months up to ${released} are released; send changesReleased: true to correct them, or a later month`,
    );
  if (expectedVersion !== undefined && expectedVersion !== (before?.at(-1)!.version ?? 0))
    throw conflict('expectedVersion', 'expectedVersion: the settings have changed since; read them again');
  const earlier = JSON.stringify(after.slice(0, -1).map(storedOf));
  const { from, version, settings } = storedOf(latest);
  write.send(sql`
    INSERT INTO payroll_settings (organization_id, tenant_id, version, settings, changed_at, from_month, earlier)
    VALUES (${organizationId}, ${tenantId}, ${version}, ${JSON.stringify(settings)}::jsonb, ${write.at}, ${from},
      ${earlier}::jsonb)
    ON CONFLICT (organization_id, tenant_id) DO UPDATE
    SET version = excluded.version, settings = excluded.settings, changed_at = excluded.changed_at,
      from_month = excluded.from_month, earlier = excluded.earlier`);
  const changes = changedValues(replaced, { from, ...pickSettings(latest) });
  write.audit({ id: tenantId, action: 'tenant.set_payroll_settings', fields, changes });
  return showSettings(after);
}

function storedOf(of: SettingsVersion): StoredVersion {
  const { from, version, changedAt } = of;
  return { from, version, changedAt, settings: storedSettings(pickSettings(of)) };
}

function conflict(field: string, message: string): ApiError {
  return new ApiError('INVALID_STATE_TRANSITION', message, { rejectedField: { field } });
}

/** The runs of a tenant that have released their month. A reversal releases none: it books amounts of released months anew. */
export function fromReleased(organizationId: string, tenant: Fragment): Fragment {
  return sql`FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenant} AND status = 'released' AND kind = 'regular'`;
}

/** The last month that a run has released. */
export async function readLastReleased(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
): Promise<Month | null> {
  const [found] = await db.rows<{ last: Month | null }>(sql`
    SELECT max(period) AS last ${fromReleased(organizationId, sql`${tenantId}`)}`);
  return found!.last;
}

/** The settings must be locked, so that no release begins meanwhile. @throws ApiError INVALID_STATE_TRANSITION */
export async function rejectDuringRelease(
  session: Queryable,
  { organizationId, tenantId }: TenantKey,
): Promise<void> {
  const releasing = await session.run(sql`
    SELECT FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND status = 'releasing'`);
  if (releasing > 0)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'A payroll run of the tenant is being released; send the request again when it has ended',
    );
}
