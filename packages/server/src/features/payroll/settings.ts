import {
  ApiError,
  type PayrollLeaveRule,
  type PayrollSettings,
  type PayrollSettingsInput,
  unprocessable,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Write } from '../../write/writes.ts';

/** @throws ApiError 422 VALIDATION_ERROR for an exported kind without a wage type */
export function checkSettings({ kinds }: PayrollSettingsInput): void {
  for (const [name, mapping] of Object.entries(kinds))
    if (mapping?.export && mapping.wageType === null)
      throw unprocessable(`kinds.${name}.wageType is required for a kind that is exported`);
}

/** Names of the settings that differ. All of them for the first settings. */
function changedSettings(
  before: PayrollSettings | null,
  after: PayrollSettingsInput,
): (keyof PayrollSettingsInput)[] {
  const names = Object.keys(after) as (keyof PayrollSettingsInput)[];
  return names.filter(name => before === null || !isSame(before[name], after[name]));
}

/** The order of properties does not matter: jsonb has another one than a request. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object')
    return one === other;
  const [left, right] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({ ...left, ...right }).every(name => isSame(left[name], right[name]));
}

interface SettingsRow {
  readonly version: number;
  readonly settings: StoredSettings;
  readonly changed_at: Date;
}

type LeaveName = keyof PayrollSettingsInput['leaves'];

/** One effect on all kinds, as processes of 0.2.0 read and write it. */
type LeaveEffects = Record<LeaveName, PayrollLeaveRule['salaryConversion']>;

type StoredSettings = Omit<PayrollSettingsInput, 'leaves' | 'conversionBound'> & {
  readonly leaves: LeaveEffects;
  /** Absent in settings of 0.2.0. */
  readonly leaveRules?: PayrollSettingsInput['leaves'];
  readonly conversionBound?: string | null;
};

/** Settings as they are stored: 0.2.0 can compute with them. */
export function storedSettings({ leaves, ...settings }: PayrollSettingsInput): StoredSettings {
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

interface TenantKey {
  readonly organizationId: string;
  readonly tenantId: string;
}

/** The settings of a tenant; null before they were set. */
export async function readSettings(db: Queryable, tenant: TenantKey): Promise<PayrollSettings | null> {
  return (await readRow(db, tenant, false)) ?? null;
}

/**
 * Reads the settings and locks them until the end of the transaction. Every caller that changes the payroll of a tenant locks them first, so
 * that nothing of it happens at the same time. Background jobs do not, as they take long: see {@link rejectDuringRelease}.
 * @throws ApiError 422 VALIDATION_ERROR before they were set
 */
export async function lockSettings(session: Queryable, tenant: TenantKey): Promise<PayrollSettings> {
  const settings = await readRow(session, tenant, true);
  if (settings) return settings;
  throw unprocessable('The tenant has no payroll settings; set them first');
}

async function readRow(
  db: Queryable,
  { organizationId, tenantId }: TenantKey,
  locks: boolean,
): Promise<PayrollSettings | null> {
  const row = sql`
    SELECT version, settings, changed_at FROM payroll_settings
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`;
  const [found] = await db.rows<SettingsRow>(locks ? sql`${row} FOR UPDATE` : row);
  return found ? settingsOf(tenantId, found) : null;
}

function settingsOf(tenant: string, { version, settings, changed_at }: SettingsRow): PayrollSettings {
  const { firstPeriod, adviserNumber, clientNumber, personnelNumbers, cutOffDay, ...more } = settings;
  const { benefitProRata, releaseBySecondActor, kinds, conversionBound = null } = more;
  return {
    tenant,
    version,
    firstPeriod,
    adviserNumber,
    clientNumber,
    personnelNumbers,
    cutOffDay,
    benefitProRata,
    releaseBySecondActor,
    kinds,
    leaves: leaveRulesOf(settings),
    conversionBound,
    changedAt: changed_at.toISOString(),
  };
}

/** Stores settings that were checked. Returns the present ones where nothing changes. @throws ApiError INVALID_STATE_TRANSITION */
export async function storeSettings(
  write: Write,
  session: Queryable,
  tenantId: string,
  wanted: PayrollSettingsInput,
  expectedVersion?: number,
): Promise<PayrollSettings> {
  const { organizationId } = write;
  // The first settings have no row yet that two users could wait for.
  await session.run(sql`
    SELECT FROM tenant WHERE organization_id = ${organizationId} AND id = ${tenantId} FOR NO KEY UPDATE`);
  const before = await readRow(session, { organizationId, tenantId }, true);
  const fields = changedSettings(before, wanted);
  if (before !== null && fields.length === 0) return before;
  await rejectDuringRelease(session, { organizationId, tenantId });
  if (before !== null && fields.includes('firstPeriod'))
    await rejectAfterRelease(session, { organizationId, tenantId });
  if (expectedVersion !== undefined && expectedVersion !== (before?.version ?? 0))
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'expectedVersion: the settings have changed since; read them again',
      { rejectedField: { field: 'expectedVersion' } },
    );
  const version = (before?.version ?? 0) + 1;
  const stored = storedSettings(wanted);
  write.send(sql`
    INSERT INTO payroll_settings (organization_id, tenant_id, version, settings, changed_at)
    VALUES (${organizationId}, ${tenantId}, ${version}, ${JSON.stringify(stored)}::jsonb, ${write.at})
    ON CONFLICT (organization_id, tenant_id) DO UPDATE
    SET version = excluded.version, settings = excluded.settings, changed_at = excluded.changed_at`);
  write.audit({ id: tenantId, action: 'tenant.set_payroll_settings', fields });
  return settingsOf(tenantId, { version, settings: stored, changed_at: write.at });
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

async function rejectAfterRelease(
  session: Queryable,
  { organizationId, tenantId }: TenantKey,
): Promise<void> {
  const released = await session.run(sql`
    SELECT FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND status = 'released' LIMIT 1`);
  if (released > 0)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'firstPeriod cannot change once a payroll run was released',
      { rejectedField: { field: 'firstPeriod' } },
    );
}
