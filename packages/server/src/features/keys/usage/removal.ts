import { sql } from '../../../db/sql.ts';
import type { Job } from '../../../jobs/job.ts';
import { removalJob } from '../../../jobs/removal.ts';
import { errorDays } from './read.ts';

export const operationDays = 90;

/** Removes expired uses of keys. Neither uses nor their removal are audited. */
export const keyRemovals: readonly Job[] = [
  removalJob({
    table: 'key_operation',
    days: sql`${operationDays}::int`,
    day: sql`u.day`,
    before: day => sql`u.day < ${day}`,
  }),
  removalJob({
    table: 'key_error',
    days: sql`${errorDays}::int`,
    day: sql`(u.last_at AT TIME ZONE 'UTC')::date`,
    before: day => sql`u.last_at < ${day}::timestamp AT TIME ZONE 'UTC'`,
  }),
];
