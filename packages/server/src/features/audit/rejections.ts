import type { Logger } from 'pino';
import type { Pool } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { anonymous } from '../../auth/caller.ts';
import { describeCause } from '../../telemetry/cause.ts';
import type { AuditedRejection } from '../../auth/rejection.ts';
import { OrganizationBuffer } from '../../lib/concurrency/organization-buffer.ts';
import { type AuditedBatched, auditBatched } from '../../write/writes.ts';

/** Milliseconds between two writes. Equal rejections within an interval share one entry. */
const interval = 60_000;

/** Max entries per organization and interval that name target and actor. Further ones share one entry per reason. */
export const maxNamed = 20;

/** The target of a shared entry. */
const others = 'others';

interface Buffered extends Omit<AuditedBatched, 'age'> {
  /** Time of the latest one, by `performance.now()`. */
  readonly at: number;
}

/** By a key that equal rejections share. */
type Buffer = Map<string, Buffered>;

/**
 * Writes rejections of known credentials and callers into the audit of their organizations. They are buffered and written once a minute,
 * so no request waits and a flood becomes few entries. A killed process loses the last minute.
 */
export class RejectionLog {
  readonly #buffers: OrganizationBuffer<Buffer>;

  constructor(db: Pool, logger: Pick<Logger, 'warn'>) {
    this.#buffers = new OrganizationBuffer<Buffer>({
      interval,
      create: () => new Map(),
      async write(organizationId, buffer) {
        const now = performance.now();
        const entries = Array.from(buffer.values(), ({ at, ...entry }) => ({ ...entry, age: now - at }));
        await inTransaction(db, session => auditBatched(session, organizationId, entries));
      },
      keep(earlier, buffer) {
        for (const entry of earlier.values()) add(buffer, entry);
      },
      failed: error =>
        logger.warn(
          { cause: describeCause(error) },
          'rejections could not be written into the audit log yet',
        ),
    });
  }

  record({ organizationId, address, ...rejection }: AuditedRejection): void {
    const entry = { ...rejection, address: address || null, count: 1, at: performance.now() };
    add(this.#buffers.of(organizationId), entry);
  }

  flush(): Promise<void> {
    return this.#buffers.flush();
  }

  close(): Promise<void> {
    return this.#buffers.close();
  }
}

function add(buffer: Buffer, entry: Buffered): void {
  const { action, id, reason, actor, address } = entry;
  const name = JSON.stringify([action, id, reason, actor.id, address]);
  const alike = buffer.get(name);
  if (alike) buffer.set(name, joined(alike, entry));
  else if (buffer.size < maxNamed || id === others) buffer.set(name, entry);
  else add(buffer, { ...entry, id: others, actor: anonymous.actor, address: null, requestId: null });
}

function joined(one: Buffered, other: Buffered): Buffered {
  const later = one.at >= other.at ? one : other;
  return { ...later, count: one.count + other.count };
}
