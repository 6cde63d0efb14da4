/** An e-mail as uniqueness compares it: NFC, then lower case; not the search folding (decisions.md section 5). */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
