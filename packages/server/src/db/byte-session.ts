import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { type Message, RowReader } from './row-reader.ts';
import { ServerSession } from './session.ts';

/** Most bytes that are taken from the socket at a time. */
const chunkSize = 64 * 1024;

/**
 * A session whose rows as arrays have the bytes on the wire, see {@link RowReader}; those by name have text. So documents pass through the service without
 * being decoded and encoded again, which for a page of 100 costs more than all else.
 */
export class ByteSession extends ServerSession {
  constructor(config: pg.ClientConfig) {
    let read = (_chunk: Buffer): void => {};
    // The driver calls it (pg 8.23), which its types do not tell.
    const stream = (({ ssl }: { ssl: unknown }) =>
      ssl ? new Socket() : reusingSocket(chunk => read(chunk))) as unknown as () => Duplex;
    super({ ...config, stream, types: { getTypeParser: () => String } });
    const connection = this.connection as unknown as Connection;
    const reader = new RowReader(message =>
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
    );
    read = chunk => {
      try {
        reader.read(chunk);
      } catch (error) {
        this.destroy(error as Error);
      }
    };
    // TLS has a stream of its own. The socket that reuses its buffer never has this event.
    connection.attachListeners = source => source.on('data', read);
  }
}

/** What the driver's connection has, but its types do not tell (pg 8.23). */
interface Connection {
  attachListeners(stream: Duplex): void;
  emit(event: string, message: Message): boolean;
}

/** A socket that has all of its pieces in one buffer: to make one for each costs more than to copy what is needed of it. */
function reusingSocket(read: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(chunkSize);
  const callback = (size: number) => {
    read(buffer.subarray(0, size));
    return true;
  };
  return new Socket({ onread: { buffer, callback } });
}
