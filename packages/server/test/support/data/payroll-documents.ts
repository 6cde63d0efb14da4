import { createHash } from 'node:crypto';
import type { PayrollExportDocument } from '@kontor/contract';
import type { Sql } from '../database/sql.ts';
import {
  insertPayrollDocument,
  type NewPayrollDocument,
} from '../../../src/features/payroll-documents/store.ts';
import { databaseStore } from '../../../src/files/database-store.ts';
import type { FileStore } from '../../../src/files/file-store.ts';

/** Stores an available CSV for the tenant, or what `more` says; without bytes there is no file. */
export function storePayrollDocument(
  sql: Sql,
  organizationId: string,
  more: Pick<NewPayrollDocument, 'tenant'> & Partial<NewPayrollDocument>,
  bytes: Buffer | null = Buffer.from('4711;2026-10;12,50\n'),
  store: FileStore = databaseStore(sql),
): Promise<PayrollExportDocument> {
  const file = {
    fileName: 'lohn-2026-10.csv',
    mediaType: 'text/csv',
    size: bytes?.length ?? 0,
    sha256: bytes && createHash('sha256').update(bytes).digest('hex'),
  };
  const noFile = { fileName: null, mediaType: null, size: null, sha256: null };
  const data: NewPayrollDocument = {
    divisionId: null,
    period: '2026-10',
    format: 'csv',
    status: bytes ? 'available' : 'failed',
    rowCount: 1,
    skippedCount: 0,
    ...(bytes ? file : noFile),
    ...more,
  };
  return insertPayrollDocument({ db: sql, store }, organizationId, data, bytes);
}
