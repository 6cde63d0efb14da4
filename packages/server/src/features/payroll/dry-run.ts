import type { PayrollFinding, PayrollRun, PayrollRunCreate } from '@kontor/contract';
import type { Progress } from '../../jobs/background.ts';
import type { WriteCall, Writes } from '../../write/writes.ts';
import { computeDraft, type PayrollParts } from './jobs.ts';
import { readReport } from './report.ts';
import { createRun, readRun } from './runs.ts';

export interface RunWithReport {
  readonly run: PayrollRun;
  readonly findings: readonly PayrollFinding[];
}

/** Creates a run and computes its draft in a transaction that is rolled back. @throws ApiError as {@link createRun} */
export function tryRun(
  { writes, payroll, progress }: { writes: Writes; payroll: PayrollParts; progress: Progress },
  call: WriteCall,
  tenantId: string,
  wanted: PayrollRunCreate,
): Promise<RunWithReport> {
  return writes.runWithoutClock({ ...call, dryRun: true }, async (write, session) => {
    const { id } = await createRun(write, session, tenantId, wanted);
    const key = { organizationId: write.organizationId, id };
    await computeDraft(session, key, payroll, progress);
    return { run: await readRun(session, key), findings: await readReport(session, key) };
  });
}
