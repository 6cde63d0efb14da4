import { ApiError } from '@kontor/contract';
import type { AnswerOf, CallOf } from '../../../http/handlers.ts';
import { ok } from '../../../http/route.ts';
import { requestOf } from '../../../write/writes.ts';
import { type AttachmentKind, attachDocument } from '../attachments.ts';

/** Attaches a document to an order, unless the order has it. */
export async function uploadAttachment(
  parts: Parameters<typeof attachDocument>[0],
  call: CallOf<'uploadOrderAttachment'>,
): Promise<AnswerOf<'uploadOrderAttachment'>> {
  const { id } = call.parameters;
  const kind = (call.query['kind'] as AttachmentKind | undefined) ?? 'other';
  const attached = await attachDocument(parts, requestOf(call), id, { kind, ...call.body });
  if (attached === null) throw new ApiError('NOT_FOUND', 'No order with this id is visible to the token');
  const body = JSON.stringify(attached.attachment);
  if (call.dryRun || !attached.isNew) return ok(body);
  // An attachment has no address of its own: the order shows it.
  const Location = `/platform/v1/organizations/${call.scope.organizationId}/orders/${id}`;
  return { status: 201, body, headers: { Location } };
}
