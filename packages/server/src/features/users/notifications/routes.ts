import {
  getNotificationSettings,
  type NotificationSettings,
  readNotifications,
  unprocessable,
  updateNotificationSettings,
} from '@kontor/contract';
import { type CallOf, implement } from '../../../http/implement.ts';
import { type Call, type OkAnswer, ok, type Route, type RouteParts } from '../../../http/route.ts';
import { notifiedKinds, offeredKinds } from '../../../mail/notification-kinds.ts';
import type { UserRef } from '../rules.ts';
import { sessionEnded } from '../sessions/store.ts';
import { findNotifications, type StoredNotifications, updateChoices, updateReadUntil } from './store.ts';

interface Parts extends RouteParts {
  /** Whether a mail server is set. */
  readonly mailsAreSent: boolean;
}

/** The notifications of the caller; `GET /summary` has the items. */
export function notificationRoutes(parts: Parts): Route[] {
  return [
    implement(getNotificationSettings, async call => {
      const stored = (await findNotifications(parts.reads, userOf(call))) ?? sessionEnded();
      return ok(JSON.stringify(settingsOf(parts, stored)));
    }),
    implement(updateNotificationSettings, call => update(parts, call)),
    implement(readNotifications, async call => {
      const until = await parts.writes.runWithoutClock(call, write => {
        const instant = new Date(Math.min(Date.parse(call.body.until), write.at.getTime()));
        updateReadUntil(write, call.caller.actor.id, instant);
        return instant;
      });
      return ok(JSON.stringify({ until: until.toISOString() }));
    }),
  ];
}

function userOf({ scope, caller }: Call): UserRef {
  return { organizationId: scope.organizationId, userId: caller.actor.id };
}

function settingsOf({ mailsAreSent }: Parts, stored: StoredNotifications): NotificationSettings {
  return {
    mailsAreSent,
    byMail: stored.byMail,
    offered: offeredKinds(stored),
    chosen: notifiedKinds(stored, stored.held),
  };
}

/** Choices about kinds that the permissions do not offer stay as they are, in case they come back. */
async function update(parts: Parts, call: CallOf<typeof updateNotificationSettings>): Promise<OkAnswer> {
  const user = userOf(call);
  const settings = await parts.writes.runWithoutClock(
    call,
    async (write, session) => {
      const stored = (await findNotifications(session, user)) ?? sessionEnded();
      const before = settingsOf(parts, stored);
      const { byMail = before.byMail, chosen = before.chosen } = call.body;
      const stray = chosen.find(kind => !before.offered.includes(kind));
      if (stray) throw unprocessable(`chosen: ${stray} needs another permission; leave it out`);
      const after = { ...before, byMail, chosen: before.offered.filter(kind => chosen.includes(kind)) };
      const fields = (['byMail', 'chosen'] as const).filter(
        name => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
      );
      const kept = (kinds: readonly string[]) =>
        kinds.filter(kind => !before.offered.some(offered => offered === kind));
      const choices = fields.includes('chosen')
        ? {
            chosen: [...kept(stored.chosen), ...after.chosen],
            declined: [...kept(stored.declined), ...before.offered.filter(kind => !chosen.includes(kind))],
          }
        : stored;
      if (fields.length > 0) updateChoices(write, user.userId, { ...choices, byMail }, fields);
      return after;
    },
    [user.userId],
  );
  return ok(JSON.stringify(settings));
}
