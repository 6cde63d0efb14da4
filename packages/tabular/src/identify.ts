import { decodeHead, detectDialect, headBytes } from './detect.ts';
import type { Dialect } from './dialect.ts';
import { findForeignCharacter } from './values/garbled.ts';

/** A format of files that is not CSV. */
export type FileFormat =
  | 'xlsx'
  | 'xls'
  | 'ods'
  | 'numbers'
  | 'docx'
  | 'zip'
  | 'gzip'
  | 'pdf'
  | 'html'
  | 'xml'
  | 'json'
  | 'rtf'
  | 'image'
  | 'binary';

/** Why a file cannot be read at all. */
export type FileFault =
  | { readonly code: 'other_format'; readonly format: FileFormat }
  /** Neither UTF-8 nor Windows-1252: probably Mac OS Roman or MS-DOS. `line` and `column` count from 1. */
  | {
      readonly code: 'unknown_encoding';
      readonly line: number;
      readonly column: number;
      readonly found: string;
    };

/** Identifies a file: how it is written, or why it cannot be read. Looks at its first 64 KiB, and for UTF-8 at its bytes once. */
export function identifyFile(
  bytes: Uint8Array,
):
  | { readonly dialect: Dialect; readonly fault: null }
  | { readonly dialect: null; readonly fault: FileFault } {
  const dialect = detectDialect(bytes);
  const format = detectFormat(bytes) ?? (isBinary(bytes, dialect) ? 'binary' : null);
  if (format !== null) return { dialect: null, fault: { code: 'other_format', format } };
  const fault = dialect.encoding === 'windows-1252' ? findForeignByte(bytes) : null;
  return fault === null ? { dialect, fault } : { dialect: null, fault };
}

/** The first bytes of formats, in Latin-1. The old Excel format is also that of a workbook with a password. */
const signatures: readonly (readonly [FileFormat, string])[] = [
  ['xls', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['gzip', '\x1F\x8B'],
  ['rtf', '{\\rtf'],
  ['image', '\x89PNG'],
  ['image', '\xFF\xD8\xFF'],
];

/** The first characters of formats, after a byte order mark and white space. SAP and others call a table in HTML a CSV or Excel file. */
const beginnings: readonly (readonly [FileFormat, RegExp])[] = [
  ['pdf', /^%PDF-\d/],
  ['html', /^(?:<!--[^]{0,500}?-->\s*)?<(?:!doctype html|html|head|body|meta|style|table)[\s>]/i],
  ['xml', /^<\?xml\s/i],
  ['json', /^(?:\[\s*[[{]|\{\s*")/],
];

/** The first bytes of entries and of the directory of a ZIP file. */
const zipSignatures = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** Names of entries in a ZIP file, by which programs tell its kind. */
const archives: readonly (readonly [FileFormat, RegExp])[] = [
  ['ods', /mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/],
  ['numbers', /Index\/(?:Document|Tables|CalculationEngine)|Index\.zip/],
  ['docx', /word\//],
  ['xlsx', /xl\/|\[Content_Types\]\.xml/],
];

function detectFormat(bytes: Uint8Array): FileFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16 * 1024)).toString(
    'latin1',
  );
  if (zipSignatures.some(signature => head.startsWith(signature))) {
    // The directory is at the end of the file.
    const end = Buffer.from(bytes.subarray(-headBytes)).toString('latin1');
    return archives.find(([, name]) => name.test(head + end))?.[0] ?? 'zip';
  }
  const text = head.replace(/^\xEF\xBB\xBF/, '').trimStart();
  return (
    signatures.find(([, signature]) => head.startsWith(signature))?.[0] ??
    beginnings.find(([, beginning]) => beginning.test(text))?.[0] ??
    null
  );
}

/** Whether many bytes are control characters that text does not have. In UTF-16 any byte can be part of a letter. */
function isBinary(bytes: Uint8Array, { encoding }: Dialect): boolean {
  if (encoding.startsWith('utf-16')) return false;
  const head = bytes.subarray(0, headBytes);
  let controls = 0;
  for (const byte of head) if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) controls++;
  return controls > 10 && controls * 50 > head.length;
}

function findForeignByte(bytes: Uint8Array): FileFault | null {
  const head = decodeHead(bytes, 'windows-1252');
  const at = findForeignCharacter(head);
  if (at < 0) return null;
  const lines = head.slice(0, at).split(/\r\n|\n|\r/);
  const byte = bytes[at]!.toString(16).toUpperCase();
  return {
    code: 'unknown_encoding',
    line: lines.length,
    column: lines.at(-1)!.length + 1,
    found: `0x${byte}`,
  };
}
