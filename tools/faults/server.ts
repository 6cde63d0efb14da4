import type { Client } from 'pg';
import { openSession } from './database.ts';
import { waitUntilBack, freeze, killPostmaster, send } from './postgres.ts';
import type { Scenario, Stage } from './scenario.ts';

/** The sessions of the service: of all others in its database, the harness has its name on its own. */
export const serviceSessions = `
  FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
  AND application_name <> current_setting('application_name')`;

/** PostgreSQL's code for too many sessions. */
const tooManyConnections = '53300';

/** Every process of PostgreSQL stands still for longer than a request may take. */
async function standStill({ primary, hold }: Stage): Promise<void> {
  const thaw = await freeze(primary);
  try {
    await hold();
  } finally {
    await thaw();
  }
}

async function crash({ primary, repeat }: Stage): Promise<void> {
  await repeat(3000, async () => {
    await killPostmaster(primary);
    await waitUntilBack(primary);
  });
}

/** One session is killed, upon which PostgreSQL ends all others and recovers. */
async function crashSession({ primary, repeat }: Stage): Promise<void> {
  await repeat(2000, async () => {
    const witness = await openSession(primary.url);
    const ended = new Promise(resolve => witness.once('end', resolve));
    const { rows } = await witness.query<{ pid: number }>(`SELECT pid ${serviceSessions} LIMIT 1`);
    send(rows[0]?.pid ?? (await queryOwnPid(witness)), 'SIGKILL');
    await ended;
    await waitUntilBack(primary);
  });
}

async function queryOwnPid(session: Client): Promise<number> {
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

async function terminateSessions({ primary, repeat }: Stage): Promise<void> {
  const session = await openSession(primary.url);
  try {
    await repeat(5, () => session.query(`SELECT pg_terminate_backend(pid) ${serviceSessions}`));
  } finally {
    await session.end();
  }
}

/** Another program takes all sessions that there are: first the free ones, then also those of the service. */
async function exhaustSessions({ primary, repeat }: Stage): Promise<void> {
  const session = await openSession(primary.url);
  const taken: Client[] = [];
  try {
    await repeat(200, () => takeAll(primary.url, taken), 0.5);
    await repeat(
      200,
      async () => {
        await session.query(`SELECT pg_terminate_backend(pid) ${serviceSessions}`);
        await takeAll(primary.url, taken);
      },
      0.5,
    );
  } finally {
    await Promise.all([session, ...taken].map(client => client.end()));
  }
}

async function takeAll(url: string, taken: Client[]): Promise<void> {
  for (;;) {
    const client = await openSession(url).catch((error: { code?: string }) => {
      if (error.code === tooManyConnections) return null;
      throw error;
    });
    if (client === null) return;
    taken.push(client);
  }
}

/** Faults of PostgreSQL itself. */
export const serverScenarios: readonly Scenario[] = [
  { name: 'stand-still', seconds: { short: 11, full: 30 }, strike: standStill },
  { name: 'crash', seconds: { short: 2, full: 30 }, strike: crash },
  { name: 'crash-session', seconds: { short: 2, full: 30 }, strike: crashSession },
  { name: 'terminate', seconds: { short: 3, full: 40 }, strike: terminateSessions },
  { name: 'exhausted', seconds: { short: 3, full: 30 }, strike: exhaustSessions },
];
