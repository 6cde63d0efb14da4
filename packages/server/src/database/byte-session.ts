import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { ServerSession } from './session.ts';

/**
 * A session whose values come as they are on the wire: each as a string with one character a byte (latin1). So documents
 * pass through the service without being decoded and encoded again, which for a page of 100 costs more than all else.
 * Whoever wants text of such a value decodes it: `Buffer.from(value, 'latin1').toString('utf8')`.
 */
export class ByteSession extends ServerSession {
  constructor(config: pg.ClientConfig) {
    super({ ...config, types: { getTypeParser: () => (value: string) => value } });
    readBytes(this.connection);
  }
}

/** What the driver's connection and parser have, but their types do not tell (pg 8.23, pg-protocol 1.16). */
interface Connection {
  attachListeners(stream: Duplex): void;
  emit(event: string, message: unknown): boolean;
}
interface Reader {
  readonly reader: { encoding: BufferEncoding };
}

/** Has the connection read the protocol with a parser that is told latin1 instead of UTF-8. */
function readBytes(connection: unknown): void {
  const target = connection as Connection;
  target.attachListeners = stream => {
    const parser = new Parser();
    (parser as unknown as Reader).reader.encoding = 'latin1';
    stream.on('data', (bytes: Buffer) =>
      parser.parse(bytes, message =>
        target.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
      ),
    );
  };
}
