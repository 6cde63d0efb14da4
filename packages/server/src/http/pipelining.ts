import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests that a connection may send ahead of the answers to those before them. */
const aheadLimit = 100;

/**
 * A listener that begins only so many requests of one connection at a time, and closes a connection that sends more of them
 * ahead: thousands fit into what Node reads at once, and all are begun before anybody else gets a turn.
 */
export function boundPipelining(listener: RequestListener): RequestListener {
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
