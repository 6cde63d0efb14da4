import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A message of the protocol (PostgreSQL documentation, Message Formats). */
function message(type: string, ...fields: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(fields.map(field => Buffer.from(field)));
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const ready = message('Z', 'I');
const authenticated = message('R', Buffer.alloc(4));

/** The reply to the statement that sets a session up, in one row of one text column. */
function setUp(recovering: string): Buffer {
  const column = Buffer.concat([
    Buffer.from('recovering\0'),
    Buffer.alloc(6),
    Buffer.from([0, 0, 0, 25]),
    Buffer.alloc(8),
  ]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(recovering.length);
  return Buffer.concat([
    message('1'),
    message('2'),
    message('T', Buffer.from([0, 1]), column),
    message('D', Buffer.from([0, 1]), length, recovering),
    message('C', 'SELECT 1\0'),
    ready,
  ]);
}

/** The error of a server: `S`everity, SQLSTATE, the function of the server that sends it, and the text. */
export function failure(
  type: 'E' | 'N',
  severity: string,
  state: string,
  routine?: string,
  text = 'it says so',
): Buffer {
  const field = routine === undefined ? '' : `R${routine}\0`;
  return message(type, `S${severity}\0V${severity}\0C${state}\0M${text}\0${field}`, '\0');
}

/** The reply to a statement that changed a row. */
export const stored = Buffer.concat([
  message('1'),
  message('2'),
  message('n'),
  message('C', 'INSERT 0 1\0'),
  ready,
]);

/**
 * A server that accepts every session and reports that it is a primary by default. The test decides
 * on later statements: it gets the socket and the message.
 */
export async function fakeServer({
  recovering = 'false',
  onStatement = () => {},
}: {
  recovering?: string;
  onStatement?: (socket: Socket, bytes: Buffer) => void;
}): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    let write = 0;
    socket.on('data', (bytes: Buffer) => {
      write++;
      if (write === 1) socket.write(Buffer.concat([authenticated, ready]));
      else if (write === 2) socket.write(setUp(recovering));
      // It does not tell its timeline.
      else if (write === 3) socket.write(stored);
      else onStatement(socket, bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://kontor@127.0.0.1:${port}/kontor`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
