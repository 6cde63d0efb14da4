// cspell:ignore äöüßæø
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe' };

/** A name in the form in which names are compared: small letters and digits. `Länder-Code`, `LAENDERCODE` and `laender_code` are one. */
export function plainName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüßæø]/g, letter => digraphs[letter]!)
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
