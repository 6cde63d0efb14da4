import type { Api } from './api.ts';
import { type ErrorCode, errorCatalog } from './errors.ts';
import type { Operation } from './operation.ts';

/** Every code that an operation of an API can answer: its own, and those that follow from its kind (specification.md 2.7). */
export function errorsOf(operation: Operation, api: Api): ErrorCode[] {
  const codes = new Set<ErrorCode>(['VALIDATION_ERROR', 'INVALID_REQUEST_ID', 'UNKNOWN_QUERY_PARAMETER']);
  const add = (...more: ErrorCode[]) => more.forEach(code => codes.add(code));
  add('NOT_ACCEPTABLE', 'INTERNAL_SERVER_ERROR', 'UNSUPPORTED_HEADER');
  if (operation.authenticated) add(...errorsOfCallers(operation, api), 'SERVICE_UNAVAILABLE');
  if (isGuardedWrite(operation, api)) add('CROSS_SITE_REQUEST');
  if (operation.fields)
    add('INVALID_FILTER_SYNTAX', 'UNSUPPORTED_FILTER_FIELD', 'UNSUPPORTED_FILTER_OPERATOR');
  if ('sort' in operation.query.properties) add('UNSUPPORTED_SORT_FIELD');
  if (operation.body || operation.upload)
    add('UNSUPPORTED_FIELD', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE');
  if (operation.upload) add('MISSING_ATTACHMENT', 'BAD_GATEWAY', 'GATEWAY_TIMEOUT');
  if (operation.success.body === 'file' && operation.success.made !== 'from-rows')
    add('BAD_GATEWAY', 'GATEWAY_TIMEOUT');
  if (isStoredFile(operation)) add('FILE_NOT_FOUND');
  if (hasIdentifier(operation)) add('INVALID_REFERENCE_ID', 'NOT_FOUND');
  add(...operation.errors);
  return [...codes];
}

/** Whether it answers with a file that is stored as such, and may be gone. */
export function isStoredFile({ success }: Operation): boolean {
  return success.body === 'file' && success.made === undefined;
}

/** Whether the operation is a write that only pages of the API itself may ask for, since browsers send its credential unasked. */
export function isGuardedWrite({ method }: Operation, { credential }: Api): boolean {
  return credential.header === 'Cookie' && method !== 'GET';
}

/** Whether a parameter of the path is an identifier. */
export function hasIdentifier({ parameters }: Operation): boolean {
  const formats = Object.values<{ format?: string }>(parameters.properties).map(({ format }) => format);
  return formats.includes('id') || formats.includes('key-id');
}

/** Whether the operation writes as a signed-in user, whose permissions are checked once more with the write. */
export function isWriteOfUser(operation: Operation, api: Api): boolean {
  return isGuardedWrite(operation, api) && operation.authenticated && !operation.changesNothing;
}

/** The error codes that concern the caller. */
function errorsOfCallers(operation: Operation, api: Api): ErrorCode[] {
  const { permission, needsFreshSignIn } = operation;
  const { credential, selectsTenant, hasQuota } = api;
  const canLackPermission = permission !== undefined || isWriteOfUser(operation, api);
  return [
    credential.rejection.code,
    ...(canLackPermission ? ['PERMISSION_DENIED' as const] : []),
    ...(needsFreshSignIn ? ['FRESH_SIGN_IN_REQUIRED' as const] : []),
    ...(selectsTenant ? ['TENANT_NOT_IN_SCOPE' as const] : []),
    ...(hasQuota ? ['RATE_LIMIT_EXCEEDED' as const] : []),
  ];
}

/** Every code that the operations of an API can answer, in the order of the catalog. */
export function codesOf(api: Api): ErrorCode[] {
  const codes = new Set(Object.values(api.operations).flatMap(operation => errorsOf(operation, api)));
  return (Object.keys(errorCatalog) as ErrorCode[]).filter(code => codes.has(code));
}
