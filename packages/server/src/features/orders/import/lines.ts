import { TextDecoder } from 'node:util';
import { OperatorError } from '../../../lib/operator-error.ts';

/** A line of a text file, counted from 1, without its line end. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Most characters of a line. */
const lineMaximum = 1024 * 1024;

/**
 * Cuts UTF-8 into lines. They end with LF or CRLF; empty lines are left out, but counted; a byte order mark is skipped.
 * @throws OperatorError, naming the line, where the bytes are not UTF-8 and where a line has more than a million characters.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 0;
  for await (const chunk of chunks) {
    const texts = (rest + decode(decoder, chunk, line)).split('\n');
    rest = texts.pop()!;
    for (const text of texts) {
      line++;
      if (text.trim() !== '') yield { line, text: text.trimEnd() };
    }
    if (rest.length > lineMaximum)
      throw new OperatorError(`line ${line + 1} has more than ${lineMaximum} characters`);
  }
  rest += decode(decoder, undefined, line);
  if (rest.trim() !== '') yield { line: line + 1, text: rest.trimEnd() };
}

/** Decodes the next piece, or with none what the pieces left over; `line` is the last complete line before it. */
function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    const [before] = new TextDecoder().decode(chunk).split('\ufffd', 1);
    const number = line + before!.split('\n').length;
    throw new OperatorError(`line ${number} is not UTF-8; save the file as UTF-8 and import it again`);
  }
}
