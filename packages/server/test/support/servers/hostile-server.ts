import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server on this machine that answers bytes of no protocol. */
export interface HostileServer {
  readonly port: number;
  /** Bytes that its clients have taken. */
  sent(): number;
  /** Bytes of its clients, as text. */
  received(): string;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Calls `answer` with each connection. The errors of connections that its clients reset are ignored. */
export async function startHostileServer(answer: (socket: Socket) => void): Promise<HostileServer> {
  const sockets: Socket[] = [];
  const chunks: Buffer[] = [];
  const server = createServer(socket => {
    sockets.push(socket);
    socket.on('error', () => {}).on('data', chunk => chunks.push(chunk));
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sent: () =>
      sockets.reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0),
    received: () => Buffer.concat(chunks).toString('latin1'),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes the same again for as long as the client reads. */
export function writeWithoutEnd(socket: Socket, text: string): void {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

/** Writes a character every 50 ms, which no timeout between bytes ends. */
export function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), 50);
  socket.once('close', () => clearInterval(timer));
}
