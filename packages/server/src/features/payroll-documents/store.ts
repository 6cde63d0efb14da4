import type { PayrollExportDocument } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { insertion, sql } from '../../db/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import { operator, placesOf, type Turn, Writes } from '../../write/writes.ts';
import { payrollDocumentResource } from './mapping.ts';

/** A document of the payroll. The service gives identifier and timestamps. */
export type NewPayrollDocument = Omit<
  PayrollExportDocument,
  'id' | 'generatedAt' | 'createdAt' | 'updatedAt'
>;

/** Stores a document with its file; null when none was produced. The caller has checked its references. */
export function insertPayrollDocument(
  { db, store }: { db: Pool; store: FileStore },
  organizationId: string,
  data: NewPayrollDocument,
  bytes: Buffer | null,
): Promise<PayrollExportDocument> {
  const file = { organizationId, id: newId() };
  const writes = new Writes({ reads: db, writes: db });
  const request = { organizationId, author: operator, authority: null, dryRunAt: null };
  const stage = async (session: Queryable) => {
    if (bytes) await store.put(session, { ...file, bytes });
  };
  const write = () =>
    writes.runOrdered(request, {
      stage,
      targets: [file.id],
      read: () => Promise.resolve(null),
      change(turn) {
        const { instant } = turn;
        const stamps = { generatedAt: instant, createdAt: instant, updatedAt: instant };
        const document = { id: file.id, ...data, ...stamps };
        insertDocument(turn, document);
        return document;
      },
    });
  return keepingFile(store, file, write);
}

function insertDocument(turn: Turn, document: PayrollExportDocument): void {
  const { organizationId: organization_id } = turn;
  const doc = payrollDocumentResource.document(document);
  const row = { organization_id, ...payrollDocumentResource.row(document), doc };
  turn.send(sql`INSERT INTO payroll_export_document ${insertion(row)}`);
  turn.count('payroll_export_document', placesOf(document.tenant, document.divisionId));
  turn.audit({ id: document.id, action: 'payroll_export_document.create' });
}
