import { Gauge, type Registry } from 'prom-client';
import type { Clockwork, Due } from '../../jobs/clockwork.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Turn } from '../../write/writes.ts';
import { heardAt, isSilent } from './portal-store.ts';
import type { Watch } from './watch.ts';

/** A key whose silence was noticed. */
export interface SilentKey {
  readonly id: string;
  readonly name: string;
  /** When a request with it last succeeded, or since when it is watched. */
  readonly since: Date;
}

/** Tells whoever looks after the keys of an organization of silent ones, in the transaction of the turn. */
export type TellOfSilence = (turn: Turn, session: Queryable, keys: readonly SilentKey[]) => Promise<void>;

/** How long a process must have looked without a break before it tells of a silence, in seconds, unless the key may pause for less. */
const timeout = 3600;

/** Of a silent key `k`: it is told of now, since nobody was yet, and it could have been heard of for long enough. */
function isDue({ seconds }: Watch): Fragment {
  return sql`(k.silence_told_at IS NULL OR k.silence_told_at < ${heardAt})
    AND least(k.allowed_pause, ${timeout}::int) <= ${seconds}::int`;
}

/**
 * Tells once of each key that has fallen silent, and measures how many are. Told is whose row says so, in the transaction that tells; so a
 * process that is killed has told of a silence or not, and the next one tells of what has come meanwhile. While the service or its database
 * is away nobody is heard of: so it tells of what is still silent when it was there again for a while, which `watch` says.
 */
export function silenceClockwork(registry: Registry, tell: TellOfSilence, watch: Watch): Clockwork {
  const silent = new Gauge({
    name: 'kontor_keys_silent',
    help: 'Active API keys that had not been heard of for longer than they should when this process last looked',
    registers: [registry],
  });
  return {
    name: 'key_silence',
    async look(db) {
      const found = await silentInAll(db, watch);
      watch.looked();
      silent.set(found.reduce((sum, organization) => sum + organization.silent, 0));
      return found.filter(({ count }) => count > 0);
    },
    find: (db, organizationId, max) => dueIn(db, watch, { organizationId, max }),
    carryOut: (writes, request, ids) =>
      writes.runUnordered(request, async (turn, session) => {
        const keys = await lockDue(session, watch, { organizationId: turn.organizationId, ids });
        for (const { id } of keys) noteTold(turn, id);
        if (keys.length > 0) await tell(turn, session, keys);
        return keys.length;
      }),
  };
}

/** The silent keys of each organization that has some, and how many of them it tells of now. */
function silentInAll(db: Queryable, watch: Watch): Promise<(Due & { readonly silent: number })[]> {
  return db.rows(sql`
    SELECT due.* FROM organization o CROSS JOIN LATERAL (
      SELECT k.organization_id AS "organizationId", count(*)::int AS silent,
        (count(*) FILTER (WHERE ${isDue(watch)}))::int AS count,
        min(${heardAt} + make_interval(secs => k.allowed_pause)) FILTER (WHERE ${isDue(watch)}) AS since
      FROM api_key k WHERE k.organization_id = o.id AND ${isSilent(sql`k.organization_id`)} GROUP BY k.organization_id) AS due
    ORDER BY due.since`);
}

async function dueIn(
  db: Queryable,
  watch: Watch,
  { organizationId, max }: { organizationId: string; max: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT k.id FROM api_key k WHERE k.organization_id = ${organizationId} AND ${isSilent(sql`${organizationId}`)} AND ${isDue(watch)}
    ORDER BY k.id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** Those of some keys that it tells of in this turn. */
function lockDue(
  session: Queryable,
  watch: Watch,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<SilentKey[]> {
  return session.rows<SilentKey>(sql`
    SELECT k.id, k.name, ${heardAt} AS since FROM api_key k
    WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[])
      AND ${isSilent(sql`${organizationId}`)} AND ${isDue(watch)}
    ORDER BY k.id FOR NO KEY UPDATE OF k`);
}

function noteTold(turn: Turn, id: string): void {
  turn.write(sql`
    UPDATE api_key SET silence_told_at = ${turn.at} WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action: 'key.silent' });
}
