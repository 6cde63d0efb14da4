import { Counter, Gauge, type Registry } from 'prom-client';
import type { WaitingMails } from './store.ts';

/** What is measured of the mails of this process. */
export interface MailMetrics {
  looked(waiting: readonly WaitingMails[]): void;
  sent(): void;
  failed(): void;
  gaveUp(): void;
}

/** Registers the metrics of the mails, which are there from the start on. */
export function createMailMetrics(registry: Registry): MailMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const waiting = gauge('kontor_mails_waiting', 'Mails that waited to be sent when this process last looked');
  const oldest = gauge(
    'kontor_mail_oldest_seconds',
    'How long the first of them had waited then; 0 when there were none',
  );
  const sent = counter('kontor_mails_sent_total', 'Mails that the mail server took from this process');
  const failed = counter(
    'kontor_mail_attempts_failed_total',
    'Attempts of this process to send a mail that failed',
  );
  const gaveUp = counter(
    'kontor_mails_given_up_total',
    'Mails that this process gave up: they will not be sent',
  );
  return {
    looked(found) {
      waiting.set(found.reduce((sum, { count }) => sum + count, 0));
      const first = Math.min(Date.now(), ...found.map(({ since }) => since.getTime()));
      oldest.set((Date.now() - first) / 1000);
    },
    sent: () => sent.inc(),
    failed: () => failed.inc(),
    gaveUp: () => gaveUp.inc(),
  };
}
