import { AssertionError } from 'node:assert/strict';
import { auditStart, removalOf } from '../../src/write/audit-removal.ts';

/** What changes or removes entries of the audit. */
const change =
  /\b(?:UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?audit"?(?!\w)/i;

/** The one statement that may: it removes what is no longer kept. */
export const removal = removalOf(
  'any',
  {
    keeping: { organization: null, tenants: new Map() },
    days: 1,
    from: auditStart,
    before: new Date(0),
    max: 1,
  },
  auditStart,
).text;

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
