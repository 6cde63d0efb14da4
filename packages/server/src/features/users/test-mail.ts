import {
  ApiError,
  getMailOverview,
  mailNames,
  type MailOverview,
  sendTestMail,
  type TestMailResult,
  type User,
} from '@kontor/contract';
import { newId } from '../../db/ids.ts';
import { implement } from '../../http/implement.ts';
import { ok, type Route } from '../../http/route.ts';
import type { Letter, Recipient } from '../../mail/kind.ts';
import { messageOf } from '../../mail/message.ts';
import type { MailSettings } from '../../mail/smtp.ts';
import { deliver, SmtpFailure } from '../../mail/smtp.ts';
import { findRecipient } from '../../mail/store.ts';
import { mailText } from '../../mail/text.ts';
import { checkHourlyLimit } from '../../auth/hourly-limit.ts';
import type { Writes } from '../../write/writes.ts';
import { invitationLimit } from './invitations.ts';

interface Parts {
  readonly writes: Writes;
  /** Null: no mails are sent. */
  readonly settings: MailSettings | null;
}

/** Milliseconds of each step: the administrator waits, and the pages wait for a minute. */
const deadlines = { connect: 10_000, login: 5_000, send: 10_000 };

/** The settings of the mail server are the operator's, so its name and its texts are not shown. */
export function mailRoutes({ writes, settings }: Parts): Route[] {
  return [
    implement(getMailOverview, async () => {
      const isSetUp = settings !== null;
      const overview = {
        isSetUp,
        from: settings?.from.address ?? null,
        mails: isSetUp ? [...mailNames] : [],
      };
      return ok(JSON.stringify(overview satisfies MailOverview));
    }),
    implement(sendTestMail, async call => {
      const { organizationId } = call.scope;
      const userId = call.caller.actor.id;
      // Recorded before it is sent: an attempt is never without an entry.
      const message = await writes.runWithoutClock(call, async (write, session) => {
        if (settings === null)
          throw new ApiError(
            'INVALID_STATE_TRANSITION',
            'No mail server is set; ask the operator to set one',
          );
        await checkHourlyLimit(write, session, invitationLimit, userId);
        write.audit({ id: userId, action: 'user.test_mail' });
        return { settings, to: (await findRecipient(session, organizationId, userId))! };
      });
      const result: TestMailResult = call.dryRun
        ? { outcome: 'accepted', reply: null }
        : await send(message.settings, message.to);
      return ok(JSON.stringify(result));
    }),
  ];
}

async function send(settings: MailSettings, to: Recipient): Promise<TestMailResult> {
  const message = await messageOf(letters[to.language], to, { settings, id: newId(), queuedAt: new Date() });
  try {
    await deliver(settings, message, { deadlines });
    return { outcome: 'accepted', reply: null };
  } catch (error) {
    if (error instanceof SmtpFailure) return resultOf(error);
    throw error;
  }
}

/** A server that gave no reply was not reached, in whatever step. */
function resultOf({ step, reply }: SmtpFailure): TestMailResult {
  if (reply === null || step === 'connect') return { outcome: 'unreachable', reply };
  return { outcome: step === 'login' ? 'login_rejected' : 'rejected', reply };
}

const letters: Record<User['language'], Letter> = {
  en: {
    subject: mailText`A test message from Kontor`,
    paragraphs: [
      mailText`You requested this message in the settings of your organization. Mails from Kontor reach you.`,
    ],
  },
  de: {
    subject: mailText`Testnachricht von Kontor`,
    paragraphs: [
      mailText`Sie haben diese Nachricht in den Einstellungen Ihrer Organisation angefordert. Mails von Kontor erreichen Sie.`,
    ],
  },
};
