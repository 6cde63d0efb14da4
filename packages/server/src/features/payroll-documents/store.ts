import type { PayrollExportDocument } from '@kontor/contract';
import type { Pool } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import { OrganizationWrites } from '../../database/organization-write.ts';
import { type Fragment, insertion, sql } from '../../database/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import { payrollDocumentRow } from './record.ts';

/** What the payroll has made. Timestamps and identifier are given by the service; the file is stored under the latter. */
export type NewPayrollDocument = Omit<
  PayrollExportDocument,
  'id' | 'generatedAt' | 'createdAt' | 'updatedAt'
>;

/** Stores a document with its file (null: none was produced), and returns it. The caller has checked its references. */
export function insertPayrollDocument(
  { db, store }: { db: Pool; store: FileStore },
  organizationId: string,
  data: NewPayrollDocument,
  bytes: Buffer | null,
): Promise<PayrollExportDocument> {
  const file = { organizationId, id: newId() };
  const writes = new OrganizationWrites({ reads: db, writes: db });
  const mode = { dryRun: false, receivedAt: new Date() };
  const write = () =>
    writes.run(organizationId, mode, {
      async stage(session) {
        if (bytes) await store.put(session, { ...file, bytes });
      },
      read: () => Promise.resolve(null),
      change(_found, at) {
        const instant = at.toISOString();
        const document = {
          id: file.id,
          ...data,
          generatedAt: instant,
          createdAt: instant,
          updatedAt: instant,
        };
        return { statements: publication(organizationId, document), result: document };
      },
    });
  return keepingFile(store, file, write);
}

/** The statements that insert a document, count and audit it. */
function publication(organizationId: string, document: PayrollExportDocument): Fragment[] {
  const row = { organization_id: organizationId, ...payrollDocumentRow(document) };
  const scopes = ['', document.tenant, document.divisionId].filter(scope => scope !== null);
  return [
    sql`INSERT INTO payroll_export_document ${insertion(row)}`,
    sql`
      INSERT INTO counter (organization_id, family, scope, n)
      SELECT ${organizationId}, 'payroll_export_document', scope, 1 FROM unnest(${scopes}::text[]) AS scope
      ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + 1`,
    sql`
      INSERT INTO audit (organization_id, at, target_id, action, actor, fields)
      VALUES (${organizationId}, ${document.createdAt}, ${document.id}, 'payroll_export_document.create', 'operator', '{}')`,
  ];
}
