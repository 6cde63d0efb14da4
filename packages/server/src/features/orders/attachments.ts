import { createHash } from 'node:crypto';
import {
  ApiError,
  type OrderAttachment,
  orderAttachmentMaximum,
  type uploadOrderAttachment,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { FileStore } from '../../files/file-store.ts';
import { writeWithFile } from '../../files/keeping.ts';
import type { AnswerOf, CallOf } from '../../http/implement.ts';
import { notFound } from '../../http/read-resource.ts';
import { ok } from '../../http/route.ts';
import { operator, requestOf, type WriteRequest, Writes } from '../../write/writes.ts';
import { type Documented, findDocumented, updateOrder } from './store.ts';

export type AttachmentKind = OrderAttachment['kind'];

export interface OrderDocument {
  readonly kind: AttachmentKind;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: FileStore;
}

interface Attached {
  readonly attachment: OrderAttachment;
  readonly isNew: boolean;
}

/** Attaches an upload of the platform. A duplicate returns the existing attachment. @throws ApiError NOT_FOUND, and as {@link attachDocument} */
export async function uploadAttachment(
  parts: Parts,
  call: CallOf<typeof uploadOrderAttachment>,
): Promise<AnswerOf<typeof uploadOrderAttachment>> {
  const { id } = call.parameters;
  const kind = call.query.kind ?? 'other';
  const attached = await attachDocument(parts, requestOf(call), id, { kind, ...call.body });
  if (attached === null) notFound('order', call);
  const body = JSON.stringify(attached.attachment);
  if (call.dryRun || !attached.isNew) return ok(body);
  // An attachment has no path of its own, only its order has.
  const Location = `/platform/v1/organizations/${call.scope.organizationId}/orders/${id}`;
  return { status: 201, body, headers: { Location } };
}

/** Attaches a document for an operator, also a duplicate: the stored file of the first may be damaged. @throws ApiError as {@link attachDocument} */
export async function attachToOrder(
  { db, files }: { db: Pool; files: FileStore },
  { organizationId, orderId }: { organizationId: string; orderId: string },
  document: OrderDocument,
): Promise<OrderAttachment> {
  const parts = { reads: db, writes: new Writes({ reads: db, writes: db }), files };
  const request = { organizationId, author: operator, authority: null, dryRunAt: null };
  const attached = await attachDocument(parts, request, orderId, document, { again: true });
  return attached!.attachment;
}

/**
 * Attaches a document to an order. If the order has the same bytes with the same kind, it returns that attachment unless `again` is set.
 * Null for an unknown order.
 * @throws ApiError INVALID_STATE_TRANSITION for a full order, and after an erasure of the employee's data; BAD_GATEWAY and
 * GATEWAY_TIMEOUT of a failing store
 */
async function attachDocument(
  parts: Parts,
  request: WriteRequest,
  orderId: string,
  { kind, fileName, mediaType, bytes }: OrderDocument,
  { again = false }: { again?: boolean } = {},
): Promise<Attached | null> {
  const { organizationId } = request;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const find = (db: Queryable) => findDocumented(db, organizationId, orderId);
  const existingIn = (found: Documented): Attached | null => {
    const attachment = again ? undefined : findSame(found, kind, sha256);
    if (attachment) return { attachment, isNew: false };
    checkAttachable(found);
    return null;
  };
  const first = await find(parts.reads);
  const existing = first && existingIn(first);
  if (first === null || existing) return existing;
  const file = { organizationId, id: newId(), bytes };
  return writeWithFile(parts, request, file, {
    targets: [orderId],
    read: async session => (await find(session))!,
    change(write, found): Attached {
      const existing = existingIn(found);
      if (existing) return existing;
      const createdAt = write.instant;
      const id = write.dryRun ? dryRunId : file.id;
      const attachment = { id, kind, fileName, mediaType, size: bytes.length, createdAt };
      const attachments = [...found.order.attachments, attachment];
      updateOrder(write, {
        order: { ...found.order, attachments, updatedAt: createdAt },
        action: 'order.attach',
        fields: ['attachments'],
        attached: { id, sha256 },
      });
      return { attachment, isNew: true };
    },
  });
}

function findSame(
  { order, digests }: Documented,
  kind: AttachmentKind,
  sha256: string,
): OrderAttachment | undefined {
  return order.attachments.find(attachment => attachment.kind === kind && digests[attachment.id] === sha256);
}

function checkAttachable({ order, erased }: Documented): void {
  if (erased)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'The data of the employee were erased; the order accepts no documents',
    );
  if (order.attachments.length >= orderAttachmentMaximum)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The order has ${orderAttachmentMaximum} documents already, the maximum`,
    );
}
