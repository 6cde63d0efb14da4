import { setTimeout as delay } from 'node:timers/promises';
import type { PayrollRun } from '@kontor/contract';
import { backgroundJobs } from '../../app/payroll.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { RunKey } from '../../features/payroll/ledger.ts';
import { readRun } from '../../features/payroll/runs.ts';
import { isInProgress } from '../../features/payroll/states.ts';
import { openFiles } from '../../files/open.ts';
import { CommandError, type DatabaseContext, type fileSettings } from '../program/command.ts';
import { showProgress } from '../program/progress.ts';
import { readableLogger } from '../service/logger.ts';

export type PayrollContext = DatabaseContext<(typeof fileSettings)[number]>;

/** @throws CommandError where there is no such run */
export async function findRunKey(db: Queryable, id: string): Promise<RunKey> {
  const [row] = await db.rows<{ organizationId: string }>(sql`
    SELECT r.organization_id AS "organizationId"
    FROM organization o JOIN payroll_run r ON r.organization_id = o.id AND r.id = ${id}`);
  if (!row) throw new CommandError(`there is no payroll run ${id}`);
  return { ...row, id };
}

/** Milliseconds between two reads of a run. */
const pause = 200;

const steps: Readonly<Partial<Record<PayrollRun['status'], string>>> = {
  computing: 'Computing',
  releasing: 'Releasing',
};

/**
 * Works on a run until it waits for a person or has ended, and returns it. Where a service works on it already, its progress is shown.
 * @throws CommandError when the database was lost
 */
export async function finishWork(context: PayrollContext, key: RunKey): Promise<PayrollRun> {
  const { db, config, stderr } = context;
  const found = await readRun(db, key);
  if (!isInProgress(found)) return found;
  using files = await openFiles(config, db);
  const { logger } = readableLogger(config.logLevel, stderr);
  const jobs = backgroundJobs(await context.openDatabase(), files.store, logger);
  using progress = showProgress(context);
  let done: number | null = null;
  let working = jobs.run(key);
  for (;;) {
    const outcome = await Promise.race([working, delay(pause, null)]);
    const run = await readRun(db, key);
    if (!isInProgress(run)) return run;
    if (outcome === 'lost')
      throw new CommandError(
        `the connection to the database was lost; kontor payroll release ${key.id} continues the run, kontor payroll discard ${key.id} ends it`,
      );
    if (outcome === 'absent') throw new Error(`the run ${key.id} is ${run.status} without a job`);
    // Another process works on it. Its job is free again if it is killed.
    if (outcome !== null) working = delay(pause).then(() => jobs.run(key));
    if (run.progress === null) continue;
    if (done === null) progress.begin(steps[run.status]!, run.progress.total);
    progress.advance(run.progress.done - (done ?? 0));
    done = run.progress.done;
  }
}
