import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextLoop, setTimeout as wait } from 'node:timers/promises';
import { type ApiError, malformed } from '@kontor/contract';
import { type Metrics, type Telemetry, report } from './telemetry.ts';
import { cutBodyShort } from './request/body.ts';
import { newRequestId } from './request-context.ts';
import { envelope } from './response/failure.ts';

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

/** Milliseconds for which a connection that was accepted last may send its first request, after a drain. */
const lastRequests = 1000;

/** Milliseconds for which a rejected connection stays open, so that the client can read the answer. */
const lingering = 2000;

export interface ServerParts {
  readonly telemetry: Telemetry;
  /** The error for `CONNECT`. */
  readonly unknownRoute: () => ApiError;
  readonly connectionTimeouts?: Partial<ConnectionTimeouts> | undefined;
  readonly inFlight: Pick<Metrics['inFlight'], 'inc' | 'dec'>;
}

export interface HttpServer {
  readonly server: Server;
  /** False once the shutdown has begun; `/readyz` returns it. */
  readonly ready: boolean;
  /**
   * Stops in three steps:
   * 1. For `drainSeconds` it is not ready but serves everything, and closes each connection after its answer. Proxies in
   *    front may send requests until then.
   * 2. It accepts no more connections and closes idle ones. After a drain, those that were accepted last may send a request. It waits up to
   *    `graceSeconds` for requests in flight.
   * 3. It closes all connections that are left.
   */
  shutDown(graceSeconds: number, drainSeconds?: number): Promise<void>;
}

/** Node would answer requests with `Expect` or without `Host` itself; here they reach the pipeline. */
export function createHttpServer(handler: RequestListener, parts: ServerParts): HttpServer {
  const { telemetry, unknownRoute } = parts;
  const timeouts = { ...defaultTimeouts, ...parts.connectionTimeouts };
  const server = createServer({
    maxHeaderSize,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionsCheckingInterval: timeouts.check,
    noDelay: true,
    requireHostHeader: false,
  });
  // Node silently drops headers beyond this count. Their total size has a limit anyway.
  server.maxHeadersCount = 0;
  server.setTimeout(timeouts.stalled, socket => {
    // After a plain close the system would keep megabytes for a client that reads nothing.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
  const inFlight = new InFlight(server, parts.inFlight);
  let ready = true;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (!inFlight.add(request.socket, response)) return;
    if (!ready) response.shouldKeepAlive = false;
    handler(request, response);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, listener);
  server.on('connect', (_request, socket) => reject(socket, unknownRoute(), telemetry));
  server.on('clientError', (error, socket) =>
    answerProtocolError(error, socket as Socket, inFlight.first(socket), telemetry),
  );
  return {
    server,
    get ready() {
      return ready;
    },
    async shutDown(graceSeconds, drainSeconds = 0) {
      ready = false;
      inFlight.closeAfterAnswer();
      // The system has accepted connections that Node takes in the next turn. Their requests are read in the turn after that.
      if (drainSeconds > 0) await wait(drainSeconds * 1000).then(() => nextLoop());
      const closed = new Promise(resolve => server.close(resolve));
      // A proxy has connected already, and sends a write that must not be repeated.
      if (drainSeconds > 0) await nextLoop().then(() => inFlight.begin(lastRequests));
      await inFlight.end(graceSeconds * 1000);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Maximum of pipelined requests on a connection that wait for earlier answers. Node would start thousands before the next client. */
const aheadLimit = 100;

/** The requests in flight, by connection and in the order of their answers. */
class InFlight {
  readonly #gauge: Pick<Metrics['inFlight'], 'inc' | 'dec'>;
  readonly #connections = new Map<Duplex, Set<ServerResponse>>();
  /** Connections without a request so far. */
  readonly #new = new Set<Duplex>();
  #count = 0;
  #onChange = () => {};

  constructor(server: Server, gauge: Pick<Metrics['inFlight'], 'inc' | 'dec'>) {
    this.#gauge = gauge;
    server.on('connection', (socket: Socket) => {
      const responses = new Set<ServerResponse>();
      this.#connections.set(socket, responses);
      this.#new.add(socket);
      socket.once('close', () => {
        this.#connections.delete(socket);
        this.#hasBegun(socket);
      });
    });
  }

  /** False for a connection that is or was destroyed, as it has too many requests. */
  add(socket: Duplex, response: ServerResponse): boolean {
    const responses = this.#connections.get(socket);
    if (!responses || socket.destroyed) return false;
    if (responses.size > aheadLimit) {
      socket.destroy();
      return false;
    }
    responses.add(response);
    this.#count++;
    this.#gauge.inc();
    response.once('close', () => this.#delete(responses, response));
    this.#hasBegun(socket);
    return true;
  }

  /** The request of a connection that is answered next. */
  first(socket: Duplex): ServerResponse | undefined {
    return this.#connections.get(socket)?.values().next().value;
  }

  closeAfterAnswer(): void {
    for (const responses of this.#connections.values())
      for (const response of responses) response.shouldKeepAlive = false;
  }

  /** Resolves when each connection has sent a request, or after the timeout. */
  begin(milliseconds: number): Promise<void> {
    return this.#until(() => this.#new.size === 0, milliseconds);
  }

  /** Resolves when all requests have ended, or after the timeout. */
  end(milliseconds: number): Promise<void> {
    return this.#until(() => this.#count === 0, milliseconds);
  }

  async #until(isDone: () => boolean, milliseconds: number): Promise<void> {
    if (isDone()) return;
    const timer = new AbortController();
    const late = wait(milliseconds, undefined, { signal: timer.signal }).catch(() => {});
    const done = new Promise<void>(resolve => (this.#onChange = () => isDone() && resolve()));
    await Promise.race([done, late]);
    timer.abort();
  }

  #hasBegun(socket: Duplex): void {
    this.#new.delete(socket);
    this.#onChange();
  }

  #delete(responses: Set<ServerResponse>, response: ServerResponse): void {
    responses.delete(response);
    this.#count--;
    this.#gauge.dec();
    this.#onChange();
  }
}

/**
 * Answers a request that Node could not parse or did not receive in time: 400 VALIDATION_ERROR in the envelope. Closes a connection without any byte
 * in silence: a browser that opens one in advance would use the answer for its first request.
 */
function answerProtocolError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  current: ServerResponse | undefined,
  telemetry: Telemetry,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  if (socket.bytesRead === 0) return void socket.destroy();
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
