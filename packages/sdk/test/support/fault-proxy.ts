import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The fault of one request. `before`: the connection is cut, and the service gets nothing. `during`: it is cut while the service
 * works. `after`: the service has answered, and the answer is lost. `truncated`: half of the answer arrives. `rejected` and `late-503`: the
 * answer is 429, or 503 after the service has done the work. `slow`: the answer takes longer. `html`: the answer is a page with 200, after
 * the service has done the work. `foreign`: it is JSON of another API, and the service gets nothing. `unfiltered`: a list is answered without
 * its filter. `short`: half of the items of a list are missing.
 */
export const faults = [
  'before',
  'during',
  'after',
  'truncated',
  'rejected',
  'late-503',
  'slow',
  'html',
  'foreign',
  'unfiltered',
  'short',
] as const;
/** `missing`: the answer is a page with 404, of a proxy without a service. */
export type Fault = (typeof faults)[number] | 'missing' | null;

/** A proxy to the service that does what a function says to each request. */
export interface FaultProxy {
  readonly url: string;
  /** Requests that the service has answered. */
  forwarded: number;
  /** The fault of the next request; none by default. */
  next: (request: IncomingMessage) => Fault;
  /** Is called after each answer was sent or cut. Does nothing by default. */
  answered: () => void;
  close(): Promise<void>;
}

export async function faultProxy(serviceUrl: string): Promise<FaultProxy> {
  const working = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const work = serve(request, response).catch(() => void response.destroy());
    working.add(work);
    void work.finally(() => working.delete(work));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwarded: 0,
    next: () => null,
    answered: () => {},
    async close() {
      server.closeAllConnections();
      server.close();
      await Promise.all(working);
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = proxy.next(request);
    response.once('close', () => proxy.answered());
    const body = await request.toArray();
    if (fault === 'before') return void response.destroy();
    if (fault === 'rejected') return reject(response, 429, 'RATE_LIMIT_EXCEEDED');
    if (fault === 'foreign') return answerWith(response, 'application/json', '{"message":"hello"}');
    if (fault === 'missing') return answerWith(response, 'text/html', '<html>not found</html>', 404);
    if (fault === 'unfiltered') request.url = withoutFilter(request.url!);
    // Reads come after the writes that are still under way, as they do after the deadline of the service.
    if (request.method === 'GET') await Promise.all(writes);
    const answered = forward(request, Buffer.concat(body as Buffer[]));
    if (request.method !== 'GET') {
      writes.add(answered);
      void answered.finally(() => writes.delete(answered)).catch(() => {});
    }
    if (fault === 'during') response.destroy();
    const { status, headers, bytes } = await answered;
    if (fault === 'during' || fault === 'after') return void response.destroy();
    if (fault === 'late-503') return reject(response, 503, 'SERVICE_UNAVAILABLE');
    if (fault === 'html') return answerWith(response, 'text/html', '<html>Sign in</html>');
    const torn = fault === 'short' && status === 200 ? tear(bytes) : null;
    if (torn !== null) return answerWith(response, 'application/json', torn);
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 50));
    response.writeHead(status, headers);
    if (fault !== 'truncated') return void response.end(bytes);
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
  }

  const writes = new Set<Promise<unknown>>();

  async function forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const outgoing = httpRequest(new URL(url!, serviceUrl), {
      method: method!,
      headers: { ...headers, host: new URL(serviceUrl).host, connection: 'close' },
    });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const bytes = Buffer.concat((await incoming.toArray()) as Buffer[]);
    const {
      'transfer-encoding': _chunked,
      connection: _close,
      'keep-alive': _alive,
      ...rest
    } = incoming.headers;
    proxy.forwarded++;
    return {
      status: incoming.statusCode!,
      headers: { ...rest, 'content-length': String(bytes.length) },
      bytes,
    };
  }

  return proxy;
}

function reject(response: ServerResponse, status: number, code: string): void {
  const body = JSON.stringify({ error: { code, message: 'from the proxy', requestId: '' } });
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
}

function answerWith(response: ServerResponse, mediaType: string, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': mediaType }).end(body);
}

function withoutFilter(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  searchParams.delete('filter');
  return `${pathname}?${searchParams}`;
}

/** A list with half of its items; null for another answer, and for a list without items. */
function tear(bytes: Buffer): string | null {
  if (!bytes.subarray(0, 200).includes('"items"')) return null;
  const list = JSON.parse(bytes.toString('utf8')) as { items: unknown[] };
  if (list.items.length === 0) return null;
  return JSON.stringify({ ...list, items: list.items.slice(0, Math.floor(list.items.length / 2)) });
}
