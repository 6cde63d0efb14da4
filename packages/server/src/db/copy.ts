import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyStream, to as copyOutStream } from 'pg-copy-streams';
import { type Fragment, raw, sql } from './sql.ts';
import type { Session } from './transaction.ts';

export type CopyValue = string | number | boolean | null;

const special = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns a row in the text format of COPY, with its line end (PostgreSQL documentation, COPY, File Formats).
 * @throws RangeError on a NUL character, which no column can store
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
 * Sends lines of {@link copyLine}, or the output of {@link copyTo}, to a `COPY … FROM STDIN` statement, with backpressure.
 * @throws when the lines fail, the server rejects one, the connection is lost or the signal is aborted. The transaction is then void.
 */
export async function copyFrom(
  session: Session,
  statement: Fragment,
  lines: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const { server } = session;
  // Waits until earlier statements are complete: a COPY stream needs the session to itself.
  await session.run(sql`SELECT`);
  await server.single(async () => {
    const stream = server.query(copyStream(statement.text));
    await pipeline(Readable.from(lines, { objectMode: false }), stream, { signal }).catch(
      (error: unknown) => {
        // The server repeats the reason of the abort as an error of its own.
        throw signal.aborted ? signal.reason : error;
      },
    );
  });
}

/** Passes the output of a `COPY … TO STDOUT` statement to `take`, in the text format, with backpressure. */
export async function copyTo(
  session: Session,
  statement: Fragment,
  take: (chunks: Readable) => Promise<void>,
): Promise<void> {
  const { server } = session;
  await session.run(sql`SELECT`);
  await server.single(() => take(server.query(copyOutStream(statement.text))));
}

/** Maximum rows in memory. */
const chunkSize = 1000;

/** Reads the rows of a query in chunks. A transaction can have one such read in progress at a time. */
export async function* readInChunks<Row extends object>(
  session: Session,
  query: Fragment,
): AsyncGenerator<Row[]> {
  await session.run(sql`DECLARE pieces CURSOR FOR ${query}`);
  for (;;) {
    const rows = await session.rows<Row>(sql`FETCH ${raw(String(chunkSize))} FROM pieces`);
    if (rows.length > 0) yield rows;
    if (rows.length < chunkSize) break;
  }
  await session.run(sql`CLOSE pieces`);
}
