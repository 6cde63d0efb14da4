import {
  Agent,
  type RequestOptions as HttpRequestOptions,
  type IncomingHttpHeaders,
  request as httpRequest,
} from 'node:http';
import { readFileSync } from 'node:fs';
import {
  type Api,
  type ApiName,
  apis,
  type Credential,
  type OpenApiDocument,
  openApiDocument,
} from '@kontor/contract';
import { documentFiles } from '../../../../../tools/documents.ts';
import { ContractCheck } from './contract-check.ts';
import { recordAnswer } from './recorded-answers.ts';

export interface ClientOptions {
  /** The API that is called; the public one when absent. */
  readonly api?: ApiName;
  /** The API key of every request, or what the API has instead; none when absent. */
  readonly key?: string;
  /** The document that answers are checked against; by default that of the API. */
  readonly openapi?: OpenApiDocument;
}

export interface RequestOptions {
  /** Another key than that of the client; `null` sends none. */
  readonly key?: string | null;
  /** `X-Tenant-ID`. */
  readonly tenant?: string;
  /** Sent as given, after those of the client; an array sends a header more than once. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Encoded and appended to the path. */
  readonly query?: Record<string, string | number | boolean>;
  /** The address of this machine that it comes from, one of 127.0.0.0/8. */
  readonly from?: string;
  /** The body as bytes or text, sent as it is. `Content-Type` is up to `headers`. */
  readonly raw?: Buffer | string;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined when the body is none. */
  readonly body: T;
  readonly bytes: Buffer;
}

/** The one part `file` of an upload. */
export interface Uploaded {
  readonly bytes: Buffer;
  readonly fileName: string;
  /** The media type that the client claims; `application/octet-stream` when absent. */
  readonly mediaType?: string;
}

// A test names the shape of the body that it expects; that it has this shape is checked against the document.
type Body = any;

export interface ApiClient {
  get<T = Body>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  post<T = Body>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>>;
  /** An upload: multipart with these parts, by default one part `file`. */
  upload<T = Body>(path: string, parts: Uploaded | FormData, options?: RequestOptions): Promise<Answer<T>>;
  patch<T = Body>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>>;
  /** Any method; nothing is added but the key. */
  request<T = Body>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** Closes the connections that are kept open. */
  close(): void;
}

const checks = new WeakMap<OpenApiDocument, ContractCheck>();

/**
 * A client of an API for tests. Paths are below its prefix and are sent as they are, also wrong ones. Every answer is
 * checked against the OpenAPI document; one that departs from it is an AssertionError that names the difference.
 */
export function apiClient(baseUrl: string, options: ClientOptions = {}): ApiClient {
  const base = new URL(baseUrl);
  const name = options.api ?? 'public';
  const api: Api = apis[name];
  const prefix = base.pathname.replace(/\/$/, '').replace(/^$/, api.prefix);
  const agent = new Agent({ keepAlive: true });
  const check = checkOf(options.openapi ?? documentOf(name));

  async function request(method: string, path: string, sent: RequestOptions = {}): Promise<Answer<Body>> {
    const fullPath = path + queryOf(path, sent.query);
    const headers = headersOf(api, options.key, sent);
    const received = await send(
      {
        host: base.hostname,
        port: base.port,
        agent,
        method,
        path: prefix + fullPath,
        headers,
        ...(sent.from !== undefined && { localAddress: sent.from }),
      },
      sent.raw,
    );
    const sentRequestId = headers['x-request-id'];
    check.check({
      ...received,
      method,
      path: fullPath,
      sentRequestId: typeof sentRequestId === 'string' ? sentRequestId : undefined,
    });
    const body = parse(received.bytes, received.headers);
    recordAnswer(check.operationOf(method, fullPath), received.status, body);
    return { ...received, body };
  }

  const json =
    (method: string) =>
    (path: string, body: unknown, sent: RequestOptions = {}) =>
      request(method, path, {
        ...sent,
        raw: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...sent.headers },
      });

  return {
    request,
    get: (path, sent) => request('GET', path, sent),
    post: json('POST'),
    patch: json('PATCH'),
    async upload(path, parts, sent = {}) {
      const { raw, contentType } = await multipart(parts);
      return request('POST', path, {
        ...sent,
        raw,
        headers: { 'content-type': contentType, ...sent.headers },
      });
    },
    close: () => agent.destroy(),
  };
}

/** A multipart body as `fetch` would send it. */
export async function multipart(parts: Uploaded | FormData): Promise<{ raw: Buffer; contentType: string }> {
  const encoded = new Response(parts instanceof FormData ? parts : formOf(parts));
  return {
    raw: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type')!,
  };
}

function formOf({ bytes, fileName, mediaType = 'application/octet-stream' }: Uploaded): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: mediaType }), fileName);
  return form;
}

const documents = new Map<ApiName, OpenApiDocument>();

/** The document of an API as it is in the repository, or as it would be of a private one. */
function documentOf(name: ApiName): OpenApiDocument {
  const document = documents.get(name) ?? (name === 'portal' ? openApiDocument(apis.portal) : read(name));
  documents.set(name, document);
  return document;
}

function read(name: keyof typeof documentFiles): OpenApiDocument {
  const file = new URL(`../../../../../${documentFiles[name]}`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
}

function checkOf(document: OpenApiDocument): ContractCheck {
  const check = checks.get(document) ?? new ContractCheck(document);
  checks.set(document, check);
  return check;
}

function queryOf(path: string, query: RequestOptions['query']): string {
  if (query === undefined) return '';
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return (path.includes('?') ? '&' : '?') + pairs.join('&');
}

function headersOf(
  { credential }: Api,
  clientKey: string | undefined,
  sent: RequestOptions,
): Record<string, string | string[]> {
  const key = sent.key === undefined ? clientKey : sent.key;
  const own = Object.entries(sent.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    // As a browser sends it for a page of the portal itself.
    ...(credential.header === 'Cookie' && { 'sec-fetch-site': 'same-origin' }),
    ...(typeof key === 'string' && credentialHeader(credential, key)),
    ...(sent.tenant !== undefined && { 'x-tenant-id': sent.tenant }),
    ...Object.fromEntries(own),
  };
}

function credentialHeader({ header, cookie }: Credential, key: string): Record<string, string> {
  if (header === 'Cookie') return { cookie: `${cookie}=${key}` };
  return header === 'Authorization' ? { authorization: `Bearer ${key}` } : { [header.toLowerCase()]: key };
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

function send(options: HttpRequestOptions, body: Buffer | string | undefined): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const outgoing = httpRequest(options, incoming => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', reject);
    incoming.on('end', () =>
      resolve({ status: incoming.statusCode!, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
    );
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

function parse(bytes: Buffer, headers: IncomingHttpHeaders): Body {
  if (bytes.length === 0 || !headers['content-type']?.startsWith('application/json')) return undefined;
  return JSON.parse(bytes.toString('utf8'));
}
