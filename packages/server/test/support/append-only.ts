import { AssertionError } from 'node:assert/strict';
import { removalStatement } from '../../src/features/audit/retention.ts';

/** What changes or removes entries of the audit. */
const change =
  /\b(?:UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?audit"?(?!\w)/i;

/** The one statement that may: it removes entries after their retention. */
export const removal = removalStatement('any', new Date(0), 1).text;

/** Statements that change or remove entries of the audit, and may not. */
export function auditChanges(texts: readonly string[]): string[] {
  return texts.map(spaced).filter(text => change.test(text) && text !== spaced(removal));
}

const spaced = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

/** Checks that nothing which was sent changes the audit. @throws AssertionError that names the statements */
export function checkAppendOnly(texts: readonly string[]): void {
  const changes = auditChanges(texts);
  if (changes.length > 0)
    throw new AssertionError({ message: `Entries of the audit are for ever:\n${changes.join('\n')}` });
}
