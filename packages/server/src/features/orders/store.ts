import type { Order } from '@kontor/contract';
import type { Sql } from '../../database/connect.ts';
import { findInScope } from '../../database/find-in-scope.ts';
import type { Change } from '../../database/organization-write.ts';
import { Parameters } from '../../database/parameters.ts';
import type { Session, Statements } from '../../database/transaction.ts';
import type { Scope } from '../../scope.ts';
import { documentOf } from './record.ts';

/** Who writes, for the audit. `requestId` is null for an operator's command. */
export interface Author {
  readonly actor: string;
  readonly requestId: string | null;
}

/** An order in scope, with what a decision on it depends on. */
export interface Found {
  readonly order: Order;
  readonly employee: { readonly blocked: boolean };
}

/** An order in scope, as a decision starts from it. */
export async function findOrder(
  sql: Statements,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<Found | null> {
  const row = await findInScope<{ doc: string; blocked: boolean }>(
    sql,
    { table: 'employee_order', scope, tenant, id },
    () => `
      doc, (SELECT blocked FROM employee e
        WHERE e.organization_id = employee_order.organization_id AND e.id = employee_id) AS blocked`,
  );
  return row && { order: JSON.parse(row.doc) as Order, employee: { blocked: row.blocked } };
}

/** An order in scope with the SHA-256 of one of its attachments; null where that is not known. */
export async function findAttachment(
  sql: Sql,
  scope: Scope,
  tenant: string | null,
  { id, attachmentId }: { id: string; attachmentId: string },
): Promise<{ order: Order; sha256: string | null } | null> {
  const row = await findInScope<{ doc: string; sha256: string | null }>(
    sql,
    { table: 'employee_order', scope, tenant, id },
    parameters => `doc, attachment_sha256 ->> ${parameters.add(attachmentId, 'text')} AS sha256`,
  );
  return row && { order: JSON.parse(row.doc) as Order, sha256: row.sha256 };
}

/** An order by its identifier alone, for operators, with its organization. */
export async function anyOrder(
  sql: Statements,
  id: string,
): Promise<{ organizationId: string; order: Order } | null> {
  const [row] = await sql<{ organization_id: string; doc: string }[]>`
    SELECT o.organization_id, o.doc FROM organization g JOIN employee_order o
      ON o.organization_id = g.id AND o.id = ${id}`;
  return row ? { organizationId: row.organization_id, order: JSON.parse(row.doc) as Order } : null;
}

/** A change of a stored order. `author` is null in a dry run, which is not audited. */
export interface Update {
  /** The order as it is from now on, `updatedAt` included. */
  readonly order: Order;
  readonly action: 'order.decide' | 'order.attach';
  /** Names of the changed public fields. */
  readonly fields: readonly string[];
  readonly author: Author | null;
  /** A new attachment and the SHA-256 of its bytes. */
  readonly attached?: { readonly id: string; readonly sha256: string };
}

/** Stores a changed order, audits it and answers its document, in a transaction that holds the organization clock. */
export function updateOrder(session: Session, organizationId: string, update: Update): Change<string> {
  const { order, author, attached } = update;
  const doc = documentOf(order);
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const id = parameters.add(order.id);
  const at = parameters.add(order.updatedAt, 'timestamptz');
  const changes = [
    `status = ${parameters.add(order.status)}`,
    `updated_at = ${at}`,
    `doc = ${parameters.add(doc)}`,
  ];
  if (attached)
    changes.push(`attachment_sha256 = attachment_sha256
      || jsonb_build_object(${parameters.add(attached.id, 'text')}, ${parameters.add(attached.sha256, 'text')})`);
  const stored = `
    UPDATE employee_order SET ${changes.join(', ')} WHERE organization_id = ${organization} AND id = ${id}`;
  const text =
    author === null
      ? stored
      : `WITH stored AS (${stored})
        INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields)
        VALUES (${organization}, ${at}, ${id}, ${parameters.add(update.action)}, ${parameters.add(author.actor)},
          ${parameters.add(author.requestId, 'text')}, ${parameters.add([...update.fields], 'text[]')})`;
  return {
    statements: [session.unsafe(text, parameters.values as never[], { prepare: true })],
    result: doc,
  };
}
