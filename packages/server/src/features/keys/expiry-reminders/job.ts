import type { Queryable } from '../../../db/session.ts';
import { type Fragment, join, sql } from '../../../db/sql.ts';
import type { Job, Due } from '../../../jobs/job.ts';
import type { MailKind } from '../../../mail/kind.ts';
import { queueMail } from '../../../mail/queue.ts';
import type { Write } from '../../../write/writes.ts';
import { type Contact, selectContacts, type ContactScope, readContacts, readScopes } from '../contacts.ts';

interface KeyEnd {
  readonly id: string;
  readonly expiresAt: string;
}

export interface Reminded {
  readonly keys: readonly KeyEnd[];
}

export const keyReminder: Pick<MailKind<Reminded>, 'name'> = { name: 'key_reminder' };

const day = 24 * 3600 * 1000;

/** Mails the contacts of a key two weeks and one week before it expires. Used only with a mail server. */
export const keyReminders: Job = {
  name: 'key_reminder',
  inspect: endingInAll,
  find: endingIn,
  carryOut: (writes, request, ids) =>
    writes.runUnordered(request, async (write, session) => {
      const due = await lockEnding(session, request.organizationId, ids);
      remind(write, due, await readContacts(session, request.organizationId));
      return due.length;
    }),
};

/** Queues one mail per user with all their keys. Reminders missed during an outage become one. */
function remind(write: Write, due: readonly EndingKey[], users: readonly Contact[]): void {
  const mails = new Map<string, EndingKey[]>();
  for (const key of due) {
    const passed = reminderDays.filter(days => key.expiresAt.getTime() <= write.at.getTime() + days * day);
    recordReminders(write, key, passed);
    const contacts = selectContacts(users, key.grants);
    for (const userId of contacts) mails.set(userId, [...(mails.get(userId) ?? []), key]);
    if (contacts.length > 0) write.audit({ id: key.id, action: 'key.remind' });
  }
  for (const [userId, keys] of mails) {
    const expires = keys.map(({ id, expiresAt }): KeyEnd => ({ id, expiresAt: expiresAt.toISOString() }));
    queueMail(write, {
      kind: keyReminder,
      userId,
      details: { keys: expires },
      expiresAt: keys.at(-1)!.expiresAt,
    });
  }
}

/** Days before the expiry at which reminders are due. */
const reminderDays = [14, 7] as const;

/** In milliseconds, the precision of JavaScript dates. */
const endOf = sql`date_trunc('milliseconds', k.expires_at)`;

const before = (days: number) => sql`make_interval(hours => ${24 * days}::int)`;

/**
 * Whether the reminder `days` before the expiry of key `k` is due. Keys with a shorter lifetime need none: their creator knows the
 * expiry. `organization` is the SQL expression of the key's organization.
 */
const isDue = (days: number, organization: Fragment) => sql`(
  k.expires_at <= statement_timestamp() + ${before(days)} AND k.created_at <= k.expires_at - ${before(days)}
  AND NOT EXISTS (SELECT FROM key_reminder r WHERE r.organization_id = ${organization} AND r.key_id = k.id
    AND r.expires_at = ${endOf} AND r.days = ${days}))`;

/** Whether key `k` is active without a successor. A successor is a replacement that is active and expires later, or that was itself replaced. */
const standsSingle = (organization: Fragment) => sql`
  k.status = 'active' AND NOT EXISTS (SELECT FROM api_key n WHERE n.organization_id = ${organization}
    AND n.id = k.replaced_by AND (n.replaced_by IS NOT NULL
      OR (n.status = 'active' AND (n.expires_at IS NULL OR n.expires_at > k.expires_at))))`;

/** Keys without a successor that have a due reminder. */
const areDue = (organization: Fragment) => sql`
  ${standsSingle(organization)} AND k.expires_at > statement_timestamp()
  AND k.expires_at <= statement_timestamp() + ${before(Math.max(...reminderDays))}
  AND (${join(
    reminderDays.map(days => isDue(days, organization)),
    ' OR ',
  )})`;

function endingInAll(db: Queryable): Promise<Due[]> {
  return db.rows<Due>(sql`
    SELECT due.* FROM organization g CROSS JOIN LATERAL (
      SELECT k.organization_id AS "organizationId", count(*)::int AS count,
        min(k.expires_at) - ${before(Math.min(...reminderDays))} AS since
      FROM api_key k WHERE k.organization_id = g.id AND ${areDue(sql`k.organization_id`)} GROUP BY k.organization_id) AS due
    ORDER BY due.since`);
}

async function endingIn(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT k.id FROM api_key k WHERE k.organization_id = ${organizationId} AND ${areDue(sql`${organizationId}`)}
    ORDER BY k.expires_at, k.id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

export interface EndingKey {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly grants: ContactScope;
}

async function readKeys(db: Queryable, organizationId: string, condition: Fragment): Promise<EndingKey[]> {
  const keys = await db.rows<Omit<EndingKey, 'grants'>>(sql`
    SELECT k.id, k.name, ${endOf} AS "expiresAt" FROM api_key k
    WHERE k.organization_id = ${organizationId} AND ${condition} ORDER BY k.expires_at, k.id`);
  const scopes = await readScopes(
    db,
    organizationId,
    keys.map(({ id }) => id),
  );
  return keys.map(key => ({ ...key, grants: scopes.get(key.id)! }));
}

/** Returns the keys that are active and have no successor. */
export function workingKeys(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<EndingKey[]> {
  return readKeys(
    db,
    organizationId,
    sql`k.id = ANY(${[...ids]}::text[]) AND ${standsSingle(sql`${organizationId}`)}
      AND k.expires_at > statement_timestamp()`,
  );
}

/** Locks the keys, then reads the ones with due reminders. The lock excludes concurrent reminders and changes. */
async function lockEnding(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<EndingKey[]> {
  await db.run(sql`
    SELECT FROM api_key WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[])
    ORDER BY id FOR NO KEY UPDATE`);
  return readKeys(
    db,
    organizationId,
    sql`k.id = ANY(${[...ids]}::text[]) AND ${areDue(sql`${organizationId}`)}`,
  );
}

function recordReminders(
  write: Write,
  { id, expiresAt }: Pick<EndingKey, 'id' | 'expiresAt'>,
  days: readonly number[],
): void {
  for (const each of days)
    write.send(sql`
      INSERT INTO key_reminder (organization_id, key_id, expires_at, days, reminded_at)
      VALUES (${write.organizationId}, ${id}, ${expiresAt}, ${each}, ${write.at}) ON CONFLICT DO NOTHING`);
}
