import type { PayrollExportDocument } from '@kontor/contract';
import type { Sql } from '../../database/connect.ts';
import { newId } from '../../database/ids.ts';
import { inOrganization } from '../../database/organization-write.ts';
import { Parameters } from '../../database/parameters.ts';
import { scopePredicate } from '../../database/scope-predicate.ts';
import type { Session } from '../../database/transaction.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import type { Scope } from '../../scope.ts';
import { payrollDocumentRow } from './record.ts';

/** What the payroll has made. Timestamps and identifier are given by the service; the file is stored under the latter. */
export type NewPayrollDocument = Omit<
  PayrollExportDocument,
  'id' | 'generatedAt' | 'createdAt' | 'updatedAt'
>;

/** The stored bytes of a document in scope, ready for the wire; null when there is none or the key may not see it. */
export async function readPayrollDocument(
  sql: Sql,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<Buffer | null> {
  const parameters = new Parameters();
  const visible = scopePredicate(scope, tenant, parameters);
  const text = `SELECT doc FROM payroll_export_document WHERE ${visible} AND id = ${parameters.add(id)}`;
  const rows = await sql.unsafe(text, parameters.values as never[], { prepare: true }).raw();
  return rows[0]?.[0] ?? null;
}

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
