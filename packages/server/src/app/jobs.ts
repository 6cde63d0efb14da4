import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { resourceTypes } from '../consistency/resource-types.ts';
import { documentUpgrade } from '../jobs/documents.ts';
import { idempotencyKeyRemoval } from '../jobs/idempotency-keys.ts';
import type { BackgroundJobs } from '../jobs/background.ts';
import { startJobs } from '../jobs/start.ts';
import type { Pepper } from '../auth/secrets.ts';
import type { Database } from '../db/connect.ts';
import { auditRemoval } from '../features/audit/retention.ts';
import { employeeChangeRemoval } from '../features/employees/history.ts';
import { employeeImportRemoval } from '../features/employees/portal-import/removal.ts';
import { expiryReminder } from '../features/keys/notices/expiry.ts';
import {
  noRecentActivity,
  noRecentActivityJob,
  Uptime,
} from '../features/keys/notices/no-recent-activity.ts';
import { failingKey, keyRecovery } from '../features/keys/notices/failing.ts';
import { noticeJob, noticeMail, notifyByMail } from '../features/keys/notices/notice.ts';
import { keyRemovals } from '../features/keys/usage/removal.ts';
import { orderJobs } from '../features/orders/jobs.ts';
import { linkMails } from '../features/users/mails.ts';
import { type DailyTime, digestJob, digestMail } from '../features/users/notifications/digest.ts';
import type { NamedMailKind } from '../mail/kind.ts';
import type { MailSettings } from '../mail/smtp.ts';
import { startMails } from '../mail/start.ts';
import type { Writes } from '../write/writes.ts';
import { notificationSources } from './notifications.ts';

/** Maximum of seconds between two searches for mails, as a user may be waiting for one. */
const mailInterval = 5;

/** Maximum of seconds between two searches for background jobs of other processes, such as one that was killed. */
const backgroundInterval = 5;

interface Parts {
  readonly jobs: BackgroundJobs;
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly pepper: Pepper;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Null: no mails are sent. */
  readonly mails: MailSettings | null;
  /** Seconds between two runs. */
  readonly interval: number;
  /** When users get the digest of their notifications. */
  readonly digestTime: DailyTime;
}

/** Starts the scheduled jobs and the sending of mails. Dispose of it to stop them. */
export function startBackground(parts: Parts): AsyncDisposable {
  const started = new AsyncDisposableStack();
  const scheduled = startJobs(jobsOf(parts), parts);
  started.defer(() => scheduled.stop());
  const { jobs, mails, pepper, interval, digestTime: _, ...rest } = parts;
  const queued = jobs.start(Math.min(interval, backgroundInterval) * 1000);
  started.defer(() => queued.stop());
  if (mails === null) return started;
  const kinds: readonly NamedMailKind<any>[] = [
    ...linkMails({ pepper, publicUrl: mails.publicUrl }),
    noticeMail(noRecentActivity, mails.publicUrl),
    noticeMail(expiryReminder, mails.publicUrl),
    noticeMail(failingKey, mails.publicUrl),
    digestMail(notificationSources, mails.publicUrl),
  ];
  const sending = startMails({ ...rest, settings: mails, kinds, interval: Math.min(interval, mailInterval) });
  started.defer(() => sending.stop());
  return started;
}

function jobsOf({ registry, mails, interval, digestTime }: Parts) {
  const activity = noRecentActivityJob(
    registry,
    mails === null ? async () => new Set() : notifyByMail(noRecentActivity),
    new Uptime(Math.max(600_000, 3000 * interval)),
  );
  // Also without a mail server: the portal shows these keys.
  const failing = noticeJob(failingKey, mails === null ? async () => new Set() : notifyByMail(failingKey));
  const reminders =
    mails === null ? [] : [noticeJob(expiryReminder, notifyByMail(expiryReminder)), digestJob(digestTime)];
  const upgrades = resourceTypes.filter(({ docVersion }) => docVersion > 1).map(documentUpgrade);
  return [
    ...orderJobs,
    auditRemoval,
    employeeChangeRemoval,
    employeeImportRemoval,
    idempotencyKeyRemoval,
    failing,
    keyRecovery,
    activity,
    ...keyRemovals,
    ...reminders,
    ...upgrades,
  ];
}
