// cspell:disable
/** Encodings of generated files. Those of Mac and MS-DOS cannot be read. */
export const readable = [
  'utf-8',
  'utf-8 with mark',
  'utf-16le',
  'utf-16be',
  'utf-16le without mark',
  'windows-1252',
] as const;
export const unreadable = ['mac-roman', 'ms-dos'] as const;

export type MadeEncoding = (typeof readable)[number] | (typeof unreadable)[number];

const tableOf = (encoding: string) => [
  ...new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
];
const tables = {
  'windows-1252': tableOf('windows-1252'),
  'mac-roman': tableOf('macintosh'),
  // Code page 850, as far as German and French names need it.
  'ms-dos': Array.from({ length: 256 }, (_, byte) => {
    const letter = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×'[byte - 0x80];
    return byte < 0x80
      ? String.fromCharCode(byte)
      : byte === 0xe1
        ? 'ß'
        : byte === 0xf5
          ? '§'
          : (letter ?? '\0');
  }),
};

/** Whether an encoding has all characters of a text. */
export function canEncode(text: string, encoding: MadeEncoding): boolean {
  return (
    !(encoding in tables) ||
    [...text].every(character => tables[encoding as keyof typeof tables].includes(character))
  );
}

export function encode(text: string, encoding: MadeEncoding): Buffer {
  if (encoding in tables)
    return Buffer.from(
      [...text].map(character => tables[encoding as keyof typeof tables].indexOf(character)),
    );
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with mark') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf-16le without mark') return Buffer.from(text, 'utf16le');
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}
