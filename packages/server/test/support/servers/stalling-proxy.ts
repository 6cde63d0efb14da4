import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A proxy to the test database that can stall listening connections without closing them. */
export interface StallingProxy {
  readonly url: string;
  /** From now on nothing comes back from connections that listen; the others work as before. */
  stallListeners(): void;
  /** From now on new connections are closed at once. */
  rejectConnections(): void;
  close(): Promise<void>;
}

/**
 * Forwards a Unix socket to the server of the URL; as a pooler of transactions does it, without notifications, and with a number
 * of the server's process that is made up.
 */
export async function stallingProxy(
  databaseUrl: string,
  options: { notifications: boolean } = { notifications: true },
): Promise<StallingProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-proxy-'));
  const sockets = new Set<Socket>();
  let stalled = false;
  let rejecting = false;
  const server = createServer(client => {
    if (rejecting) return void client.destroy();
    const upstream = connect(address(databaseUrl));
    let listens = false;
    client.on('data', (bytes: Buffer) => {
      listens ||= bytes.includes('LISTEN ');
      upstream.write(bytes);
    });
    let rest: Buffer = Buffer.alloc(0);
    upstream.on('data', (bytes: Buffer) => {
      if (stalled && listens) return;
      if (options.notifications) return void client.write(bytes);
      rest = forwardAsPooler(Buffer.concat([rest, bytes]), client);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>(resolve => server.listen(path.join(folder, '.s.PGSQL.5432'), resolve));
  const url = new URL(databaseUrl);
  url.searchParams.set('host', folder);
  url.searchParams.delete('port');
  url.port = '';
  return {
    url: url.href,
    stallListeners: () => (stalled = true),
    rejectConnections: () => (rejecting = true),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Forwards the whole messages of the server but NotificationResponse, BackendKeyData with another number, and answers what is
 * left (PostgreSQL documentation, Message Formats: a letter, then the length with itself but without the letter).
 */
function forwardAsPooler(bytes: Buffer, client: Socket): Buffer {
  let rest = bytes;
  while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
    const length = 1 + rest.readInt32BE(1);
    if (rest[0] === 'K'.charCodeAt(0)) rest.writeInt32BE(1, 5);
    if (rest[0] !== 'A'.charCodeAt(0)) client.write(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return rest;
}

function address(databaseUrl: string): { path: string } | { host: string; port: number } {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return folder ? { path: path.join(folder, `.s.PGSQL.${port}`) } : { host: url.hostname, port };
}
