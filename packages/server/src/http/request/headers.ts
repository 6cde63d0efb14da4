import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  ApiError,
  type Credential,
  idPattern,
  malformed,
  versionPattern,
  type writeHeaderOf,
} from '@kontor/contract';
import { parse } from 'content-type';
import Negotiator from 'negotiator';

/** Ignoring these headers would lose data (specification.md 2.5). An operation may accept one of them. */
const rejected = ['if-match', 'if-unmodified-since', 'idempotency-key', 'x-http-method-override'] as const;

const entityTag = new RegExp(`^(?:W/)?"(${versionPattern})"$`);

/** The media type of most operations, also with the charset that many clients add. */
const json = ['application/json', 'application/json; charset=utf-8'];

const tenantId = new RegExp(idPattern);

/** Characters of a parsed `Accept`; clients send some hundred. */
const acceptLimit = 2048;

/** Node accepts requests without a version, and without or with several `Host` (RFC 9112 section 3.2). @throws ApiError 400 VALIDATION_ERROR. */
export function checkProtocol(request: IncomingMessage): void {
  if (request.httpVersionMajor !== 1) throw malformed('The request line has no HTTP version');
  if (request.headers.host === undefined && request.httpVersionMinor > 0)
    throw malformed('The header Host is missing');
  if (timesSent(request, 'host') > 1) throw malformed('The header Host was sent more than once');
}

/** @throws ApiError 400 UNSUPPORTED_HEADER for a header that the service does not support; `accepted` is an exception. */
export function checkHeaders({ headers }: IncomingMessage, accepted: ReturnType<typeof writeHeaderOf>): void {
  for (const name of rejected)
    if (headers[name] !== undefined && name !== accepted?.toLowerCase())
      throw unsupported(`${name} is not supported; leave it out`);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding))
    throw unsupported('content-encoding must be identity; send the body uncompressed');
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
    throw unsupported('transfer-encoding must be chunked');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw unsupported('expect must be 100-continue');
}

/**
 * The tenant in lower case; null when none is selected.
 * @throws ApiError 400 VALIDATION_ERROR for no identifier; UNSUPPORTED_HEADER when it was sent twice, or the operation does not take it (`isTaken`).
 */
export function selectedTenant(request: IncomingMessage, isTaken: boolean): string | null {
  const value = request.headers['x-tenant-id'] as string | undefined;
  if (value === undefined) return null;
  if (!isTaken) throw unsupported('X-Tenant-ID is not supported; leave it out');
  if (tenantId.test(value)) return value.toLowerCase();
  if (timesSent(request, 'x-tenant-id') > 1) throw unsupported('X-Tenant-ID was sent more than once');
  throw malformed('X-Tenant-ID must be 24 hexadecimal characters');
}

/**
 * The `updatedAt` in `If-Match`; undefined without the header. A proxy that compresses makes an ETag weak, which does not matter here.
 * @throws ApiError 400 UNSUPPORTED_HEADER for `*`, several tags, and one that the service does not send
 */
export function expectedVersion({ headers }: IncomingMessage): string | undefined {
  const value = headers['if-match'];
  if (value === undefined) return undefined;
  const [, version] = entityTag.exec(value) ?? [];
  if (version === undefined)
    throw unsupported(
      'if-match must be the ETag of the resource as it was last read, such as "2026-09-02T08:15:30.123Z"; * and several tags are not supported',
    );
  return version;
}

/** Null without the header. @throws ApiError 400 UNSUPPORTED_HEADER */
export function idempotencyKey({ headers }: IncomingMessage): string | null {
  const value = headers['idempotency-key'] as string | undefined;
  // Node joins several headers with a comma and a space.
  if (value === undefined || /^[!-~]{1,255}$/.test(value)) return value ?? null;
  throw unsupported(
    'idempotency-key must be sent once, with 1 to 255 visible ASCII characters, such as a UUID',
  );
}

/**
 * Checks that `Accept` allows JSON or one of `files`. JSON is enough for a file operation, since its errors are JSON. An empty header counts as
 * absent (RFC 9110 section 12.5.1).
 * @throws ApiError NOT_ACCEPTABLE when it excludes all of these, or is too long.
 */
export function checkAccept(headers: IncomingHttpHeaders, files: readonly string[] | null): void {
  const accept = headers.accept;
  if (accept === undefined || accept === '*/*' || accept.trim() === '') return;
  if (accept.length > acceptLimit)
    throw new ApiError(
      'NOT_ACCEPTABLE',
      `Accept is longer than ${acceptLimit} characters; send a shorter one`,
    );
  if (accept === 'application/json' || accepts(accept, json)) return;
  if (files !== null && accepts(accept, files)) return;
  const produced = [...(files ?? []), 'application/json'];
  throw new ApiError(
    'NOT_ACCEPTABLE',
    `Accept excludes every type of this operation (${produced.join(', ')})`,
  );
}

function accepts(accept: string, produced: readonly string[]): boolean {
  return new Negotiator({ headers: { accept } }).mediaType([...produced]) !== undefined;
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE unless the body is declared as JSON in UTF-8. */
export function checkJsonType(request: IncomingMessage): void {
  const value = contentTypeOf(request);
  if (value === 'application/json') return;
  const { type, parameters } = parse(value ?? '');
  if (type !== 'application/json')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
  checkCharset(value!, parameters['charset']);
}

/**
 * The boundary of an upload.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE unless the body is multipart/form-data in UTF-8; 400 VALIDATION_ERROR for a missing or invalid boundary
 * (RFC 2046 section 5.1.1).
 */
export function checkUploadType(request: IncomingMessage): string {
  const value = contentTypeOf(request) ?? '';
  const { type, parameters } = parse(value);
  if (type !== 'multipart/form-data')
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be multipart/form-data');
  checkCharset(value, parameters['charset']);
  const boundary = parameters['boundary'] ?? '';
  if (!/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary))
    throw malformed('Content-Type has no valid boundary; let the HTTP library write it');
  return boundary;
}

function contentTypeOf(request: IncomingMessage): string | undefined {
  if (timesSent(request, 'content-type') > 1) throw unsupported('Content-Type was sent more than once');
  return request.headers['content-type'];
}

function checkCharset(contentType: string, charset: string | undefined): void {
  const times = contentType.match(/;\s*charset\s*=/gi)?.length ?? 0;
  if ((charset !== undefined && charset.toLowerCase() !== 'utf-8') || times > 1)
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The charset of Content-Type must be utf-8');
}

/** Counts how often a header was sent. Node keeps only the first of some headers and joins others with commas. */
function timesSent(request: IncomingMessage, name: string): number {
  let times = 0;
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) times++;
  return times;
}

function unsupported(message: string): ApiError {
  return new ApiError('UNSUPPORTED_HEADER', message);
}

/**
 * Protects writes from cross-site request forgery, as browsers send the cookie with every request. Pages cannot change the headers `Sec-Fetch-Site`
 * and `Origin`. `Sec-Fetch-Site` decides when it is sent. Otherwise `Origin` must have the host and port of the request. Its scheme must be that of
 * `publicUrl`, as a proxy that ends TLS hides the one of the request.
 * @throws ApiError CROSS_SITE_REQUEST, also for `Origin: null` and when neither header is sent, which no browser does.
 */
export function checkSite(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined ? isOwnOrigin(headers, publicUrl) : site === 'same-origin') return;
  throw new ApiError('CROSS_SITE_REQUEST', 'Only pages of the portal itself may do this; use the portal');
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false;
  const own = `${new URL(publicUrl).protocol}//${host}`;
  // The origin of a URL leaves out the default port, as browsers do.
  return URL.canParse(own) && origin === new URL(own).origin;
}

/** The credential of a request; undefined when it is missing or does not have the form of its scheme. */
export function credentialIn(
  headers: IncomingHttpHeaders,
  { header, cookie }: Pick<Credential, 'header' | 'cookie'>,
): string | undefined {
  if (header === 'X-API-Key') return headers['x-api-key'] as string | undefined;
  if (header === 'Cookie') return cookieIn(headers.cookie ?? '', cookie!);
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** The value of a cookie. Undefined when several have the name, since their origin is unknown. */
function cookieIn(sent: string, name: string): string | undefined {
  const values = sent.split(';').map(pair => pair.trim());
  const found = values.filter(pair => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined;
}
