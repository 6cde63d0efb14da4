/** The media types of uploads and of order documents (specification.md 5.7). */
const signatures: readonly [mediaType: string, matches: (bytes: Buffer) => boolean][] = [
  ['image/png', bytes => startsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', bytes => startsWith(bytes, '\xff\xd8\xff')],
  ['image/webp', bytes => startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP')],
  ['application/pdf', bytes => startsWith(bytes, '%PDF-')],
];

/** Detects the media type by the first bytes; null for other types. */
export function sniffMediaType(bytes: Buffer): string | null {
  return signatures.find(([, matches]) => matches(bytes))?.[0] ?? null;
}

/** The first bytes of what people take for CSV: workbooks of Excel, and text in UTF-16. */
const notCsv = ['PK\x03\x04', '\xd0\xcf\x11\xe0', '\xff\xfe', '\xfe\xff'];

/** Whether a file of no known type may be CSV. Any text in an encoding of one byte may be. */
export function mayBeCsv(bytes: Buffer): boolean {
  return !notCsv.some(signature => startsWith(bytes, signature));
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));
}
