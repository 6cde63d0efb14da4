import type { Notification } from '@kontor/contract';
import type { Scope } from '../../../auth/scope.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Due, Job } from '../../../jobs/job.ts';
import { mailText } from '../../../mail/text.ts';
import { healthState } from '../health-state.ts';
import { isWithin } from '../store.ts';
import { selectFollowers } from './contacts.ts';
import type { KeyNotice } from './notice.ts';

const isFailing = (organization: Fragment) => sql`${healthState(organization)} = 'failing'`;

/** As soon as a key fails, once until it has recovered ({@link keyRecovery}). */
export const failingKey: KeyNotice = {
  name: 'key_failing',
  column: 'failing_reported_at',
  applies: isFailing,
  isMissing: () => sql`k.failing_reported_at IS NULL`,
  dueFrom: () => sql`statement_timestamp()`,
  instant: sql`coalesce(k.last_success_at, k.created_at)`,
  action: 'key.failing',
  auditedFor: 'all keys',
  recipients: selectFollowers,
  words: {
    en: {
      subject: ({ length }) =>
        length === 1 ? mailText`An API key is failing` : mailText`${length} API keys are failing`,
      paragraph: mailText`Most of the last requests with these API keys of Kontor have failed. The systems that use them may receive no data. The page of a key shows its last errors.`,
      each: at => mailText`Failing, no success since ${at} (UTC)`,
      closing: [
        mailText`You receive no further message until the key works again. You can change this under “My account”.`,
      ],
    },
    de: {
      subject: ({ length }) =>
        length === 1
          ? mailText`Anfragen eines API-Schlüssels schlagen fehl`
          : mailText`Anfragen von ${length} API-Schlüsseln schlagen fehl`,
      paragraph: mailText`die meisten der letzten Anfragen mit diesen API-Schlüsseln von Kontor sind fehlgeschlagen. Die Systeme, die sie verwenden, bekommen möglicherweise keine Daten. Die Seite eines Schlüssels zeigt die letzten Fehler.`,
      each: at => mailText`Anfragen schlagen fehl, kein Erfolg seit ${at} Uhr (UTC)`,
      closing: [
        mailText`Sie bekommen keine weitere Nachricht, bis der Schlüssel wieder funktioniert. Einstellen können Sie das unter „Mein Konto“.`,
      ],
    },
  },
};

const hasRecovered = (organization: Fragment) => sql`(
  k.failing_reported_at <= statement_timestamp() - interval '1 day' AND NOT ${isFailing(organization)})`;

/** Lets a key be reported again that works. It waits for a day: a key between both states causes at most one mail a day. */
export const keyRecovery: Job = {
  name: 'key_recovery',
  inspect: db =>
    db.rows<Due>(sql`
      SELECT due.* FROM organization o CROSS JOIN LATERAL (
        SELECT k.organization_id AS "organizationId", count(*)::int AS count,
          min(k.failing_reported_at) + interval '1 day' AS since
        FROM api_key k WHERE k.organization_id = o.id AND ${hasRecovered(sql`k.organization_id`)}
        GROUP BY k.organization_id) AS due
      ORDER BY due.since`),
  async find(db, organizationId, max) {
    const rows = await db.rows<{ id: string }>(sql`
      SELECT k.id FROM api_key k WHERE k.organization_id = ${organizationId} AND ${hasRecovered(sql`${organizationId}`)}
      ORDER BY k.id LIMIT ${max}`);
    return rows.map(({ id }) => id);
  },
  carryOut: (writes, call, ids) =>
    writes.runWithoutClock(call, async (write, session) => {
      const { organizationId } = write;
      const recovered = await session.rows<{ id: string }>(sql`
        SELECT k.id FROM api_key k
        WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[])
          AND ${hasRecovered(sql`${organizationId}`)} ORDER BY k.id FOR NO KEY UPDATE OF k`);
      write.send(sql`
        UPDATE api_key SET failing_reported_at = NULL
        WHERE organization_id = ${organizationId} AND id = ANY(${recovered.map(({ id }) => id)}::text[])`);
      return recovered.length;
    }),
};

/** The reported keys within a scope that still fail, the latest first. */
export async function readFailingKeys(
  db: Queryable,
  scope: Scope,
  until: Date,
): Promise<(Pick<Notification, 'id' | 'name'> & { readonly at: Date })[]> {
  return db.rows(sql`
    SELECT k.id, k.name, k.failing_reported_at AS at FROM api_key k
    WHERE ${isWithin(scope)} AND k.failing_reported_at <= ${until} AND ${isFailing(sql`${scope.organizationId}`)}
    ORDER BY k.failing_reported_at DESC, k.id`);
}
