import type { AuditAction, MailName, PortalApiKey, User } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, raw, sql } from '../../../db/sql.ts';
import type { Due, Job } from '../../../jobs/job.ts';
import type { Letter, NamedMailKind } from '../../../mail/kind.ts';
import { queueMail } from '../../../mail/queue.ts';
import { type MailText, mailText } from '../../../mail/text.ts';
import type { Write } from '../../../write/writes.ts';
import { healthState } from '../health-state.ts';
import { keysByUser, selectContacts } from './contacts.ts';

/*
 * A notice tells the contacts of an API key once that the key needs attention. A job finds the keys and queues one mail for each contact.
 * The instant of the notice is stored in the key's row in the same transaction, so a killed process leaves both or neither.
 */

type OfKey = (organization: Fragment) => Fragment;

/** The fragments are about a key `k`. `organization` is the SQL expression of its organization. */
export interface KeyNotice {
  /** The name of job and mail. */
  readonly name: MailName;
  /** The column of `api_key` with the instant of the last notice. */
  readonly column: 'expiry_reminded_at' | 'no_recent_activity_reported_at' | 'failing_reported_at';
  /** Whether the key needs attention. It is checked again when the mail is sent. */
  readonly applies: OfKey;
  /** Whether a notice of a key that needs attention is still missing. */
  readonly isMissing: OfKey;
  readonly dueFrom: OfKey;
  /** The instant in the mail. */
  readonly instant: Fragment;
  /** The audit action. A reminder is audited only if somebody receives it. */
  readonly action: AuditAction;
  readonly auditedFor: 'all keys' | 'keys with contacts';
  /** Absent: the contacts of the keys. */
  readonly recipients?: typeof selectContacts;
  readonly words: Readonly<Record<User['language'], NoticeWords>>;
}

export interface NoticeWords {
  /** `first` is the day of the first key. */
  readonly subject: (keys: readonly NoticedKey[], first: string) => MailText;
  readonly paragraph: MailText;
  readonly each: (instant: string, health: PortalApiKey['health']) => MailText;
  readonly closing?: readonly MailText[];
}

export interface NoticedKey {
  readonly id: string;
  readonly name: string;
  readonly instant: Date;
}

interface MailedKey extends NoticedKey {
  readonly health: PortalApiKey['health'];
}

/** Notifies the contacts, and returns the identifiers of the keys that have some. */
export type Notify = (
  write: Write,
  session: Queryable,
  keys: readonly NoticedKey[],
) => Promise<ReadonlySet<string>>;

/** Stores and audits notices, and passes them to `notify`. */
export function noticeJob(notice: KeyNotice, notify: Notify): Job {
  return {
    name: notice.name,
    inspect: async db => (await countKeys(db, notice)).filter(({ count }) => count > 0),
    async find(db, organizationId, max) {
      const rows = await db.rows<{ id: string }>(sql`
        SELECT k.id FROM api_key k WHERE k.organization_id = ${organizationId} AND ${isDue(notice, organizationId)}
        ORDER BY k.id LIMIT ${max}`);
      return rows.map(({ id }) => id);
    },
    carryOut: (writes, call, ids) =>
      writes.runWithoutClock(call, async (write, session) => {
        const keys = await lockDue(session, notice, { organizationId: write.organizationId, ids });
        if (keys.length === 0) return 0;
        const notified = await notify(write, session, keys);
        for (const { id } of keys) {
          write.send(sql`
            UPDATE api_key SET ${raw(notice.column)} = ${write.at}
            WHERE organization_id = ${write.organizationId} AND id = ${id}`);
          if (notice.auditedFor === 'all keys' || notified.has(id))
            write.audit({ id, action: notice.action });
        }
        return keys.length;
      }),
  };
}

/** Counts keys that need attention, and among them keys without a notice. */
export function countKeys(
  db: Queryable,
  { applies, isMissing, dueFrom }: KeyNotice,
): Promise<(Due & { readonly applying: number })[]> {
  const organization = sql`k.organization_id`;
  return db.rows(sql`
    SELECT due.* FROM organization o CROSS JOIN LATERAL (
      SELECT q.organization_id AS "organizationId", count(*)::int AS applying,
        (count(*) FILTER (WHERE q.missing))::int AS count, min(q.due_from) FILTER (WHERE q.missing) AS since
      FROM (
        SELECT k.organization_id, ${dueFrom(organization)} AS due_from, ${isMissing(organization)} AS missing
        FROM api_key k WHERE k.organization_id = o.id AND ${applies(organization)}) AS q
      GROUP BY q.organization_id) AS due
    ORDER BY due.since`);
}

function isDue({ applies, isMissing }: KeyNotice, organizationId: string): Fragment {
  const organization = sql`${organizationId}`;
  return sql`${applies(organization)} AND ${isMissing(organization)}`;
}

/** Locks the keys and returns the ones that still have no notice. */
function lockDue(
  session: Queryable,
  notice: KeyNotice,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<NoticedKey[]> {
  return session.rows<NoticedKey>(sql`
    SELECT k.id, k.name, ${notice.instant} AS instant FROM api_key k
    WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[]) AND ${isDue(notice, organizationId)}
    ORDER BY k.id FOR NO KEY UPDATE OF k`);
}

interface MailedKeys {
  readonly keys: readonly string[];
}

/** Milliseconds after which an unsent mail is dropped. A week later the next reminder is due. */
export const noticeLife = 7 * 86_400_000;

/** Queues one mail per recipient with all their keys of this write. */
export function notifyByMail({ name, recipients = selectContacts }: KeyNotice): Notify {
  return async (write, session, keys) => {
    const ids = keys.map(({ id }) => id);
    const expiresAt = new Date(write.at.getTime() + noticeLife);
    const mails = await keysByUser(session, write.organizationId, ids, recipients);
    for (const [userId, own] of mails)
      queueMail<MailedKeys>(write, { kind: { name }, userId, details: { keys: own }, expiresAt });
    return new Set([...mails.values()].flat());
  };
}

/** A mail omits keys that need no attention any longer, and keys that this user is not to hear of any longer. */
export function noticeMail(notice: KeyNotice, publicUrl: string): NamedMailKind<MailedKeys> {
  return {
    name: notice.name,
    async compose(db, { organizationId, userId, language }, { keys }) {
      const { recipients = selectContacts } = notice;
      const own = (await keysByUser(db, organizationId, keys, recipients)).get(userId) ?? [];
      const organization = sql`${organizationId}`;
      const found = await db.rows<MailedKey>(sql`
        SELECT k.id, k.name, ${notice.instant} AS instant, ${healthState(organization)} AS health FROM api_key k
        WHERE k.organization_id = ${organizationId} AND k.id = ANY(${own}::text[])
          AND ${notice.applies(organization)} ORDER BY instant, k.id`);
      return found.length === 0 ? null : letterOf(notice.words[language], found, language, publicUrl);
    },
  };
}

function letterOf(
  { subject, paragraph, each, closing = [] }: NoticeWords,
  keys: readonly MailedKey[],
  language: User['language'],
  publicUrl: string,
): Letter {
  const format = (at: Date, style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat({ en: 'en-GB', de: 'de-DE' }[language], { ...style, timeZone: 'UTC' }).format(at);
  const dayOf = (at: Date) => format(at, { dateStyle: 'long' });
  const timeOf = (at: Date) => format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return {
    subject: subject(keys, dayOf(keys[0]!.instant)),
    paragraphs: [paragraph],
    list: keys.map(({ id, name, instant, health }) => ({
      label: mailText`${name}`,
      address: `${publicUrl}/portal/settings/api-keys/${id}`,
      more: each(`${dayOf(instant)}, ${timeOf(instant)}`, health),
    })),
    closing,
  };
}
