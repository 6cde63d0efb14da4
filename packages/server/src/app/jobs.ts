import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { resourceTypes } from '../consistency/resource-types.ts';
import { documentUpgrade } from '../jobs/documents.ts';
import { startClockworks } from '../jobs/start.ts';
import type { Database } from '../db/connect.ts';
import { auditRemoval } from '../features/audit/retention.ts';
import { keyReminders } from '../features/keys/expiry-reminders/job.ts';
import { keyReminderMail } from '../features/keys/expiry-reminders/mail.ts';
import { keyRemovals } from '../features/keys/usage/removal.ts';
import { noRecentActivityJob, Uptime } from '../features/keys/no-recent-activity/job.ts';
import { noRecentActivityMail, reportByMail } from '../features/keys/no-recent-activity/mail.ts';
import { orderClockworks } from '../features/orders/jobs.ts';
import { linkMails } from '../features/users/mails.ts';
import type { MailSettings } from '../mail/settings.ts';
import { startMails } from '../mail/start.ts';
import type { Writes } from '../write/writes.ts';

/** Seconds between two looks for mails at most: somebody may be waiting for one. */
const mailInterval = 5;

/** What the service does by itself stands on. */
interface Parts {
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Null: no mails are sent. */
  readonly mails: MailSettings | null;
  /** Seconds from one look to the next. */
  readonly interval: number;
}

/** Starts what the service does by itself, until it is disposed of: the clockworks, and the sending of mails. */
export function startBackground(parts: Parts): AsyncDisposable {
  const started = new AsyncDisposableStack();
  const clockworks = startClockworks(clockworksOf(parts), parts);
  started.defer(() => clockworks.stop());
  const { mails, pepper, interval, ...rest } = parts;
  if (mails === null) return started;
  const kinds = [
    ...linkMails({ pepper, publicUrl: mails.publicUrl }),
    noRecentActivityMail(mails),
    keyReminderMail(mails.publicUrl),
  ];
  const sending = startMails({ ...rest, settings: mails, kinds, interval: Math.min(interval, mailInterval) });
  started.defer(() => sending.stop());
  return started;
}

function clockworksOf({ registry, mails, interval }: Parts) {
  const noRecentActivity = noRecentActivityJob(
    registry,
    mails === null ? async () => {} : reportByMail,
    new Uptime(Math.max(600_000, 3000 * interval)),
  );
  const reminders = mails === null ? [] : [keyReminders];
  const upgrades = resourceTypes.filter(({ docVersion }) => docVersion > 1).map(documentUpgrade);
  return [...orderClockworks, auditRemoval, noRecentActivity, ...keyRemovals, ...reminders, ...upgrades];
}
