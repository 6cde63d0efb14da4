import { ApiError } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { type Fragment, join, raw, sql } from '../db/sql.ts';
import type { Write } from './write.ts';

/** How often portal users may do something in an hour. The migration 0017 has an index for the actions. */
export interface HourlyLimit {
  readonly actions: readonly ('key.create' | 'user.create' | 'user.invite' | 'user.test_mail')[];
  readonly ofOrganization: number;
  /** The share of one user, so that a single one cannot use up the limit of the organization. */
  readonly ofUser: number;
  /** With one target, such as mails to one user. Absent: as often as all. */
  readonly ofTarget?: number;
  readonly what: string;
}

/**
 * Limits a write of a portal user; other callers have no such limit. It counts the stored entries of the audit: a dry run and a rejected
 * request never count, and each process counts the same. The share of a user is exact, as the write has locked the user. That of the
 * organization can be exceeded by the writes of other users at the same moment.
 * @throws ApiError RATE_LIMIT_EXCEEDED
 */
export async function checkHourlyLimit(
  { organizationId, author: { actor } }: Write,
  session: Queryable,
  { actions, ofOrganization, ofUser, ofTarget, what }: HourlyLimit,
  target: string | null = null,
): Promise<void> {
  if (actor.type !== 'user') return;
  const listed = join(actions.map(action => raw(`'${action}'`)));
  const waitFor = async (max: number, share: Fragment): Promise<number> => {
    const [entry] = await session.rows<{ wait: number }>(sql`
      SELECT ceil(3600 - extract(epoch FROM statement_timestamp() - at))::int AS wait FROM audit
      WHERE organization_id = ${organizationId} AND actor_type = 'user' AND action IN (${listed})
        AND at > statement_timestamp() - interval '1 hour' AND ${share}
      ORDER BY at DESC OFFSET ${max - 1} LIMIT 1`);
    return entry?.wait ?? 0;
  };
  const waits = await Promise.all([
    waitFor(ofOrganization, sql`true`),
    waitFor(ofUser, sql`actor = ${actor.id}`),
    ...(ofTarget === undefined || target === null ? [] : [waitFor(ofTarget, sql`target_id = ${target}`)]),
  ]);
  const retryAfter = Math.max(...waits);
  if (retryAfter === 0) return;
  const message = `There were too many ${what}; wait ${retryAfter} seconds, as Retry-After says`;
  throw new ApiError('RATE_LIMIT_EXCEEDED', message, { retryAfter });
}
