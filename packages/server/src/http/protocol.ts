import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type ApiError, malformed } from '@kontor/contract';
import { type Telemetry, report } from './response/respond.ts';
import { cutBodyShort } from './request/body.ts';
import { newRequestId } from './request-context.ts';
import { envelope } from './response/failure.ts';
import type { UnknownRoute } from './unknown-route.ts';
import type { Socket } from 'node:net';

/** All headers of a request together, request line included, in bytes (specification.md 2.5). */
const maxHeaderSize = 128 * 1024;

/** How long a client may take, in milliseconds: for the headers, for the whole request, and between two requests. */
const headersTimeout = 20_000;
const requestTimeout = 120_000;
const keepAliveTimeout = 65_000;

/** How long a connection may make no progress in either direction before it is closed, in milliseconds. */
const stalledTimeout = 300_000;

/** How long a rejected connection is kept open so that the client can read why, in milliseconds. */
const lingering = 2000;

/** What the server below the router knows of what is above it. */
interface ServerParts {
  readonly telemetry: Telemetry;
  readonly unknownRoute: UnknownRoute;
  readonly stalledTimeout?: number | undefined;
}

/**
 * The HTTP server below the router. `Expect` reaches the stages of the pipeline like any other header; a missing `Host`
 * too, for which Node would answer on its own. `stalledTimeout` is how long a client may read nothing of its answer, in
 * milliseconds.
 */
export function createHttpServer(
  handler: RequestListener,
  { telemetry, unknownRoute, stalledTimeout: timeout = stalledTimeout }: ServerParts,
): Server {
  const listener = boundPipelining(handler);
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      noDelay: true,
      requireHostHeader: false,
    },
    listener,
  );
  // Node drops the headers beyond this count silently; their size is bounded anyway.
  server.maxHeadersCount = 0;
  server.setTimeout(timeout, socket => {
    // After a mere end the system would keep megabytes for a client that reads nothing.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  });
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => reject(socket, unknownRoute(), telemetry));
  return server;
}

/** What Node knows of the response that is in progress on a connection. */
interface HttpSocket extends Duplex {
  readonly _httpMessage?: (ServerResponse & { readonly req: IncomingMessage }) | null;
}

/** Answers what Node could not parse, or did not receive in time: 400 VALIDATION_ERROR in the envelope. */
export function answerProtocolError(
  error: NodeJS.ErrnoException,
  socket: HttpSocket,
  telemetry: Telemetry,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const current = socket._httpMessage;
  // What stands before the broken bytes still gets its answer, the last one here.
  if (current) current.shouldKeepAlive = false;
  if (current?.req.complete) return;
  if (current && error.code === 'HPE_INVALID_EOF_STATE') {
    // The client has ended its side in the middle of the body; it may still read the answer.
    cutBodyShort(current.req);
    current.once('close', () => socket.end());
  } else if (current?.headersSent) {
    // It has been answered: nothing more to say on this connection.
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

/** Writes an answer to a connection without a parsed request, and closes it once the client had time to read. */
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

/** Most requests that a connection may send ahead of the answers to those before them. */
const aheadLimit = 100;

/**
 * A listener that begins only so many requests of one connection at a time, and closes a connection that sends more of them
 * ahead: thousands fit into what Node reads at once, and all are begun before anybody else gets a turn.
 */
function boundPipelining(listener: RequestListener): RequestListener {
  const ahead = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A response gets the socket when those before it are sent.
    if (response.socket !== null) return listener(request, response);
    if (socket.destroyed) return;
    const count = (ahead.get(socket) ?? 0) + 1;
    if (count > aheadLimit) return socket.destroy();
    ahead.set(socket, count);
    response.once('close', () => ahead.set(socket, ahead.get(socket)! - 1));
    listener(request, response);
  };
}
