import type { Api } from '../api.ts';
import { type ErrorCode, errorCatalog } from '../errors.ts';
import { errorsOf, isStoredFile } from '../codes.ts';
import type { Operation } from '../operation.ts';

/**
 * What an operation of an API can refuse, by status in ascending order. A code of several statuses is declared with each of them,
 * but VALIDATION_ERROR as 422 only where a rule beyond the contract exists: on collections, and where the declaration of
 * the operation names the code itself.
 */
export function refusalsOf(operation: Operation, api: Api): Map<number, ErrorCode[]> {
  const refusals = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation, api)) {
    for (const status of statusesOf(code, operation)) {
      refusals.set(status, [...(refusals.get(status) ?? []), code]);
    }
  }
  return new Map([...refusals].toSorted(([a], [b]) => a - b));
}

/** What decides about the answer of a status; as 404 a read and a download differ only in what is not found. */
export type RefusalKind =
  'list' | 'sublist' | 'export' | 'subexport' | 'read' | 'download' | 'write' | 'upload';

/** The kind of an operation, as far as it decides what is answered with the status of an error. */
export function refusalKind(operation: Operation, status: number): RefusalKind {
  if (status === 404) return isStoredFile(operation) ? 'download' : 'read';
  if (operation.fields) {
    const isSub = Object.keys(operation.parameters.properties).length > 0;
    if (operation.success.body === 'file') return isSub ? 'subexport' : 'export';
    return isSub ? 'sublist' : 'list';
  }
  if (operation.upload) return 'upload';
  return operation.body ? 'write' : 'read';
}

function statusesOf(code: ErrorCode, operation: Operation): readonly number[] {
  if (code !== 'VALIDATION_ERROR') return errorCatalog[code].statuses;
  return operation.fields || operation.errors.includes(code) ? [400, 422] : [400];
}
