import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';

/** A key of an organization, which the caller has found in the scope. */
interface Found {
  readonly organizationId: string;
  readonly id: string;
}

/** Days that errors of keys are kept for. */
export const errorDays = 30;

/** How far a collection was read. */
export interface ListedPoll {
  readonly operation: string;
  readonly askedAt: string;
  readonly readTo: string;
}

/** How far a key has read the collections that it polls. */
export async function readPolls(db: Queryable, { organizationId, id }: Found): Promise<ListedPoll[]> {
  const rows = await db.rows<{ operation: string; asked_at: Date; read_to: Date }>(sql`
    SELECT operation, asked_at, read_to FROM key_poll
    WHERE organization_id = ${organizationId} AND key_id = ${id} ORDER BY operation`);
  return rows.map(row => ({
    operation: row.operation,
    askedAt: row.asked_at.toISOString(),
    readTo: row.read_to.toISOString(),
  }));
}

/** An answer of a key that was no success. */
export interface ListedError {
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

interface ErrorRow extends Omit<ListedError, 'at' | 'requestId'> {
  at: Date;
  request_id: string;
}

/** The last errors of a key that are kept, newest first. */
export async function readErrors(db: Queryable, { organizationId, id }: Found): Promise<ListedError[]> {
  const rows = await db.rows<ErrorRow>(sql`
    SELECT at, operation, status, code, message, request_id FROM key_error
    WHERE organization_id = ${organizationId} AND key_id = ${id}
      AND at > statement_timestamp() - make_interval(days => ${errorDays}::int)
    ORDER BY at DESC, id DESC`);
  return rows.map(({ at, request_id: requestId, ...error }) => ({
    at: at.toISOString(),
    operation: error.operation,
    status: error.status,
    code: error.code,
    message: error.message,
    requestId,
  }));
}
