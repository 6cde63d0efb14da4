import { join, sql } from '../../../db/sql.ts';
import { mailText } from '../../../mail/text.ts';
import { isBeingReplaced } from '../health-state.ts';
import type { KeyNotice } from './notice.ts';

/** Days before the expiry at which reminders are due. Reminders missed during an outage become one. */
const reminderDays = [14, 7] as const;

const before = (days: number) => sql`make_interval(hours => ${24 * days}::int)`;

/** Keys with a shorter lifetime than that need no reminder: their creator knows the expiry. */
const isMissing = (days: number) => sql`(
  k.expires_at <= statement_timestamp() + ${before(days)} AND k.created_at <= k.expires_at - ${before(days)}
  AND coalesce(k.expiry_reminded_at < k.expires_at - ${before(days)}, true))`;

/** Two weeks and one week before a key expires. Used only with a mail server. */
export const expiryReminder: KeyNotice = {
  name: 'key_reminder',
  column: 'expiry_reminded_at',
  applies: organization => sql`
    k.status = 'active' AND NOT ${isBeingReplaced(organization)} AND k.expires_at > statement_timestamp()
    AND k.expires_at <= statement_timestamp() + ${before(Math.max(...reminderDays))}`,
  isMissing: () => sql`(${join(reminderDays.map(isMissing), ' OR ')})`,
  dueFrom: () => sql`k.expires_at - ${before(Math.min(...reminderDays))}`,
  instant: sql`k.expires_at`,
  action: 'key.remind',
  auditedFor: 'keys with contacts',
  words: {
    en: {
      subject: ([key, ...more], end) =>
        more.length === 0
          ? mailText`The API key "${key!.name}" expires on ${end}`
          : mailText`${1 + more.length} API keys expire soon`,
      paragraph: mailText`After an API key has expired, the system that uses it receives no more data. Replace the key before that. The new key has the same scope, and the old one works for a grace period that you choose.`,
      each: end => mailText`expires on ${end} (UTC)`,
    },
    de: {
      subject: ([key, ...more], end) =>
        more.length === 0
          ? mailText`Der API-Schlüssel „${key!.name}“ läuft am ${end} ab`
          : mailText`${1 + more.length} API-Schlüssel laufen bald ab`,
      paragraph: mailText`wenn ein API-Schlüssel abgelaufen ist, bekommt das System, das ihn verwendet, keine Daten mehr. Ersetzen Sie ihn vorher: Der neue Schlüssel hat denselben Zugriff, und der alte gilt noch so lange, wie Sie es festlegen.`,
      each: end => mailText`läuft am ${end} Uhr (UTC) ab`,
    },
  },
};
