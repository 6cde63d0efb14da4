import type { Api } from '../apis/api.ts';
import { type ErrorCode, errorCatalog } from '../errors/errors.ts';
import { errorsOf, isStoredFile, writeHeaderOf } from '../errors/codes.ts';
import type { Operation } from '../operation.ts';

/**
 * The error codes of an operation, by status in ascending order. A code with several statuses appears under each of them.
 * VALIDATION_ERROR appears under 422 only if a rule beyond the contract exists: on collections, on operations that
 * declare the code, and on those that accept `Idempotency-Key`.
 */
export function rejectionsOf(operation: Operation, api: Api): Map<number, ErrorCode[]> {
  const rejections = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation, api)) {
    for (const status of statusesOf(code, operation, api)) {
      rejections.set(status, [...(rejections.get(status) ?? []), code]);
    }
  }
  return new Map([...rejections].toSorted(([a], [b]) => a - b));
}

/** Distinguishes responses of the same status. For 404, a read and a download differ only in the resource that is not found. */
export type RejectionKind =
  'list' | 'sublist' | 'search' | 'export' | 'subexport' | 'search-export' | 'read' | 'download' | 'write' | 'upload';

/** The kind of an operation, as far as it affects the error response of this status. */
export function rejectionKind(operation: Operation, status: number): RejectionKind {
  if (status === 404) return isStoredFile(operation) ? 'download' : 'read';
  if (operation.fields) {
    const isSub = Object.keys(operation.parameters.properties).length > 0;
    const isFile = operation.success.body === 'file';
    if (operation.body) return isFile ? 'search-export' : 'search';
    if (isFile) return isSub ? 'subexport' : 'export';
    return isSub ? 'sublist' : 'list';
  }
  if (operation.upload) return 'upload';
  return operation.body ? 'write' : 'read';
}

function statusesOf(code: ErrorCode, operation: Operation, api: Api): readonly number[] {
  if (code !== 'VALIDATION_ERROR') return errorCatalog[code].statuses;
  const hasRule =
    operation.fields !== undefined ||
    operation.errors.includes(code) ||
    writeHeaderOf(operation, api) === 'Idempotency-Key';
  return hasRule ? [400, 422] : [400];
}
