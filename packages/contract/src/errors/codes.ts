import type { Api } from '../apis/api.ts';
import { type ErrorCode, errorCatalog } from './errors.ts';
import type { Operation } from '../operation.ts';

/** All error codes of an operation: declared ones, and those that derive from its kind (specification.md 2.7). */
export function errorsOf(operation: Operation, api: Api): ErrorCode[] {
  const codes = new Set<ErrorCode>(['VALIDATION_ERROR']);
  const add = (...more: ErrorCode[]) => more.forEach(code => codes.add(code));
  if (api.checksRequestId) add('INVALID_REQUEST_ID');
  add('UNKNOWN_QUERY_PARAMETER');
  add('NOT_ACCEPTABLE', 'INTERNAL_SERVER_ERROR', 'UNSUPPORTED_HEADER');
  if (operation.authenticated) add(...errorsOfCallers(operation, api), 'SERVICE_UNAVAILABLE');
  if (isGuardedWrite(operation, api)) add('CROSS_SITE_REQUEST');
  if (operation.fields)
    add('INVALID_FILTER_SYNTAX', 'UNSUPPORTED_FILTER_FIELD', 'UNSUPPORTED_FILTER_OPERATOR');
  if ('sort' in { ...operation.query.properties, ...operation.body?.properties })
    add('UNSUPPORTED_SORT_FIELD');
  if (operation.body || operation.upload)
    add('UNSUPPORTED_FIELD', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE');
  if (operation.upload) add('MISSING_ATTACHMENT');
  // Files of other types are not kept in the file store.
  if (operation.upload && !operation.uploadTypes) add('BAD_GATEWAY', 'GATEWAY_TIMEOUT');
  if (operation.success.body === 'file' && operation.success.made !== 'from-rows')
    add('BAD_GATEWAY', 'GATEWAY_TIMEOUT');
  if (isStoredFile(operation)) add('FILE_NOT_FOUND');
  if (hasIdentifier(operation)) add('INVALID_REFERENCE_ID', 'NOT_FOUND');
  const header = writeHeaderOf(operation, api);
  if (header === 'If-Match') add('INVALID_STATE_TRANSITION');
  if (header === 'Idempotency-Key') add('NOT_FOUND');
  add(...operation.errors);
  return [...codes];
}

/** Whether the response is a stored file, which may be missing. */
export function isStoredFile({ success }: Operation): boolean {
  return success.body === 'file' && success.made === undefined;
}

/** Whether only pages of the API itself may send this write, because browsers send its cookie automatically. */
export function isGuardedWrite({ method }: Operation, { credential }: Api): boolean {
  return credential.header === 'Cookie' && method !== 'GET';
}

/** Whether `X-Tenant-ID` narrows a request; otherwise the header is rejected. */
export function selectsTenant({ authenticated, selectsTenant }: Operation, api: Api): boolean {
  return authenticated && (selectsTenant ?? api.selectsTenant);
}

/** The header that guards a write: against overwriting the change of another client, or against storing a repeated request twice. */
export function writeHeaderOf({ method }: Operation, api: Api): 'If-Match' | 'Idempotency-Key' | null {
  if (api.hasSafeWrites === undefined || method === 'GET') return null;
  return method === 'PATCH' ? 'If-Match' : 'Idempotency-Key';
}

/** Whether a success carries `ETag`: one resource that clients change. */
export function hasVersion({ success }: Operation, api: Api): boolean {
  if (api.hasSafeWrites === undefined || success.body === 'file' || !('updatedAt' in success.body.properties))
    return false;
  return Object.values(api.operations).some(
    operation => operation.method !== 'GET' && operation.success.body === success.body,
  );
}

export function hasIdentifier({ parameters }: Operation): boolean {
  const formats = Object.values<{ format?: string }>(parameters.properties).map(({ format }) => format);
  return formats.includes('id') || formats.includes('key-id');
}

/** Whether a signed-in user writes, whose permissions are checked again with the write. */
export function isWriteOfUser(operation: Operation, api: Api): boolean {
  return isGuardedWrite(operation, api) && operation.authenticated && !operation.changesNothing;
}

function errorsOfCallers(operation: Operation, api: Api): ErrorCode[] {
  const { permission, needsFreshSignIn, opensWithoutPasskey } = operation;
  const { credential, hasQuota } = api;
  const canLackPermission = permission !== undefined || isWriteOfUser(operation, api);
  return [
    credential.rejection.code,
    ...(canLackPermission ? ['PERMISSION_DENIED' as const] : []),
    ...(credential.header === 'Cookie' && !opensWithoutPasskey ? ['PASSKEY_REQUIRED' as const] : []),
    ...(needsFreshSignIn ? ['FRESH_SIGN_IN_REQUIRED' as const] : []),
    ...(selectsTenant(operation, api) ? ['TENANT_NOT_IN_SCOPE' as const] : []),
    ...(hasQuota ? ['RATE_LIMIT_EXCEEDED' as const] : []),
  ];
}

/** All error codes of an API, in the order of the catalog. */
export function codesOf(api: Api): ErrorCode[] {
  const codes = new Set(Object.values(api.operations).flatMap(operation => errorsOf(operation, api)));
  return (Object.keys(errorCatalog) as ErrorCode[]).filter(code => codes.has(code));
}
