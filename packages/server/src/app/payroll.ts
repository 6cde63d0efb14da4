import { employeeImportWorks } from '../features/employees/portal-import/jobs.ts';
import { hasHrPermission } from '../features/users/store.ts';
import { draftWork } from '../features/payroll/draft.ts';
import { releaseWork } from '../features/payroll/release.ts';
import { recordDownload } from '../features/payroll/files/downloads.ts';
import { insertDocument } from '../features/payroll-documents/store.ts';
import type { Logger } from 'pino';
import type { Pool } from '../db/connect.ts';
import type { WritePools } from '../write/writes.ts';
import { BackgroundJobs } from '../jobs/background.ts';
import { describeCause } from '../telemetry/cause.ts';
import type { Actor } from '../write/writes.ts';
import type { FileStore } from '../files/file-store.ts';

/** The background jobs of the service. */
export function backgroundJobs(pools: WritePools, files: FileStore, logger: Logger): BackgroundJobs {
  const works = [draftWork, releaseWork({ files, publish: insertDocument }), ...employeeImportWorks];
  return new BackgroundJobs({ pools, logger, works, hasPermission: hasHrPermission });
}

/** Records who downloads payroll files. A download that cannot be recorded is answered nevertheless. */
export function recordDownloads(db: Pool, logger: Logger) {
  return (document: { organizationId: string; id: string }, actor: Actor): Promise<void> =>
    recordDownload(db, document, actor).catch((error: unknown) =>
      logger.warn({ document: document.id, cause: describeCause(error) }, 'a download was not recorded'),
    );
}
