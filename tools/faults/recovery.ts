import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './database.ts';
import { serviceSessions } from './server.ts';
import type { Question, Round } from './round.ts';

/** How soon after the end of a fault the service must be healthy, and how many requests in a row show that. */
const recoveryTime = 5000;
const successesInRow = 20;

/** How long a session may still be in a transaction after the last request, in milliseconds. */
const transactionTime = 1000;

/** How long a statement may run (KONTOR_STATEMENT_TIMEOUT), with an allowance; seconds. */
const statementTime = 6;

/** Whether the management port of the service reports that it is ready. */
export async function isReady(managementUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(recoveryTime);
  const response = await fetch(`${managementUrl}/readyz`, { signal }).catch(() => null);
  await response?.text().catch(() => {});
  return response?.status === 200;
}

/**
 * How long after `endedAt` the service was ready and began to answer a row of requests with success, in milliseconds; null
 * when that did not come in time.
 */
export async function checkRecovery(parts: {
  round: Round;
  ready: () => Promise<boolean>;
  question: () => Question;
  endedAt: number;
}): Promise<number | null> {
  const { endedAt } = parts;
  for (;;) {
    const since = performance.now() - endedAt;
    if (since > recoveryTime) return null;
    if ((await parts.ready()) && (await succeedsInRow(parts.round, parts.question))) return since;
    await delay(50);
  }
}

async function succeedsInRow(round: Round, question: () => Question): Promise<boolean> {
  for (let n = 0; n < successesInRow; n++) {
    const answer = await round.ask(question());
    if (answer === null || answer.status >= 300) return false;
  }
  return true;
}

/**
 * Inspects the sessions of the service after the last write. Soon none is in a transaction that waits for the service
 * or has written something. None runs a statement for long.
 */
export async function checkSessions(url: string, round: Round): Promise<void> {
  const until = performance.now() + transactionTime;
  for (;;) {
    const busy = await ask<{ state: string; seconds: number; query: string }>(url, busySessions);
    if (busy.length === 0) return;
    if (performance.now() > until) {
      for (const { state, seconds, query } of busy)
        round.recordFinding(
          'session left in a transaction',
          `${state} for ${seconds.toFixed(1)} s: ${query}`,
        );
      return;
    }
    await delay(50);
  }
}

const busySessions = `
  SELECT state, extract(epoch FROM clock_timestamp() - query_start)::float AS seconds, left(query, 60) AS query
  ${serviceSessions} AND (state LIKE 'idle in transaction%' OR backend_xid IS NOT NULL
    OR state = 'active' AND clock_timestamp() - query_start > '${statementTime} s')`;
