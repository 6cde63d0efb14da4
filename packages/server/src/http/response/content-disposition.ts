/**
 * `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and whole as RFC 8187 writes it.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(fileName)}`;
}

/** The attr-char of RFC 8187 section 3.2.1 stand for themselves, all else is percent-encoded. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
