import { AssertionError } from 'node:assert/strict';

/** What changes or removes entries of the audit. */
const change =
  /\b(?:UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?audit"?(?!\w)/i;

/** The one statement that may: it removes what is no longer kept (`writes/audit-removal.ts`). */
const removal = /^DELETE FROM audit WHERE organization_id = \$1 AND at < \$2 AND at <= \$3::timestamptz$/;

/** Statements that change or remove entries of the audit, and may not. */
export function auditChanges(texts: readonly string[]): string[] {
  const spaced = texts.map(text => text.trim().replaceAll(/\s+/g, ' '));
  return spaced.filter(text => change.test(text) && !removal.test(text));
}

/** Checks that nothing which was sent changes the audit. @throws AssertionError that names the statements */
export function checkAppendOnly(texts: readonly string[]): void {
  const changes = auditChanges(texts);
  if (changes.length > 0)
    throw new AssertionError({ message: `Entries of the audit are for ever:\n${changes.join('\n')}` });
}
