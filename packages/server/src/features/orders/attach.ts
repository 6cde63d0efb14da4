import { createHash } from 'node:crypto';
import { ApiError, type OrderAttachment, orderAttachmentMaximum } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import { operator, type WriteRequest, Writes } from '../../write/writes.ts';
import { type Documented, findDocumented, updateOrder } from './store.ts';

export type AttachmentKind = OrderAttachment['kind'];

/** A document as it comes. */
export interface OrderDocument {
  readonly kind: AttachmentKind;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** What attaching stands on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: FileStore;
}

/** What the order shows of a document, and whether that was attached just now. */
export interface Attached {
  readonly attachment: OrderAttachment;
  readonly isNew: boolean;
}

/**
 * Attaches a document to an order that exists, as an operator does who means it, also where the order has it already.
 * @throws ApiError as of {@link attachDocument}
 */
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
 * Attaches a document to an order. One that has the same bytes as the same kind already is the answer, unless it is to be attached
 * `again`. Null when there is no such order.
 * @throws ApiError INVALID_STATE_TRANSITION when the order has as many as it may, or the data of its employee were erased; BAD_GATEWAY and
 * GATEWAY_TIMEOUT of a failing store. Then nothing is attached.
 */
export async function attachDocument(
  { reads, writes, files }: Parts,
  request: WriteRequest,
  orderId: string,
  { kind, fileName, mediaType, bytes }: OrderDocument,
  { again = false }: { again?: boolean } = {},
): Promise<Attached | null> {
  const { organizationId } = request;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const find = (db: Queryable) => findDocumented(db, organizationId, orderId);
  const first = await find(reads);
  if (first === null) return null;
  const before = again ? null : sameIn(first, { kind, sha256 });
  if (before) return { attachment: before, isNew: false };
  checkAttachable(first);
  const file = { organizationId, id: newId(), bytes };
  const write = () =>
    writes.runOrdered(request, {
      stage: session => files.put(session, file),
      targets: [orderId],
      read: async session => (await find(session))!,
      change(turn, found): Attached {
        const before = again ? null : sameIn(found, { kind, sha256 });
        if (before) return { attachment: before, isNew: false };
        checkAttachable(found);
        const { order } = found;
        const createdAt = turn.instant;
        const id = turn.dryRun ? dryRunId : file.id;
        const attachment = { id, kind, fileName, mediaType, size: bytes.length, createdAt };
        updateOrder(turn, {
          order: { ...order, attachments: [...order.attachments, attachment], updatedAt: createdAt },
          action: 'order.attach',
          fields: ['attachments'],
          attached: { id, sha256 },
        });
        return { attachment, isNew: true };
      },
    });
  return request.dryRunAt === null ? keepingFile(files, file, write) : write();
}

/** The document of the order that has these bytes as this kind; of one from before digests were kept nobody knows. */
function sameIn(
  { order, digests }: Documented,
  wanted: { kind: AttachmentKind; sha256: string },
): OrderAttachment | null {
  const same = order.attachments.find(
    ({ id, kind }) => kind === wanted.kind && digests[id] === wanted.sha256,
  );
  return same ?? null;
}

function checkAttachable({ order, erased }: Documented): void {
  if (erased)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'The data of the employee were erased; the order takes no documents any more',
    );
  if (order.attachments.length >= orderAttachmentMaximum)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The order has ${orderAttachmentMaximum} documents already, which is the most it can have`,
    );
}
