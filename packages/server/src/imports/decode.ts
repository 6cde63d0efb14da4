import { TextDecoder } from 'node:util';
import { OperatorError } from '../lib/operator-error.ts';

/** Decodes chunks and skips a byte order mark. @throws OperatorError with the line of invalid UTF-8 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for await (const chunk of chunks) {
    const text = decode(decoder, chunk, line);
    line += countNewlines(text);
    yield text;
  }
  yield decode(decoder, undefined, line);
}

/** Decodes a chunk that begins in `line`. Without a chunk it flushes the remaining bytes. */
function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    const [valid] = new TextDecoder().decode(chunk).split('\ufffd', 1);
    const number = line + countNewlines(valid!);
    throw new OperatorError(`line ${number} is not UTF-8; save the file as UTF-8 and import it again`);
  }
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
