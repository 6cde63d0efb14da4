import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextWrite, setTimeout as wait } from 'node:timers/promises';
import { type ApiError, malformed } from '@kontor/contract';
import type { FastifyInstance } from 'fastify';
import { type Metrics, type Telemetry, report } from '../telemetry/requests.ts';
import { cutBodyShort } from './request/body.ts';
import { newRequestId } from './request-context.ts';
import { envelope } from './response/failure.ts';
import type { UnknownRoute } from './unknown-route.ts';

/** Bytes of all headers and the request line (specification.md 2.5). */
const maxHeaderSize = 128 * 1024;

/** In milliseconds. */
export interface ConnectionTimeouts {
  /** For the first request of a connection, or the headers of a request. */
  readonly headers: number;
  readonly request: number;
  /** Between two requests. */
  readonly keepAlive: number;
  /** Without progress in either direction. */
  readonly stalled: number;
  /** Between two checks of `headers` and `request`. */
  readonly check: number;
}

const defaultTimeouts: ConnectionTimeouts = {
  headers: 20_000,
  request: 120_000,
  keepAlive: 65_000,
  stalled: 300_000,
  check: 5_000,
};

/** Milliseconds for which a rejected connection stays open, so that the client can read the answer. */
const lingering = 2000;

interface ServerParts {
  readonly telemetry: Telemetry;
  readonly unknownRoute: UnknownRoute;
  readonly connectionTimeouts?: Partial<ConnectionTimeouts> | undefined;
}

/** Node would answer requests with `Expect` or without `Host` itself; here they reach the pipeline. */
export function createHttpServer(
  handler: RequestListener,
  { telemetry, unknownRoute, connectionTimeouts }: ServerParts,
): Server {
  const listener = boundPipelining(handler);
  const timeouts = { ...defaultTimeouts, ...connectionTimeouts };
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
      noDelay: true,
      requireHostHeader: false,
    },
    listener,
  );
  // Node silently drops headers beyond this count. Their total size has a limit anyway.
  server.maxHeadersCount = 0;
  server.setTimeout(timeouts.stalled, socket => {
    // After a plain close the system would keep megabytes for a client that reads nothing.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => reject(socket, unknownRoute(), telemetry));
  return server;
}

interface HttpSocket extends Duplex {
  readonly bytesRead?: number;
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null;
}

/**
 * Answers a request that Node could not parse or did not receive in time: 400 VALIDATION_ERROR in the envelope. Closes a connection without any byte
 * in silence: a browser that opens one in advance would use the answer for its first request.
 */
export function answerProtocolError(
  error: NodeJS.ErrnoException,
  socket: HttpSocket,
  telemetry: Telemetry,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  if (socket.bytesRead === 0) return void socket.destroy();
  const current = socket._httpMessage;
  // The request before the broken bytes still gets its answer, as the last one on this connection.
  if (current) current.shouldKeepAlive = false;
  if (current?.req.complete) return;
  if (current && error.code === 'HPE_INVALID_EOF_STATE') {
    // The client has ended its side in the middle of the body. It may still read the answer.
    cutBodyShort(current.req);
    current.once('close', () => socket.end());
  } else if (current?.headersSent) {
    // The answer has begun, so no error can be sent.
    socket.destroy();
  } else reject(socket, malformed(reasonOf(error.code)), telemetry);
}

function reasonOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW')
    return `The headers are larger than ${maxHeaderSize / 1024} KiB; send less`;
  if (code === 'HPE_INVALID_URL')
    return 'The request target is not valid; percent-encode all but ASCII in it';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time; send it again, faster';
  return 'The request is not valid HTTP/1.1';
}

/** Answers a connection without a parsed request, and closes it after {@link lingering}. */
function reject(socket: Duplex, rejection: ApiError, telemetry: Telemetry): void {
  const requestId = newRequestId();
  const body = envelope(rejection, requestId);
  report(
    {
      operation: 'protocol',
      startedAt: performance.now(),
      requestId,
      caller: null,
      rejection: null,
      readTo: null,
    },
    rejection.status,
    telemetry,
  );
  socket.on('error', () => {});
  socket.end(
    [
      `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Closing at once would reset the connection while the client still sends, and the answer could be lost.
  socket.resume();
  setTimeout(() => socket.destroy(), lingering).unref();
}

/** Maximum of pipelined requests on a connection that wait for earlier answers. */
const aheadLimit = 100;

/** Destroys a connection that pipelines more than {@link aheadLimit} requests: Node would start thousands before the next client. */
function boundPipelining(listener: RequestListener): RequestListener {
  const ahead = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A response gets the socket when the answers before it were sent.
    if (response.socket !== null) return listener(request, response);
    if (socket.destroyed) return;
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > aheadLimit) return socket.destroy();
    ahead.set(socket, count);
    response.once('close', () => ahead.set(socket, ahead.get(socket)! - 1));
    listener(request, response);
  };
}

/** Tracks requests in flight, and stops the service without cutting them off. */
export interface Lifecycle {
  /** False once the shutdown has begun; `/readyz` returns it. */
  readonly ready: boolean;
  /**
   * Stops in three steps:
   * 1. For `drainSeconds` it is not ready but serves everything, and closes each connection after its answer. Proxies in
   *    front may send requests until then.
   * 2. It accepts no more connections, closes idle ones, and waits up to `graceSeconds` for requests in flight.
   * 3. It closes all connections that are left.
   */
  shutDown(graceSeconds: number, drainSeconds?: number): Promise<void>;
}

/** Tracks the requests of a service from {@link buildService}. Call it before the service listens. */
export function watchLifecycle(
  app: FastifyInstance,
  metrics: { readonly inFlight: Pick<Metrics['inFlight'], 'inc' | 'dec'> },
): Lifecycle {
  const { server } = app;
  const inProgress = new Set<ServerResponse>();
  let ready = true;
  let onIdle = () => {};

  function countEnd(this: ServerResponse): void {
    inProgress.delete(this);
    metrics.inFlight.dec();
    if (inProgress.size === 0) onIdle();
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, (_request, response: ServerResponse) => {
      inProgress.add(response);
      metrics.inFlight.inc();
      response.once('close', countEnd);
      if (!ready) response.shouldKeepAlive = false;
    });

  return {
    get ready() {
      return ready;
    },
    async shutDown(graceSeconds, drainSeconds = 0) {
      ready = false;
      for (const response of inProgress) response.shouldKeepAlive = false;
      if (drainSeconds > 0) await drain(server, drainSeconds);
      server.close();
      if (inProgress.size > 0) await waitAtMost(graceSeconds * 1000, resolve => (onIdle = resolve));
      server.closeAllConnections();
      await app.close();
    },
  };
}

/** Serves for the time of the drain, then closes the listener. Clients that have connected by then still get answers. */
async function drain(server: Server, seconds: number): Promise<void> {
  await wait(seconds * 1000);
  // The system resets connections that Node has not accepted yet. `close` of an HTTP server closes those whose request is still unread.
  await nextWrite();
  Listener.prototype.close.call(server);
  await nextWrite();
}

/** Resolves when `subscribe` calls back, or after the timeout. */
async function waitAtMost(milliseconds: number, subscribe: (resolve: () => void) => void): Promise<void> {
  const timer = new AbortController();
  const late = wait(milliseconds, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([new Promise<void>(subscribe), late]);
  timer.abort();
}
