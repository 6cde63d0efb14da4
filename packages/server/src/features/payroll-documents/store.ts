import type { PayrollExportDocument } from '@kontor/contract';
import type { Sql } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import { inOrganization } from '../../database/organization-write.ts';
import type { Session } from '../../database/transaction.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import { payrollDocumentRow } from './record.ts';

/** What the payroll has made. Timestamps and identifier are given by the service; the file is stored under the latter. */
export type NewPayrollDocument = Omit<
  PayrollExportDocument,
  'id' | 'generatedAt' | 'createdAt' | 'updatedAt'
>;

/** Stores a document with its file (null: none was produced), and answers it. The caller has checked its references. */
export function insertPayrollDocument(
  parts: { sql: Sql; store: FileStore },
  organizationId: string,
  data: NewPayrollDocument,
  bytes: Buffer | null,
): Promise<PayrollExportDocument> {
  const file = { organizationId, id: newId() };
  const stage = async (session: Session) => {
    if (bytes) await parts.store.put(session, { ...file, bytes });
  };
  const mode = { dryRun: false, receivedAt: new Date(), stage };
  return keepingFile(parts.store, file, () =>
    inOrganization(parts.sql, organizationId, mode, async (session, at) => {
      const instant = at.toISOString();
      const document = {
        id: file.id,
        ...data,
        generatedAt: instant,
        createdAt: instant,
        updatedAt: instant,
      };
      await insert(session, organizationId, document);
      return document;
    }),
  );
}

async function insert(
  session: Session,
  organizationId: string,
  document: PayrollExportDocument,
): Promise<void> {
  const row = { organization_id: organizationId, ...payrollDocumentRow(document) };
  await session`INSERT INTO payroll_export_document ${session(row)}`;
  const scopes = ['', document.tenant, document.divisionId].filter(scope => scope !== null);
  await session`
    INSERT INTO counter (organization_id, family, scope, n)
    SELECT ${organizationId}, 'payroll_export_document', scope, 1 FROM unnest(${scopes}::text[]) AS scope
    ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + 1`;
  await session`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields)
    VALUES (${organizationId}, ${document.createdAt}, ${document.id}, 'payroll_export_document.create', 'operator', '{}')`;
}
