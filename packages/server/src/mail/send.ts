import { withProcessLock } from '../db/process-lock.ts';
import type { Database } from '../db/connect.ts';
import { callOf, findClosedOrganizations, system, type WriteCall, type Writes } from '../write/writes.ts';
import type { AnyMailKind, Letter, Recipient } from './kind.ts';
import { messageOf } from './message.ts';
import type { MailSettings } from '../mail/smtp.ts';
import { deliver, SmtpFailure, type stepDeadlines } from './smtp.ts';
import * as store from './store.ts';

export interface SendingParts {
  readonly database: Pick<Database, 'reads' | 'target'>;
  readonly writes: Writes;
  readonly settings: MailSettings;
  readonly kinds: readonly AnyMailKind[];
  /** Milliseconds of each step; absent: the usual ones. */
  readonly deadlines?: typeof stepDeadlines;
  /** When it is aborted, the run ends with the mail that is being sent. */
  readonly signal: AbortSignal;
}

/** Names a mail without its recipient. */
export interface MailName {
  readonly organizationId: string;
  readonly mail: string;
  readonly kind: string;
}

/** Called during a run. */
export interface SendingEvents {
  readonly inspected: (waiting: readonly store.WaitingMails[]) => void;
  readonly sent: (mail: MailName) => void;
  /** An attempt failed. */
  readonly failed: (mail: MailName, error: unknown) => void;
  /** It will not be tried again. */
  readonly gaveUp: (mail: MailName) => void;
}

/** Mails of an organization that are sent before those of the next one. */
const atOnce = 20;

/** Seconds until the second attempt, how much longer each following pause is, and the longest one. */
const pauses = { first: 30, factor: 4, longest: 4 * 3600 };

/** Returns when the next attempt follows one that began at an instant; the first `attempt` is 1. */
export function nextAttempt(at: Date, attempt: number): Date {
  const seconds = Math.min(pauses.longest, pauses.first * pauses.factor ** (attempt - 1));
  return new Date(at.getTime() + seconds * 1000);
}

/**
 * Sends the due mails of all organizations, interleaved, unless another process does. An attempt is recorded before it is made. So a mail
 * is tried again after its pause when a process was killed, and no two processes make the same attempt.
 * @throws the errors of the database; SmtpFailure when the mail server takes no mails at present
 */
export async function sendMails(parts: SendingParts, events: SendingEvents): Promise<void> {
  const { reads, target } = parts.database;
  const waiting = await store.countWaitingMails(reads);
  events.inspected(waiting);
  const withDue = waiting.filter(({ due }) => due > 0).map(({ organizationId }) => organizationId);
  if (withDue.length === 0) return;
  const closed = await findClosedOrganizations(reads);
  const organizations = withDue.filter(id => !closed.has(id));
  if (organizations.length === 0) return;
  const hadLock = await withProcessLock(target, 'mail', checkLock =>
    sendRounds(organizations, { ...parts, checkLock }, events),
  );
  if (hadLock && !parts.signal.aborted) events.inspected(await store.countWaitingMails(reads));
}

type Sending = SendingParts & { readonly checkLock: () => Promise<void> };

/** Sends in rounds, so that no organization waits for all mails of another one. */
async function sendRounds(
  organizations: readonly string[],
  sending: Sending,
  events: SendingEvents,
): Promise<void> {
  const kinds = sending.kinds.map(({ name }) => name);
  let left = organizations;
  while (left.length > 0) {
    const more: string[] = [];
    for (const organizationId of left) {
      const ids = await store.findDueMails(sending.database.reads, organizationId, { kinds, max: atOnce });
      for (const id of ids) {
        if (sending.signal.aborted) return;
        await sending.checkLock();
        await sendMail(sending, { organizationId, id }, events);
      }
      if (ids.length === atOnce) more.push(organizationId);
    }
    left = more;
  }
}

/** Makes an attempt, unless the mail is obsolete. @throws SmtpFailure when it is not about this mail. */
async function sendMail(
  sending: Sending,
  { organizationId, id }: { organizationId: string; id: string },
  events: SendingEvents,
): Promise<void> {
  const call = callOf(organizationId, system);
  const begun = await begin(sending.writes, call, id);
  if (begun === null) return;
  const { mail, nextAt } = begun;
  const name = { organizationId, mail: id, kind: mail.kind };
  if (nextAt === null) return events.gaveUp(name);
  const remove = () => sending.writes.runWithoutClock(call, write => store.removeMail(write, id));
  try {
    const written = await compose(sending, organizationId, mail);
    if (written === null) return await remove();
    const { settings, deadlines, signal } = sending;
    const of = { settings, id: `${id}.${organizationId}`, queuedAt: mail.queuedAt };
    const message = await messageOf(written.letter, written.to, of);
    await deliver(settings, message, { signal, ...(deadlines && { deadlines }) });
  } catch (error) {
    events.failed(name, error);
    if ((error instanceof SmtpFailure && error.isFinal) || nextAt >= mail.expiresAt) {
      await sending.writes.runWithoutClock(call, write => store.giveUpMail(write, mail));
      events.gaveUp(name);
    }
    if (error instanceof SmtpFailure && !error.isOfMail) throw error;
    return;
  }
  await remove();
  events.sent(name);
}

/** Records an attempt, or that there will be none (`nextAt` is null); null when the mail is gone, or another process sends it. */
function begin(
  writes: Writes,
  call: WriteCall,
  id: string,
): Promise<{ mail: store.StoredMail; nextAt: Date | null } | null> {
  return writes.runWithoutClock(call, async (write, session) => {
    const mail = await store.lockDueMail(session, write, id);
    if (mail === null) return null;
    if (mail.expiresAt <= write.at) {
      store.giveUpMail(write, mail);
      return { mail, nextAt: null };
    }
    const nextAt = nextAttempt(write.at, mail.attempts + 1);
    store.beginAttempt(write, mail, nextAt);
    return { mail, nextAt };
  });
}

/** Writes a mail from the present data; null when it is obsolete, or its recipient is gone. */
async function compose(
  { kinds, database: { reads } }: Sending,
  organizationId: string,
  { kind: name, userId, details }: store.StoredMail,
): Promise<{ letter: Letter; to: Recipient } | null> {
  const to = await store.findRecipient(reads, organizationId, userId);
  const letter = to && (await kinds.find(kind => kind.name === name)!.compose(reads, to, details));
  return letter && { letter, to };
}
