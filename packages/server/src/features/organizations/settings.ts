import {
  ApiError,
  fold,
  getOrganizationSettings,
  OrganizationSettings,
  unprocessable,
  updateOrganizationSettings,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { type CallOf, implement } from '../../http/implement.ts';
import { type Call, type OkAnswer, ok, type Route } from '../../http/route.ts';
import { type ChangedValues, changedValues } from '../../lib/changed-values.ts';
import { checkName } from '../../lib/names.ts';
import { type Row, renderRow } from '../../lib/render-row.ts';
import type { Write, Writes } from '../../write/writes.ts';

interface Parts {
  /** Whether the address of the service supports passkeys. */
  readonly passkeysWork: () => boolean;
  readonly reads: Pool;
  readonly writes: Writes;
}

export function organizationSettingsRoutes(parts: Parts): Route[] {
  const { reads } = parts;
  return [
    implement(getOrganizationSettings, async ({ scope }) =>
      ok(JSON.stringify(await readSettings(reads, scope.organizationId))),
    ),
    implement(updateOrganizationSettings, call => update(parts, call)),
  ];
}

/** The settings are not in the public API, so the organization clock does not move. */
async function update(
  { writes, passkeysWork }: Parts,
  call: CallOf<typeof updateOrganizationSettings>,
): Promise<OkAnswer> {
  const { body, scope } = call;
  if (body.name !== undefined) checkName('name', body.name);
  const settings = await writes.runWithoutClock(call, async (write, session) => {
    await lockOrganization(session, scope.organizationId);
    const before = await readSettings(session, scope.organizationId);
    const after = { ...before, ...body };
    checkLifetimes(after);
    const changes = changedValues(before, body);
    if ('passkeyPermissions' in changes) checkPasskeys(after, call, passkeysWork());
    if (Object.keys(changes).length > 0) updateSettings(write, after, changes);
    return after;
  });
  return ok(JSON.stringify(settings));
}

/** @throws ApiError 422 VALIDATION_ERROR */
function checkLifetimes({ defaultKeyDays, maxKeyDays }: OrganizationSettings): void {
  if (maxKeyDays === null || (defaultKeyDays !== null && defaultKeyDays <= maxKeyDays)) return;
  throw unprocessable(
    `defaultKeyDays must be at most maxKeyDays (${maxKeyDays}); null is only possible without a maximum`,
  );
}

/**
 * Requiring passkeys takes one, so at least this user gets in after that. Requiring fewer is always possible.
 * @throws ApiError INVALID_STATE_TRANSITION
 */
function checkPasskeys(
  { passkeyPermissions }: OrganizationSettings,
  { caller }: Call,
  passkeysWork: boolean,
): void {
  const isProved = ['passkey', 'openid'].includes(caller.session!.method);
  if (passkeyPermissions.length === 0 || (isProved && passkeysWork)) return;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    passkeysWork
      ? 'passkeyPermissions: sign in with a passkey before you require them of others'
      : 'passkeyPermissions: the address of this service does not support passkeys',
  );
}

async function lockOrganization(db: Queryable, id: string): Promise<void> {
  await db.run(sql`SELECT FROM organization WHERE id = ${id} FOR NO KEY UPDATE`);
}

async function readSettings(db: Queryable, id: string): Promise<OrganizationSettings> {
  const [row] = await db.rows<Row>(sql`
    SELECT name, default_key_days, max_key_days, passkey_permissions, min_password_length,
      employee_history_days
    FROM organization WHERE id = ${id}`);
  return renderRow(OrganizationSettings, row!);
}

function updateSettings(
  write: Write,
  { name, defaultKeyDays, maxKeyDays, ...rules }: OrganizationSettings,
  changes: ChangedValues,
): void {
  const id = write.organizationId;
  write.send(sql`
    UPDATE organization SET name = ${name}, folded_name = ${fold(name)}, default_key_days = ${defaultKeyDays},
      max_key_days = ${maxKeyDays}, passkey_permissions = ${rules.passkeyPermissions},
      min_password_length = ${rules.minPasswordLength}, employee_history_days = ${rules.employeeHistoryDays}
    WHERE id = ${id}`);
  write.audit({ id, action: 'organization.update', fields: Object.keys(changes), changes });
}
