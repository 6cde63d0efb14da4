import type { User } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Due, Job } from '../../../jobs/job.ts';
import type { Letter, NamedMailKind } from '../../../mail/kind.ts';
import { canSignIn } from '../../../mail/notification-kinds.ts';
import { queueMail } from '../../../mail/queue.ts';
import { lockUsers } from '../../../write/writes.ts';
import { writeDigest } from './digest-words.ts';
import { readItems, settledBefore, type Source } from './items.ts';
import { findNotifications, updateDigestAt } from './store.ts';

/*
 * A digest is queued for each user of HR once a day. Its content is read when it is sent. Without anything new since the last one, or in
 * the bell, no mail is sent.
 */

/** A time of the day in a time zone. */
export interface DailyTime {
  readonly hour: number;
  readonly minute: number;
  readonly zone: string;
}

/** News later than `since` and until `until` are new. */
interface DigestPeriod {
  readonly since: string;
  readonly until: string;
}

/** Milliseconds after which an unsent digest is dropped: then comes the next one. */
const digestLife = 86_400_000;

/** Queues the digests that are due from a time of the day on. */
export function digestJob({ hour, minute, zone }: DailyTime): Job {
  const time = sql`make_interval(hours => ${hour}::int, mins => ${minute}::int)`;
  const lastTime = sql`((date_trunc('day', statement_timestamp() AT TIME ZONE ${zone}::text - ${time}) + ${time}) AT TIME ZONE ${zone}::text)`;
  const dueUsers = (organization: ReturnType<typeof sql>) => sql`
    FROM portal_user u LEFT JOIN user_notification n ON n.organization_id = ${organization} AND n.user_id = u.id
    WHERE u.organization_id = ${organization} AND ${canSignIn} AND 'HR' = ANY(u.permissions)
      AND coalesce(n.by_mail, true) AND coalesce(n.digest_at, u.created_at) < ${lastTime}`;
  const findDue = async (db: Queryable, organizationId: string, more: ReturnType<typeof sql>) =>
    db.rows<{ id: string; last: Date | null }>(sql`
      SELECT u.id, n.digest_at AS last ${dueUsers(sql`${organizationId}`)} ${more}`);
  return {
    name: 'digest',
    inspect: db =>
      db.rows<Due>(sql`
        SELECT due.* FROM organization o CROSS JOIN LATERAL (
          SELECT u.organization_id AS "organizationId", count(*)::int AS count, ${lastTime} AS since
          ${dueUsers(sql`o.id`)} GROUP BY u.organization_id) AS due
        ORDER BY due.since`),
    async find(db, organizationId, max) {
      const rows = await findDue(db, organizationId, sql`ORDER BY u.id LIMIT ${max}`);
      return rows.map(({ id }) => id);
    },
    carryOut: (writes, call, ids) =>
      writes.runWithoutClock(call, async (write, session) => {
        await lockUsers(session, write.organizationId, ids);
        const due = await findDue(session, write.organizationId, sql`AND u.id = ANY(${[...ids]}::text[])`);
        for (const { id, last } of due) {
          const since = last ?? new Date(write.at.getTime() - digestLife);
          queueMail<DigestPeriod>(write, {
            kind: { name: 'digest' },
            userId: id,
            details: {
              since: settledBefore(since).toISOString(),
              until: settledBefore(write.at).toISOString(),
            },
            expiresAt: new Date(write.at.getTime() + digestLife),
          });
          updateDigestAt(write, id);
        }
        return due.length;
      }),
  };
}

/** A failing key is not in it: it is mailed at once. */
export function digestMail(sources: readonly Source[], publicUrl: string): NamedMailKind<DigestPeriod> {
  return {
    name: 'digest',
    async compose(db, user, { since, until }): Promise<Letter | null> {
      const stored = await findNotifications(db, user);
      if (!stored?.byMail) return null;
      const seen = Math.max(Date.parse(since), stored.readUntil.getTime());
      const period = { since: new Date(seen), until: new Date(until) };
      const items = await readItems(db, sources, { user, stored, period, except: ['failing_key'] });
      const unread = items.filter(item => item.unread > 0);
      return unread.length === 0
        ? null
        : writeDigest(unread, user.language satisfies User['language'], publicUrl);
    },
  };
}
