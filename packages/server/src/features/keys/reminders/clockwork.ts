import type { Clockwork } from '../../../jobs/clockwork.ts';
import { queueMail } from '../../../mail/queue.ts';
import type { Turn } from '../../../write/writes.ts';
import { type Keeper, keepersOf, readKeepers } from '../keepers.ts';
import { type KeyEnd, keyReminder } from './mail.ts';
import { type EndingKey, endingIn, endingInAll, lockEnding, noteReminders, reminderDays } from './store.ts';

/** Milliseconds of a day. */
const day = 24 * 3600 * 1000;

/** Whoever looks after a key is reminded of its end by mail: once two weeks and once a week before. Only where mails are sent. */
export const keyReminders: Clockwork = {
  name: 'key_reminder',
  look: endingInAll,
  find: endingIn,
  carryOut: (writes, request, ids) =>
    writes.runUnordered(request, async (turn, session) => {
      const due = await lockEnding(session, request.organizationId, ids);
      remind(turn, due, await readKeepers(session, request.organizationId));
      return due.length;
    }),
};

/** A mail to each user that names all keys; what a stop of the service has kept back is one reminder, not several. */
function remind(turn: Turn, due: readonly EndingKey[], users: readonly Keeper[]): void {
  const mails = new Map<string, EndingKey[]>();
  for (const key of due) {
    const passed = reminderDays.filter(days => key.expiresAt.getTime() <= turn.at.getTime() + days * day);
    noteReminders(turn, key, passed);
    const keepers = keepersOf(users, key.grants);
    for (const userId of keepers) mails.set(userId, [...(mails.get(userId) ?? []), key]);
    if (keepers.length > 0) turn.audit({ id: key.id, action: 'key.remind' });
  }
  for (const [userId, keys] of mails) {
    const ends = keys.map(({ id, expiresAt }): KeyEnd => ({ id, expiresAt: expiresAt.toISOString() }));
    queueMail(turn, {
      kind: keyReminder,
      userId,
      details: { keys: ends },
      expiresAt: keys.at(-1)!.expiresAt,
    });
  }
}
