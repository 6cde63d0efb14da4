import { setTimeout as delay } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';

/** What the sessions of the harness are called in PostgreSQL. */
const ownSessions = 'kontor faults';

/** How long a look at the database may take, in milliseconds. */
const timeout = 20_000;

/** Opens a session of the harness, past the proxy. A later loss shows only at its next use. */
export async function openSession(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: ownSessions,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs one statement in a session of its own, and answers its rows. */
export async function ask<Row extends QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await openSession(url);
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Asks again and again until the statement answers a row, and answers whether it did so in time. */
export async function waitUntilTrue(url: string, text: string, milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  for (;;) {
    const rows = await ask(url, text).catch(() => []);
    if (rows.length > 0) return true;
    if (performance.now() > until) return false;
    await delay(20);
  }
}
