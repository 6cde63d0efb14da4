import { createHash } from 'node:crypto';
import {
  ApiError,
  type OrderAttachment,
  orderAttachmentMaximum,
  type uploadOrderAttachment,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { FileStore } from '../../files/file-store.ts';
import { stagedFile } from '../../files/keeping.ts';
import type { AnswerOf, CallOf } from '../../http/implement.ts';
import { notFound } from '../../http/read-resource.ts';
import { ok } from '../../http/route.ts';
import { callOf, decision, operator, unchanged, type WriteCall, Writes } from '../../write/writes.ts';
import { type Documented, findDocumented, updateOrder } from './store.ts';

export type AttachmentKind = OrderAttachment['kind'];

export interface OrderDocument {
  readonly kind: AttachmentKind;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

interface Parts {
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
  const attached = await attachDocument(parts, call, id, { kind, ...call.body });
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
  const parts = { writes: new Writes(db), files };
  const call = callOf(organizationId, operator);
  const attached = await attachDocument(parts, call, orderId, document, { again: true });
  return attached!.attachment;
}

/**
 * Attaches a document to an order. If the order has the same bytes with the same kind, it returns that attachment unless `again` is set.
 * Null for an unknown order.
 * @throws ApiError INVALID_STATE_TRANSITION for a full order, and after an erasure of the employee's data; BAD_GATEWAY and
 * GATEWAY_TIMEOUT of a failing store
 */
function attachDocument(
  { writes, files }: Parts,
  call: WriteCall,
  orderId: string,
  document: OrderDocument,
  { again = false }: { again?: boolean } = {},
): Promise<Attached | null> {
  const { bytes } = document;
  const id = newId();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = stagedFile(files, { organizationId: call.scope.organizationId, id, bytes });
  return writes.decide({ ...call, orderId, document, id, sha256, again }, orderAttachment, file);
}

interface Attaching extends WriteCall {
  readonly orderId: string;
  readonly document: OrderDocument;
  /** The identifier of a new attachment. */
  readonly id: string;
  readonly sha256: string;
  readonly again: boolean;
}

const orderAttachment = decision({
  targets: ({ orderId }: Attaching) => [orderId],
  read: (db, { scope, orderId }) => findDocumented(db, scope.organizationId, orderId),
  plan({ document, sha256, id, dryRun, again }, found, at) {
    if (found === null) return unchanged<Attached | null>(null);
    const { kind, fileName, mediaType, bytes } = document;
    const existing = again ? undefined : findSame(found, kind, sha256);
    if (existing) return unchanged<Attached | null>({ attachment: existing, isNew: false });
    checkAttachable(found);
    const createdAt = at.toISOString();
    const size = bytes.length;
    const attachment = { id: dryRun ? dryRunId : id, kind, fileName, mediaType, size, createdAt };
    return { order: found.order, attachment };
  },
  store(write, { order, attachment }, { sha256 }): Attached | null {
    updateOrder(write, {
      order: { ...order, attachments: [...order.attachments, attachment], updatedAt: write.instant },
      action: 'order.attach',
      fields: ['attachments'],
      attached: { id: attachment.id, sha256 },
    });
    return { attachment, isNew: true };
  },
});

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
