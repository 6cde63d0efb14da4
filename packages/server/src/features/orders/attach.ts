import { createHash } from 'node:crypto';
import type { OrderAttachment } from '@kontor/contract';
import type { Pool } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import { operator, Writes } from '../../writes/writes.ts';
import { anyOrder, updateOrder } from './store.ts';

export type AttachmentKind = OrderAttachment['kind'];

/**
 * Attaches a document to an order that exists, as an operator does, and returns what the order shows of it.
 * @throws ApiError BAD_GATEWAY and GATEWAY_TIMEOUT of a failing store; then nothing is attached.
 */
export function attachToOrder(
  { db, files }: { db: Pool; files: FileStore },
  { organizationId, orderId }: { organizationId: string; orderId: string },
  document: { kind: AttachmentKind; fileName: string; mediaType: string; bytes: Buffer },
): Promise<OrderAttachment> {
  const { kind, fileName, mediaType, bytes } = document;
  const file = { organizationId, id: newId(), bytes };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const writes = new Writes({ reads: db, writes: db });
  const request = { organizationId, author: operator, dryRunAt: null };
  const write = () =>
    writes.runStaged(request, session => files.put(session, file), {
      targets: [orderId],
      read: async session => (await anyOrder(session, orderId))!.order,
      change(turn, order) {
        const createdAt = turn.instant;
        const attachment = { id: file.id, kind, fileName, mediaType, size: bytes.length, createdAt };
        updateOrder(turn, {
          order: { ...order, attachments: [...order.attachments, attachment], updatedAt: createdAt },
          action: 'order.attach',
          fields: ['attachments'],
          attached: { id: file.id, sha256 },
        });
        return attachment;
      },
    });
  return keepingFile(files, file, write);
}
