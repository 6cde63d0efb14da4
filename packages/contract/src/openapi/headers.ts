import type { Api } from '../apis/api.ts';
import { hasVersion, selectsTenant, writeHeaderOf } from '../errors/codes.ts';
import { requestIdPattern } from '../errors/error-body.ts';
import { idPattern, versionPattern } from '../schema.ts';
import type { HeaderObject, ParameterObject, Reference } from './document.ts';

/** Response headers. `responseHeaders` selects those of a response. */
const headers = {
  'X-Request-ID': {
    description: 'The request identifier: that of the request, or a new one',
    required: true,
    schema: { type: 'string', pattern: requestIdPattern },
  },
  'RateLimit-Policy': {
    description:
      'The quota of the key, as a structured field (draft-ietf-httpapi-ratelimit-headers): `q` requests in `w` seconds',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+";q=[1-9][0-9]*;w=[1-9][0-9]*$' },
  },
  RateLimit: {
    description: 'The remaining quota: `r` requests until it is reset in `t` seconds',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+";r=[0-9]+;t=[0-9]+$' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'Content-Disposition': {
    description: 'The name of the file: in ASCII, and whole in UTF-8 (RFC 6266)',
    required: true,
    schema: { type: 'string', pattern: '^attachment; filename="[^"]*"; filename\\*=UTF-8\'\'[^;]+$' },
  },
  'Set-Cookie': {
    description:
      'The cookie of the session, or one that takes it back. With a sign-in also `__Host-kontor-device`, which marks a browser with an earlier sign-in. Scripts cannot read them',
    required: true,
    schema: { type: 'string', pattern: '^__Host-[a-z-]+=[^;]*; Path=/; Secure; HttpOnly; SameSite=Strict' },
  },
  BegunCookie: {
    description: 'The cookie of a sign-in at an issuer, for some minutes; scripts cannot read it',
    required: true,
    schema: {
      type: 'string',
      pattern: '^__Host-[a-z-]+=[^;]*; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=[0-9]+$',
    },
  },
  Location: {
    description: 'Address of the new resource, or of the one that shows it, relative to the server',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description:
      'The version of the resource, for `If-Match`: its `updatedAt` in quotation marks. A dry run has none. Of the answers with 409, only the one to an `If-Match` that names another version has it',
    required: false,
    schema: { type: 'string', pattern: `^"${versionPattern}"$` },
  },
  'Idempotency-Replayed': {
    description:
      '`true`: an earlier request with this `Idempotency-Key` was stored. This one has stored nothing; the body is the resource as it is now',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headers;

export function headersOf(api: Api): Record<string, HeaderObject> {
  const { prefix, hasQuota, operations } = api;
  const {
    'RateLimit-Policy': policy,
    RateLimit,
    'Content-Disposition': disposition,
    'Set-Cookie': cookie,
    BegunCookie,
    Location,
    ETag,
    'Idempotency-Replayed': replayed,
    ...others
  } = headers;
  const { 'X-Request-ID': requestId, ...rest } = others;
  const successes = Object.values(operations).map(({ success }) => success);
  const files = successes.filter(success => success.body === 'file');
  return {
    'X-Request-ID': requestId,
    ...(hasQuota && { 'RateLimit-Policy': policy, RateLimit }),
    ...rest,
    ...(files.length > 0 && {
      'Content-Disposition': files.some(({ isShown }) => isShown) ? mayBeShown(disposition) : disposition,
    }),
    ...(Object.values(operations).some(({ setsCookie }) => setsCookie === true) && { 'Set-Cookie': cookie }),
    ...(Object.values(operations).some(({ setsCookie }) => setsCookie === 'begun') && { BegunCookie }),
    ...(successes.some(({ status }) => status === 201) && {
      Location: { ...Location, schema: { ...Location.schema, pattern: `^${prefix}/` } },
    }),
    ...(Object.values(operations).some(operation => hasVersion(operation, api)) && { ETag }),
    ...(acceptsHeader('Idempotency-Key', api) && { 'Idempotency-Replayed': replayed }),
  };
}

/** The header of an API with files that browsers show. */
function mayBeShown(disposition: (typeof headers)['Content-Disposition']): HeaderObject {
  const { schema } = disposition;
  const pattern = schema.pattern.replace('attachment', '(attachment|inline)');
  return { ...disposition, schema: { ...schema, pattern } };
}

/** Request headers except the credential, which is the security scheme. */
const headerParameters = {
  RequestId: {
    name: 'X-Request-ID',
    in: 'header',
    required: false,
    description:
      'UUID of version 4 or 7, for correlation only: it does not make a repeated write safe. The service creates one if it is absent',
    schema: { type: 'string', pattern: requestIdPattern },
  },
  TenantId: {
    name: 'X-Tenant-ID',
    in: 'header',
    required: false,
    description: 'Narrows the request to one tenant in the scope of the caller; it never widens access',
    schema: { type: 'string', pattern: idPattern },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the resource as it was last read. If it has changed since, nothing is stored: 409 `INVALID_STATE_TRANSITION` with the current `ETag`. A merge that changes nothing is 200 nevertheless, so a repeat of the own update is safe',
    schema: { type: 'string', pattern: `^(W/)?"${versionPattern}"$` },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A value that is new for each write, such as a UUID. With it a request may be repeated for 24 hours until it is answered: it is stored at most once. A repeat is answered with the first status, `Idempotency-Replayed: true` and the resource as it is now, or 404 if the key no longer has access to it. Another request with the same value is 422 `VALIDATION_ERROR`. A rejected request and a dry run do not use the value up',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
} as const satisfies Record<string, ParameterObject>;

const replacedRequestId: ParameterObject = {
  ...headerParameters.RequestId,
  description: `${headerParameters.RequestId.description} or invalid`,
};

function acceptsHeader(header: ReturnType<typeof writeHeaderOf>, api: Api): boolean {
  return Object.values(api.operations).some(operation => writeHeaderOf(operation, api) === header);
}

export function headerParametersOf(api: Api): Record<string, ParameterObject> {
  const { TenantId, 'If-Match': ifMatch, 'Idempotency-Key': key } = headerParameters;
  const RequestId = api.checksRequestId ? headerParameters.RequestId : replacedRequestId;
  const isTaken = Object.values(api.operations).some(operation => selectsTenant(operation, api));
  return {
    RequestId,
    ...(isTaken && { TenantId }),
    ...(acceptsHeader('If-Match', api) && { 'If-Match': ifMatch }),
    ...(acceptsHeader('Idempotency-Key', api) && { 'Idempotency-Key': key }),
  };
}

/** References to the headers of a response (specification.md 2.2 and 2.4). */
export function responseHeaders(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(
    names.map(name => [
      name === 'BegunCookie' ? 'Set-Cookie' : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}
