import { AssertionError } from 'node:assert/strict';
import { removalStatement } from '../../../src/features/audit/retention.ts';

/** Tables whose rows are never changed: the audit, and the ledger of payroll with what its entries follow from. */
const tables = 'audit|payroll_entry|payroll_basis';

const verbs = 'UPDATE|DELETE\\s+FROM|MERGE\\s+INTO|TRUNCATE(?:\\s+TABLE)?';

/** A statement that changes or removes rows of these tables. */
export const change = new RegExp(
  `\\b(?:${verbs})\\s+(?:ONLY\\s+)?(?:"?public"?\\.)?"?(?:${tables})"?(?!\\w)`,
  'i',
);

/** The one statement of a service that may: it removes entries after their retention. */
export const removal = removalStatement('any', new Date(0), 1).text;

/** The deletion of an organization, whose statements are made from the catalogue (`features/organizations/owned-tables.ts`). */
const deletion = new RegExp(
  `^DELETE FROM "(${tables})" WHERE organization_id = \\$1 AND \\(.+\\) IN \\( SELECT .+ AS chosen WHERE organization_id = \\$2 ORDER BY .+ LIMIT \\$3::int\\)$`,
);

/** Statements that change or remove rows of these tables, and may not. */
export function forbiddenChanges(texts: readonly string[]): string[] {
  return texts
    .map(spaced)
    .filter(text => change.test(text) && text !== spaced(removal) && !deletion.test(text));
}

const spaced = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

/** Checks that nothing which was sent changes these tables. @throws AssertionError that names the statements */
export function checkAppendOnly(texts: readonly string[]): void {
  const changes = forbiddenChanges(texts);
  if (changes.length > 0)
    throw new AssertionError({
      message: `Entries of the audit and of the ledger are for ever:\n${changes.join('\n')}`,
    });
}
