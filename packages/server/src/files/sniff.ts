/** The images among the media types of uploads and of order documents (specification.md 5.7). */
const images: readonly [mediaType: string, matches: (bytes: Buffer) => boolean][] = [
  ['image/png', bytes => startsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', bytes => startsWith(bytes, '\xff\xd8\xff')],
  ['image/webp', bytes => startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP')],
];

const pdfHeader = '%PDF-';

/** Readers of PDF accept so many bytes before the header (PDF 1.7, implementation note 13): a byte order mark, white space, lines of a mail. */
const maxBeforePdf = 1024;

/** Detects the media type by the first bytes; null for other types. An image is not the PDF that it may contain. */
export function sniffMediaType(bytes: Buffer): string | null {
  const image = images.find(([, matches]) => matches(bytes));
  if (image) return image[0];
  return bytes.subarray(0, maxBeforePdf + pdfHeader.length).includes(pdfHeader) ? 'application/pdf' : null;
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));
}
