import type { HandlersOf } from '../../http/handlers.ts';
import { downloadDocument, type DownloadParts } from './public-routes.ts';

/** Files of payroll in the scope of the user's permission HR. Each download is recorded, as with the public API. */
export function portalPayrollDocumentHandlers(
  parts: DownloadParts,
): HandlersOf<'portal', 'Payroll export documents'> {
  return { downloadPortalPayrollFile: call => downloadDocument(parts, call) };
}
