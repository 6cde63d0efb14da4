import type { Client } from 'pg';
import { waitUntilTrue, openSession } from './database.ts';
import { freeze, upstreamOf } from './postgres.ts';
import { malformedKey } from './reads.ts';
import type { Scenario, Stage } from './scenario.ts';
import { serviceSessions } from './server.ts';

/**
 * Commits wait for a standby that stands still. At first that wait is not cancelled, then it is: PostgreSQL then
 * answers success with a warning that the standby may not have it, so that the write must not be acknowledged.
 */
async function leaveUnsynchronised(stage: Stage): Promise<void> {
  const { primary, round, hold, afterwards } = stage;
  const standby = await stage.standby();
  afterwards.defer(() => waitForStandby(primary.url, false));
  await waitForStandby(primary.url, true);
  const thaw = await freeze(standby);
  let cancelled = 0;
  round.restriction = ({ write }, { status }) =>
    write && status < 300 ? 'write acknowledged that the standby does not have' : null;
  const session = await openSession(primary.url);
  try {
    await hold(0.6);
    await stage.repeat(50, async () => (cancelled += await cancelWaits(session)), 0.4);
  } finally {
    round.restriction = null;
    await session.end();
    await thaw();
  }
  if (cancelled === 0) round.recordFinding('nothing to be cancelled', 'no commit waited for the standby');
}

async function cancelWaits(session: Client): Promise<number> {
  const waiting = `SELECT pg_cancel_backend(pid) ${serviceSessions} AND wait_event = 'SyncRep'`;
  return (await session.query(waiting)).rows.length;
}

/** Lets commits wait for the standby or no longer. */
async function waitForStandby(url: string, waiting: boolean): Promise<void> {
  const session = await openSession(url);
  try {
    await session.query(
      waiting
        ? `ALTER SYSTEM SET synchronous_standby_names = '*'`
        : `ALTER SYSTEM RESET synchronous_standby_names`,
    );
    await session.query('SELECT pg_reload_conf()');
  } finally {
    await session.end();
  }
  const state = waiting ? 'sync' : 'async';
  const reached = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`;
  if (!(await waitUntilTrue(url, reached, 20_000))) throw new Error(`the standby does not become ${state}`);
}

/** The proxy leads to the standby: nothing may be answered from there, since it shows another order of events. */
async function leadToStandby(stage: Stage): Promise<void> {
  const { proxy, primary, round } = stage;
  const standby = await stage.standby();
  proxy.pointAt(upstreamOf(standby));
  round.restriction = ({ name }, { status }) =>
    status === 503 || name === malformedKey ? null : 'answer from a server in recovery';
  try {
    await stage.repeat(250, async () => {
      if (await stage.ready()) round.recordFinding('ready on a server in recovery', '/readyz answered 200');
    });
  } finally {
    round.restriction = null;
    proxy.pointAt(upstreamOf(primary));
  }
}

/** Faults of a PostgreSQL that has a standby. */
export const replicationScenarios: readonly Scenario[] = [
  { name: 'unsynchronised', seconds: { short: 9, full: 40 }, strike: leaveUnsynchronised },
  { name: 'in-recovery', seconds: { short: 2, full: 25 }, strike: leadToStandby },
];
