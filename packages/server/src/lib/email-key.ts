/** An email address as uniqueness compares it: NFC, then lower case. This is not the search folding (specification.md 5.2). */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
