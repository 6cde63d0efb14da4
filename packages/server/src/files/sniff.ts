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

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));
}
