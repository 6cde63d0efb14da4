import { Gauge, type Registry } from 'prom-client';
import type { Clockwork, Due } from '../../clockwork/clockwork.ts';
import type { Queryable } from '../../database/session.ts';
import { type Fragment, sql } from '../../database/sql.ts';
import type { Turn } from '../../writes/writes.ts';
import { heardAt, isSilent } from './portal-store.ts';

/** A key whose silence was noticed. */
export interface SilentKey {
  readonly id: string;
  readonly name: string;
  /** When a request with it last succeeded, or since when it is watched. */
  readonly since: Date;
}

/** Tells whoever looks after the keys of an organization of silent ones, in the transaction of the turn. */
export type TellOfSilence = (turn: Turn, session: Queryable, keys: readonly SilentKey[]) => Promise<void>;

/** Of a silent key `k`: nobody was told of this silence. */
const isUntold: Fragment = sql`(k.silence_told_at IS NULL OR k.silence_told_at < ${heardAt})`;

/**
 * Tells once of each key that has fallen silent, and measures how many are. Told is whose row says so, in the transaction that tells; so a
 * process that is killed has told of a silence or not, and the next one tells of what has come meanwhile.
 */
export function silenceClockwork(registry: Registry, tell: TellOfSilence): Clockwork {
  const silent = new Gauge({
    name: 'kontor_keys_silent',
    help: 'Active API keys that had not been heard of for longer than they should when this process last looked',
    registers: [registry],
  });
  return {
    name: 'key_silence',
    async look(db) {
      const found = await silentInAll(db);
      silent.set(found.reduce((sum, organization) => sum + organization.silent, 0));
      return found.filter(({ count }) => count > 0);
    },
    find: untoldIn,
    carryOut: (writes, request, ids) =>
      writes.beside(request, async (turn, session) => {
        const keys = await lockUntold(session, turn.organizationId, ids);
        for (const { id } of keys) noteTold(turn, id);
        if (keys.length > 0) await tell(turn, session, keys);
        return keys.length;
      }),
  };
}

/** The silent keys of each organization that has some, and how many of them nobody was told of. */
function silentInAll(db: Queryable): Promise<(Due & { readonly silent: number })[]> {
  return db.rows(sql`
    SELECT due.* FROM organization o CROSS JOIN LATERAL (
      SELECT k.organization_id AS "organizationId", count(*)::int AS silent,
        (count(*) FILTER (WHERE ${isUntold}))::int AS count,
        min(${heardAt} + make_interval(secs => k.allowed_pause)) FILTER (WHERE ${isUntold}) AS since
      FROM api_key k WHERE k.organization_id = o.id AND ${isSilent} GROUP BY k.organization_id) AS due
    ORDER BY due.since`);
}

async function untoldIn(db: Queryable, organizationId: string, most: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT k.id FROM api_key k WHERE k.organization_id = ${organizationId} AND ${isSilent} AND ${isUntold}
    ORDER BY k.id LIMIT ${most}`);
  return rows.map(({ id }) => id);
}

/** Those of some keys that are silent now, and of which nobody was told. */
function lockUntold(
  session: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<SilentKey[]> {
  return session.rows<SilentKey>(sql`
    SELECT k.id, k.name, ${heardAt} AS since FROM api_key k
    WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[]) AND ${isSilent} AND ${isUntold}
    ORDER BY k.id FOR NO KEY UPDATE OF k`);
}

function noteTold(turn: Turn, id: string): void {
  turn.write(sql`
    UPDATE api_key SET silence_told_at = ${turn.at} WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id, action: 'key.silent' });
}
