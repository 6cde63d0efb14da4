import type { Logger } from 'pino';
import { describeCause } from '../telemetry/cause.ts';
import { Counter, Gauge, type Registry } from 'prom-client';
import { repeat, type Repetition } from '../lib/concurrency/interval.ts';
import { readMaintenance } from '../write/writes.ts';
import { type SendingEvents, type SendingParts, sendMails } from './send.ts';
import { SmtpFailure } from './smtp.ts';

/** Sends mails as they come, at once and then in each interval (seconds), until it is stopped. */
export function startMails({
  logger,
  registry,
  interval,
  ...parts
}: Omit<SendingParts, 'signal'> & {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly interval: number;
}): Repetition {
  const events = reportTo(logger, registry);
  const send = async (signal: AbortSignal) => {
    // An attempt could not be recorded.
    if ((await readMaintenance(parts.database.reads)) === null) await sendMails({ ...parts, signal }, events);
  };
  return repeat(send, {
    interval: interval * 1000,
    failed(error) {
      // A failed attempt is logged already.
      if (error instanceof SmtpFailure) return;
      logger.warn({ cause: causeOf(error) }, 'a run that sends mails failed; the next one continues');
    },
  });
}

/** Logs and counts the mails of this process. The metrics exist from the start on. */
function reportTo(logger: Logger, registry: Registry): SendingEvents {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const waiting = gauge('kontor_mails_waiting', 'Unsent mails at the last inspection by this process');
  const oldest = gauge(
    'kontor_mail_oldest_seconds',
    'Age of the oldest unsent mail at the last inspection; 0 without one',
  );
  const sent = counter('kontor_mails_sent_total', 'Mails accepted by the mail server');
  const failed = counter('kontor_mail_attempts_failed_total', 'Failed attempts to send a mail');
  const gaveUp = counter('kontor_mails_given_up_total', 'Mails that were given up and will not be sent');
  return {
    inspected(found) {
      waiting.set(found.reduce((sum, { count }) => sum + count, 0));
      const first = Math.min(Date.now(), ...found.map(({ since }) => since.getTime()));
      oldest.set((Date.now() - first) / 1000);
    },
    sent(mail) {
      sent.inc();
      logger.info(mail, 'a mail was sent');
    },
    failed(mail, error) {
      failed.inc();
      logger.warn({ ...mail, cause: causeOf(error) }, 'a mail could not be sent yet');
    },
    gaveUp(mail) {
      gaveUp.inc();
      logger.error(mail, 'a mail was given up: it will not be sent');
    },
  };
}

/** Describes an error for the log, without the reply of the mail server, which may name an address. */
function causeOf(error: unknown): object {
  if (!(error instanceof SmtpFailure)) return describeCause(error);
  const { name: type, step, code, command, reply } = error;
  return { type, step, code, command, reply };
}
