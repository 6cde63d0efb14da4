import { createHash } from 'node:crypto';
import type { OrderAttachment } from '@kontor/contract';
import type { Pool } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import { OrganizationWrites } from '../../database/organization-write.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
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
  const writes = new OrganizationWrites({ reads: db, writes: db });
  const mode = { dryRun: false, receivedAt: new Date() };
  const write = () =>
    writes.run(organizationId, mode, {
      stage: session => files.put(session, file),
      read: async session => (await anyOrder(session, orderId))!.order,
      change(order, at) {
        const createdAt = at.toISOString();
        const attachment = { id: file.id, kind, fileName, mediaType, size: bytes.length, createdAt };
        const { statements } = updateOrder(organizationId, {
          order: { ...order, attachments: [...order.attachments, attachment], updatedAt: createdAt },
          action: 'order.attach',
          fields: ['attachments'],
          author: { actor: 'operator', requestId: null },
          attached: { id: file.id, sha256 },
        });
        return { statements, result: attachment };
      },
    });
  return keepingFile(files, file, write);
}
