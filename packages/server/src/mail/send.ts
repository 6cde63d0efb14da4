import { whileAlone } from '../db/alone.ts';
import type { Database } from '../db/connect.ts';
import { system, type WriteRequest, type Writes } from '../write/writes.ts';
import type { AnyMailKind, Letter, Recipient } from './kind.ts';
import { messageOf } from './message.ts';
import type { MailSettings } from './settings.ts';
import { deliver, SmtpFailure, type stepDeadlines } from './smtp.ts';
import * as store from './store.ts';

/** What sending stands on. */
export interface SendingParts {
  readonly database: Pick<Database, 'reads' | 'target'>;
  readonly writes: Writes;
  readonly settings: MailSettings;
  readonly kinds: readonly AnyMailKind[];
  /** Milliseconds of each step; else the usual ones. */
  readonly deadlines?: typeof stepDeadlines;
  /** When it is aborted the run ends with the mail under way. */
  readonly signal: AbortSignal;
}

/** Which mail it was, without whom it went to. */
export interface MailName {
  readonly organizationId: string;
  readonly mail: string;
  readonly kind: string;
}

/** What is told of a run. */
export interface SendingEvents {
  readonly looked: (waiting: readonly store.WaitingMails[]) => void;
  readonly sent: (mail: MailName) => void;
  /** An attempt failed. */
  readonly failed: (mail: MailName, error: unknown) => void;
  /** It will not be tried again. */
  readonly gaveUp: (mail: MailName) => void;
}

/** Mails of an organization that are sent before the others have their turn. */
const atOnce = 20;

/** Seconds until the second attempt, how much longer each following pause is, and the longest one. */
const pauses = { first: 30, factor: 4, longest: 4 * 3600 };

/** When an attempt follows that fails at an instant as the `attempt`-th, which is 1 at first. */
export function nextAttempt(at: Date, attempt: number): Date {
  const seconds = Math.min(pauses.longest, pauses.first * pauses.factor ** (attempt - 1));
  return new Date(at.getTime() + seconds * 1000);
}

/**
 * Sends what is due in all organizations, by turns, unless another process is at it. An attempt is noted before it is made: so a mail that a
 * process was killed over is tried again after its pause, and no two processes ever make the same attempt.
 * @throws those of the database; SmtpFailure when the mail server takes nothing now
 */
export async function sendMails(parts: SendingParts, events: SendingEvents): Promise<void> {
  const { reads, target } = parts.database;
  const waiting = await store.waitingMails(reads);
  events.looked(waiting);
  const organizations = waiting.filter(({ due }) => due > 0).map(({ organizationId }) => organizationId);
  if (organizations.length === 0) return;
  const wasAlone = await whileAlone(target, 'mail', stillAlone =>
    sendRounds(organizations, { ...parts, stillAlone }, events),
  );
  if (wasAlone && !parts.signal.aborted) events.looked(await store.waitingMails(reads));
}

type Sending = SendingParts & { readonly stillAlone: () => Promise<void> };

/** By rounds, so that no organization waits for all the mails of another one. */
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
      const ids = await store.dueMails(sending.database.reads, organizationId, { kinds, max: atOnce });
      for (const id of ids) {
        if (sending.signal.aborted) return;
        await sending.stillAlone();
        await sendMail(sending, { organizationId, id }, events);
      }
      if (ids.length === atOnce) more.push(organizationId);
    }
    left = more;
  }
}

/** Makes an attempt, unless there is nothing to be sent any more. @throws SmtpFailure when it is not about this mail. */
async function sendMail(
  sending: Sending,
  { organizationId, id }: { organizationId: string; id: string },
  events: SendingEvents,
): Promise<void> {
  const request: WriteRequest = { organizationId, author: system, authority: null, dryRunAt: null };
  const begun = await begin(sending.writes, request, id);
  if (begun === null) return;
  const { mail, nextAt } = begun;
  const name = { organizationId, mail: id, kind: mail.kind };
  if (nextAt === null) return events.gaveUp(name);
  const remove = () => sending.writes.runUnordered(request, turn => store.removeMail(turn, id));
  try {
    const written = await write(sending, organizationId, mail);
    if (written === null) return await remove();
    const { settings, deadlines, signal } = sending;
    const of = { settings, id: `${id}.${organizationId}`, queuedAt: mail.queuedAt };
    const message = await messageOf(written.letter, written.to, of);
    await deliver(settings, message, { signal, ...(deadlines && { deadlines }) });
  } catch (error) {
    events.failed(name, error);
    if ((error instanceof SmtpFailure && error.isFinal) || nextAt >= mail.expiresAt) {
      await sending.writes.runUnordered(request, turn => store.giveUpMail(turn, mail));
      events.gaveUp(name);
    }
    if (error instanceof SmtpFailure && !error.isOfMail) throw error;
    return;
  }
  await remove();
  events.sent(name);
}

/** Notes an attempt, or that there will be none (`nextAt` is null); null when the mail is gone, or somebody else is at it. */
function begin(
  writes: Writes,
  request: WriteRequest,
  id: string,
): Promise<{ mail: store.StoredMail; nextAt: Date | null } | null> {
  return writes.runUnordered(request, async (turn, session) => {
    const mail = await store.lockDueMail(session, turn, id);
    if (mail === null) return null;
    if (mail.expiresAt <= turn.at) {
      store.giveUpMail(turn, mail);
      return { mail, nextAt: null };
    }
    const nextAt = nextAttempt(turn.at, mail.attempts + 1);
    store.beginAttempt(turn, mail, nextAt);
    return { mail, nextAt };
  });
}

/** What a mail says now and to whom; null when there is nothing to say any more. */
async function write(
  { kinds, database: { reads } }: Sending,
  organizationId: string,
  { kind: name, userId, details }: store.StoredMail,
): Promise<{ letter: Letter; to: Recipient } | null> {
  const to = await store.findRecipient(reads, organizationId, userId);
  const letter = to && (await kinds.find(kind => kind.name === name)!.write(reads, to, details));
  return letter && { letter, to };
}
