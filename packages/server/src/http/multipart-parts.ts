/** A part of a multipart body; `fileName` is null where it is a plain field. The content is a view of the body. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: Buffer;
}

const lineBreak = '\r\n';

/**
 * The parts of a multipart/form-data body (RFC 7578, RFC 2046 section 5.1.1), without a copy of their content, which is
 * why `formData` of a `Response` does not do it: that copies a body several times. Null when the body is none.
 */
export function splitParts(body: Buffer, boundary: string): Part[] | null {
  const delimiter = Buffer.from(`${lineBreak}--${boundary}`);
  const startsAtOnce = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  let at = startsAtOnce ? -2 : body.indexOf(delimiter);
  if (at === -1) return null;
  const parts: Part[] = [];
  for (;;) {
    at += delimiter.length;
    if (body.toString('latin1', at, at + 2) === '--') return parts;
    const end = body.indexOf(delimiter, at);
    const part = end === -1 ? null : readPart(body.subarray(at, end));
    if (!part) return null;
    parts.push(part);
    at = end;
  }
}

/** Reads a part from the end of its delimiter to the beginning of the next one. */
function readPart(bytes: Buffer): Part | null {
  const headEnd = bytes.indexOf(lineBreak + lineBreak);
  if (headEnd === -1 || !/^[ \t]*\r\n/.test(bytes.toString('latin1', 0, headEnd + 2))) return null;
  const head = bytes.toString('utf8', 0, headEnd);
  const disposition = /\r\ncontent-disposition:[ \t]*form-data([^\r\n]*)/i.exec(head)?.[1];
  const name = disposition === undefined ? null : parameter(disposition, 'name');
  if (disposition === undefined || name === null) return null;
  const fileName = extended(disposition) ?? parameter(disposition, 'filename');
  return { name, fileName, content: bytes.subarray(headEnd + 4) };
}

/** The value of a parameter; browsers write `"` and line breaks in it percent-encoded, others `"` behind a backslash. */
function parameter(disposition: string, name: string): string | null {
  const match = new RegExp(`;[ \\t]*${name}=(?:"((?:\\\\"|[^"])*)"|([^;"\\s]+))`, 'i').exec(disposition);
  const value = match && (match[1] ?? match[2]!);
  return (
    value &&
    value.replaceAll('\\"', '"').replaceAll(/%(22|0D|0A)/gi, (_, code: string) => {
      return String.fromCharCode(Number.parseInt(code, 16));
    })
  );
}

/** `filename*=UTF-8''…`, which some clients send although RFC 7578 section 4.2 says not to. */
function extended(disposition: string): string | null {
  const encoded = /;[ \t]*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
