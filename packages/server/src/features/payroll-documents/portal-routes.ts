import { downloadPortalPayrollFile } from '@kontor/contract';
import { downloadDocument, type DownloadParts } from './public-routes.ts';
import { implement } from '../../http/implement.ts';
import type { Route } from '../../http/route.ts';

/** Files of payroll in the scope of the user's permission HR. Each download is recorded, as with the public API. */
export function portalPayrollDocumentRoutes(parts: DownloadParts): Route[] {
  return [implement(downloadPortalPayrollFile, call => downloadDocument(parts, call))];
}
