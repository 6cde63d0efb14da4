import { Gauge, type Registry } from 'prom-client';
import { sql } from '../../../db/sql.ts';
import type { Job } from '../../../jobs/job.ts';
import { mailText } from '../../../mail/text.ts';
import { expectedInterval, hasNoRecentActivity, lastActivity, overdueFrom } from '../activity.ts';
import { healthState } from '../health-state.ts';
import { countKeys, type KeyNotice, noticeJob, type Notify } from './notice.ts';

/**
 * A failing key has no success either, but is not reported again in the pause that it was reported in as failing. A key that is being
 * replaced may be given up: its successor is watched.
 */
export const noRecentActivity: KeyNotice = {
  name: 'key_no_recent_activity',
  column: 'no_recent_activity_reported_at',
  applies: organization => sql`(${hasNoRecentActivity(organization)}
    AND ${healthState(organization)} IN ('failing', 'no_recent_activity'))`,
  isMissing: () =>
    sql`coalesce(greatest(k.no_recent_activity_reported_at, k.failing_reported_at) < ${lastActivity}, true)`,
  dueFrom: overdueFrom,
  instant: lastActivity,
  action: 'key.no_recent_activity',
  auditedFor: 'all keys',
  words: {
    en: {
      subject: ({ length }) =>
        length === 1
          ? mailText`An API key has no recent activity`
          : mailText`${length} API keys have no recent activity`,
      paragraph: mailText`No request with these API keys of Kontor has succeeded for longer than usual. Are the systems that use them still running?`,
      each: (at, health) =>
        health === 'failing'
          ? mailText`Failing, no success since ${at} (UTC)`
          : mailText`No recent activity, no success since ${at} (UTC)`,
      closing: [
        mailText`You are notified once about each pause. The page of a key shows its last requests, its errors, and its expected interval.`,
      ],
    },
    de: {
      subject: ({ length }) =>
        length === 1
          ? mailText`Keine Aktivität eines API-Schlüssels`
          : mailText`Keine Aktivität von ${length} API-Schlüsseln`,
      paragraph: mailText`mit diesen API-Schlüsseln von Kontor war länger als üblich keine Anfrage erfolgreich. Laufen die Systeme noch, die sie verwenden?`,
      each: (at, health) =>
        health === 'failing'
          ? mailText`Anfragen schlagen fehl, kein Erfolg seit ${at} Uhr (UTC)`
          : mailText`Keine Aktivität, kein Erfolg seit ${at} Uhr (UTC)`,
      closing: [
        mailText`Sie werden über jede Pause einmal benachrichtigt. Die Seite eines Schlüssels zeigt die letzten Anfragen, die Fehler und das erwartete Intervall.`,
      ],
    },
  },
};

/** Max uptime in seconds that is required before a key is reported. */
const maxWait = 3600;

/** Measures how long this process could receive requests without a break. Long gaps between the job's inspections count as breaks. */
export class Uptime {
  readonly #gap: number;
  readonly #now: () => number;
  #since: number | null = null;
  #last = 0;

  /**
   * @param gap milliseconds between two inspections that count as a break
   * @param now a clock in milliseconds, of any origin
   */
  constructor(gap: number, now: () => number = () => performance.now()) {
    this.#gap = gap;
    this.#now = now;
  }

  /** Whole seconds since the first inspection after the last break. */
  get seconds(): number {
    const now = this.#now();
    return this.#since === null || now - this.#last > this.#gap ? 0 : Math.floor((now - this.#since) / 1000);
  }

  /** Called after an inspection that the database has answered. */
  record(): void {
    const now = this.#now();
    if (this.#since === null || now - this.#last > this.#gap) this.#since = now;
    this.#last = now;
  }
}

/**
 * Reports each key without recent activity once, and exports their number as a metric. After an outage every key is overdue. A key is
 * therefore reported only after an uptime of its expected interval, at most an hour.
 */
export function noRecentActivityJob(registry: Registry, notify: Notify, uptime: Uptime): Job {
  const quiet = new Gauge({
    name: 'kontor_keys_without_recent_activity',
    help: 'Active API keys without a successful request within their expected interval, at the last inspection',
    registers: [registry],
  });
  const notice: KeyNotice = {
    ...noRecentActivity,
    isMissing: organization => sql`(${noRecentActivity.isMissing(organization)}
      AND least(${expectedInterval(organization)}, ${maxWait}::int) <= ${uptime.seconds}::int)`,
  };
  return {
    ...noticeJob(notice, notify),
    async inspect(db) {
      const found = await countKeys(db, notice);
      uptime.record();
      quiet.set(found.reduce((sum, { applying }) => sum + applying, 0));
      return found.filter(({ count }) => count > 0);
    },
  };
}
