import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a connection is cut: after so many bytes of the request have passed, or of the answer. */
export interface Cut {
  readonly side: 'request' | 'answer';
  readonly bytes: number;
}

/** The header that tells the proxy where to cut the connection of its request. */
export const cutHeader = 'x-cut';

/** A proxy that cuts connections as {@link cutHeader} says. `port` is that of the service at the moment. */
export async function cuttingProxy(port: () => number): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const service = connect(port(), '127.0.0.1');
    const left: Record<Cut['side'], number> = { request: Infinity, answer: Infinity };
    client.once('data', (bytes: Buffer) => {
      const [, side, limit] =
        new RegExp(`${cutHeader}: (request|answer) (\\d+)`).exec(bytes.toString('latin1')) ?? [];
      if (side !== undefined) left[side as Cut['side']] = Number(limit);
    });
    for (const [side, from, to] of [
      ['request', client, service],
      ['answer', service, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => {
        const passed = bytes.subarray(0, left[side]);
        left[side] -= bytes.length;
        to.write(passed);
        if (left[side] <= 0) to.end(() => [client, service].forEach(socket => socket.destroy()));
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
