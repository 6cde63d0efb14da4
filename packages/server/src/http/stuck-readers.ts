import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may take nothing of its answer, in milliseconds. */
const readerPatience = 60_000;

/** How often in this time all connections are looked at. */
const looks = 6;

/**
 * Cuts off the connections of a server whose clients take nothing of what is sent to them for as long as `patience`, in
 * milliseconds; one that takes a little now and then is left alone, and so is one that nothing is sent to.
 */
export function cutOffStuckReaders(server: Server, patience: number = readerPatience): void {
  const sockets = new Set<Socket>();
  const seen = new WeakMap<Socket, { progress: string; since: number }>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function look(): Promise<void> {
    const sending = [...sockets].filter(socket => socket.writableLength > 0);
    if (sending.length === 0) return;
    const queues = await systemQueues();
    const now = performance.now();
    for (const socket of sending) {
      const progress = `${socket.bytesWritten} ${socket.writableLength} ${queues.get(portsOf(socket))}`;
      const before = seen.get(socket);
      if (before?.progress !== progress) seen.set(socket, { progress, since: now });
      // The system would keep megabytes for a client that a mere end is sent to.
      else if (now - before.since >= patience) socket.resetAndDestroy();
    }
  }
  const timer = setInterval(() => void look(), patience / looks).unref();
  server.once('close', () => clearInterval(timer));
}

/** A connection in the tables of the system: its ports, its state, and how many bytes wait for the other side. */
const row = /:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/g;

/**
 * What the system still holds for the other side of its connections, by their ports; nothing where it does not tell (Linux
 * does). Node knows only what the system has taken from it, and that takes more once a third of its megabytes is free: whoever
 * reads 20 KB a second would seem to take nothing for a minute.
 */
async function systemQueues(): Promise<Map<string, string>> {
  const queues = new Map<string, string>();
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const table = await readFile(file, 'latin1').catch(() => '');
    for (const [, local, remote, size] of table.matchAll(row)) {
      const ports = `${local} ${remote}`;
      // Clients with different addresses may use the same port: then either's progress counts for both.
      queues.set(ports, (queues.get(ports) ?? '') + size);
    }
  }
  return queues;
}

function portsOf({ localPort, remotePort }: Socket): string {
  const written = [localPort, remotePort].map((port = 0) => port.toString(16).padStart(4, '0').toUpperCase());
  return written.join(' ');
}
