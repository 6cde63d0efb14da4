import type { PayrollExportDocument } from '@kontor/contract';
import assert from 'node:assert/strict';
import { canAccessDocument } from '../support/data/scope-model.ts';
import type { Case } from './case.ts';
import { assertDownload, checkTargets, type ResourceType } from './resource-type.ts';
import type { TestedDocument } from './organization.ts';

export const payrollDocuments: ResourceType<TestedDocument> = {
  path: '/payroll-export-documents',
  of: organization => organization.documents,
  canAccess: canAccessDocument,
  known: ({ tenant, division, bytes }) => ({ tenant, division, size: bytes?.length ?? null }),
  shown: ({ tenant, divisionId, size }: PayrollExportDocument) => ({ tenant, division: divisionId, size }),
};

export function checkDownloads(tested: Case): Promise<void> {
  return checkTargets(tested, payrollDocuments, {
    name: 'download',
    ask: ({ id }, options) => tested.client.get(`${payrollDocuments.path}/${id}/download`, options),
    found({ bytes }, answer) {
      if (bytes) assertDownload(answer, bytes);
      else assert.deepEqual([answer.status, answer.body.error.code], [404, 'FILE_NOT_FOUND']);
    },
  });
}
