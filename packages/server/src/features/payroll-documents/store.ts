import type { PayrollExportDocument } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { newId } from '../../db/ids.ts';
import { insertion, sql } from '../../db/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { stagedFile } from '../../files/keeping.ts';
import { callOf, decision, operator, placesOf, type WriteAtClock, Writes } from '../../write/writes.ts';
import { payrollDocumentResource } from './mapping.ts';

/** The service sets identifier and timestamps. */
export type NewPayrollDocument = Omit<
  PayrollExportDocument,
  'id' | 'generatedAt' | 'createdAt' | 'updatedAt'
>;

/** Stores a document with its file. `bytes` is null when no file was produced. The caller must check its references first. */
export function insertPayrollDocument(
  { db, store: files }: { db: Pool; store: FileStore },
  organizationId: string,
  data: NewPayrollDocument,
  bytes: Buffer | null,
): Promise<PayrollExportDocument> {
  const id = newId();
  const file = bytes === null ? undefined : stagedFile(files, { organizationId, id, bytes });
  return new Writes(db).decide({ ...callOf(organizationId, operator), id, data }, documentInsertion, file);
}

const documentInsertion = decision({
  targets: ({ id }: { id: string; data: NewPayrollDocument }) => [id],
  read: () => Promise.resolve(null),
  plan({ id, data }, _found, at): PayrollExportDocument {
    const instant = at.toISOString();
    return { id, ...data, generatedAt: instant, createdAt: instant, updatedAt: instant };
  },
  store(write, document) {
    insertDocument(write, document);
    return document;
  },
});

/** Those of the documents that are in scope, in the order of their identifiers. */
export async function readDocumentsInScope(
  db: Queryable,
  scope: Scope,
  ids: readonly string[],
): Promise<PayrollExportDocument[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<{ doc: string }>(sql`
    SELECT doc FROM payroll_export_document
    WHERE ${scopePredicate(scope, null)} AND id = ANY(${[...ids]}::text[]) ORDER BY id`);
  return rows.map(({ doc }) => payrollDocumentResource.parse(doc));
}

/** Stores a document whose file is stored in the same transaction. */
export function insertDocument(write: WriteAtClock, document: PayrollExportDocument): void {
  const { organizationId: organization_id } = write;
  const doc = payrollDocumentResource.document(document);
  const row = { organization_id, ...payrollDocumentResource.row(document), doc };
  write.send(sql`INSERT INTO payroll_export_document ${insertion(row)}`);
  write.count('payroll_export_document', placesOf(document.tenant, document.divisionId));
  write.audit({ id: document.id, action: 'payroll_export_document.create' });
}
