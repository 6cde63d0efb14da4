import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { describeCause } from '../telemetry/log.ts';
import { repeat, type Repetition } from '../lib/interval.ts';
import { createMailMetrics } from './metrics.ts';
import { type SendingParts, sendMails } from './send.ts';
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
  const metrics = createMailMetrics(registry);
  const run = (signal: AbortSignal) =>
    sendMails(
      { ...parts, signal },
      {
        looked: metrics.looked,
        sent(mail) {
          metrics.sent();
          logger.info(mail, 'a mail was sent');
        },
        failed(mail, error) {
          metrics.failed();
          logger.warn({ ...mail, cause: causeOf(error) }, 'a mail could not be sent yet');
        },
        gaveUp(mail) {
          metrics.gaveUp();
          logger.error(mail, 'a mail was given up: it will not be sent');
        },
      },
    );
  const failed = (error: unknown) => {
    // An attempt that failed is logged already.
    if (!(error instanceof SmtpFailure))
      logger.warn({ cause: causeOf(error) }, 'mails wait: a run ended early, and goes on with the next one');
  };
  return repeat(run, { interval: interval * 1000, failed });
}

/** What the log may hold: what a mail server says may name an address. */
function causeOf(error: unknown): object {
  if (!(error instanceof SmtpFailure)) return describeCause(error);
  const { name: type, step, code, command, reply } = error;
  return { type, step, code, command, reply };
}
