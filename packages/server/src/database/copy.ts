import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Session } from './transaction.ts';

export type CopyValue = string | number | boolean | null;

const special = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * One row in the text format of COPY (PostgreSQL documentation, COPY, File Formats), line end included. Throws RangeError
 * on a NUL character, which no column can hold.
 */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyText).join('\t')}\n`;
}

function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  if (value.includes('\0')) throw new RangeError('a text for COPY has a NUL character');
  return value.replace(special, character => escapes[character]!);
}

/**
 * Sends the lines of {@link copyLine} to a `COPY … FROM STDIN` statement, no faster than the server takes them. Fails when
 * the lines fail, the server refuses one, the connection is lost or the signal is aborted; the transaction is then void.
 */
export async function copyFrom(
  sql: Session,
  statement: string,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const writable = await sql.unsafe(statement).writable();
  makeReliable(writable);
  await pipeline(Readable.from(lines, { objectMode: false }), writable, { signal });
  // The answer to a COPY is read before that to the next statement, which fails when the COPY did.
  await sql`SELECT`;
}

/**
 * The stream of the driver never finishes when the server refuses the last rows, since only success is passed on to it,
 * and it writes to a socket that is no more when the connection is lost. So here it finishes once the end is sent, and the
 * next statement tells how it went; and a lost connection is only the error that the stream is destroyed with.
 */
function makeReliable(writable: Writable): void {
  const sendEnd = writable['_final'].bind(writable);
  const sendFailure = writable['_destroy'].bind(writable);
  writable['_final'] = done => {
    sendEnd(() => {});
    done();
  };
  writable['_destroy'] = (error, done) => {
    let reported = false;
    try {
      sendFailure(error, () => (reported = true));
    } catch (failure) {
      if (!reported) throw failure;
    }
    done(error);
  };
}
