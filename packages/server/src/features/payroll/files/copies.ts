import { ApiError, type PayrollExportDocument, type PayrollSettings, unprocessable } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { lineOf } from '../computation/assess.ts';
import { settingsIn } from '../computation/facts.ts';
import { fileNameOf, type PlannedFile, planFiles, renderFile } from './files.ts';
import { formats } from '../formats/formats.ts';
import { countEntries, readEntries, type RunKey } from '../ledger.ts';
import { readTenantName } from '../read.ts';
import { findRun, numberOf } from '../runs.ts';
import { readSettings } from '../settings.ts';

export interface Copy {
  readonly fileName: string;
  readonly mediaType: PlannedFile['format']['mediaType'];
  readonly bytes: Buffer;
}

/**
 * Renders the entries of a released run again. `number` counts the files of the format from 1; null is after the last.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION for a run that is not released, 422 VALIDATION_ERROR for amounts that the format does not
 * accept
 */
export async function renderCopy(
  db: Queryable,
  key: RunKey,
  { format, number }: { format: PayrollExportDocument['format']; number: number },
): Promise<Copy | null> {
  const run = await findRun(db, key);
  if (run.status !== 'released')
    throw new ApiError('INVALID_STATE_TRANSITION', `The run is ${run.status}; only a released run has files`);
  const { organizationId } = key;
  const { tenant: tenantId, divisionId, kind, period } = run;
  const versions = (await readSettings(db, { organizationId, tenantId }))!;
  const settings = { ...settingsIn(versions, period), ...run.head };
  const planned = planFiles(await countEntries(db, key), { id: key.id, settings, period }, formats[format]);
  const file = planned[number - 1];
  if (file === undefined) return null;
  await checkFile(db, key, file, settings);
  const place = {
    divisionId,
    kind,
    tenantName: await readTenantName(db, key, tenantId),
    number: await numberOf(db, organizationId, run),
    isCopy: true,
  };
  const chunks: Buffer[] = [];
  for await (const chunk of renderFile(db, key, { ...file, head: { ...file.head, isCopy: true } }))
    chunks.push(chunk);
  return {
    fileName: fileNameOf(file, place),
    mediaType: file.format.mediaType,
    bytes: Buffer.concat(chunks),
  };
}

/** The run may not have been checked for this format. */
async function checkFile(
  db: Queryable,
  key: RunKey,
  { format, head, ...selection }: PlannedFile,
  { lugCorrections }: Pick<PayrollSettings, 'lugCorrections'>,
): Promise<void> {
  const { settings, period } = head;
  reject(format.checkSettings(settings)[0]);
  for await (const entries of readEntries(db, key, selection))
    for (const entry of entries) {
      if (!format.takesMonth(entry.month, period, { lugCorrections })) reject({ field: 'month' });
      reject(format.checkLine(lineOf(entry, { lastName: null, firstName: null }), settings)[0]);
    }
}

function reject(violation: { readonly field: string } | undefined): void {
  if (violation)
    throw unprocessable(
      `format: it does not accept ${violation.field} of an amount of the run; choose another format`,
    );
}
