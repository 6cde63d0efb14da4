import { ApiError, endUserSession, endUserSessions, listUserSessions } from '@kontor/contract';
import { implement } from '../../../http/implement.ts';
import { ok, type Route, type RouteParts } from '../../../http/route.ts';
import { pageOfRows } from '../../../query/rows.ts';
import type { Write } from '../../../write/writes.ts';
import { readUser, type UserCall } from '../routes.ts';
import {
  deleteSession,
  findOtherSessionIds,
  findOwnSession,
  sessionList,
  type SessionRef,
  sessionRows,
} from './store.ts';

/** The sessions of any user of the organization, for its administrators. */
export function userSessionRoutes({ reads, writes }: RouteParts): Route[] {
  return [
    implement(listUserSessions, async call => {
      await readUser(reads, call);
      return ok(await pageOfRows(sessionList, sessionRows(sessionsOf(call)), call, reads));
    }),
    implement(endUserSession, async call => {
      const { id, sessionId } = call.parameters;
      const session = await findOwnSession(reads, sessionsOf(call), sessionId);
      if (!session) throw new ApiError('NOT_FOUND', 'The user has no session with this id');
      await writes.runWithoutClock(call, write => endSessions(write, id, [sessionId]), [id]);
      return ok(JSON.stringify(session));
    }),
    implement(endUserSessions, async call => {
      const { id } = call.parameters;
      await readUser(reads, call);
      // A sign-in locks the user, too, so no other session begins during this transaction.
      const user = await writes.runWithoutClock(
        call,
        async (write, db) => {
          endSessions(write, id, await findOtherSessionIds(db, sessionsOf(call)));
          return readUser(db, call);
        },
        [id],
      );
      return ok(JSON.stringify(user));
    }),
  ];
}

/** The sessions of the user in the path. The one of the request is marked if it is among them. */
function sessionsOf({ caller, scope, parameters }: UserCall): SessionRef {
  return {
    organizationId: scope.organizationId,
    userId: parameters.id,
    sessionId: caller.session!.id,
  };
}

/** The entries of the sessions do not name their user. */
function endSessions(write: Write, userId: string, ids: readonly string[]): void {
  for (const id of ids) deleteSession(write, id);
  if (ids.length > 0) write.audit({ id: userId, action: 'user.sign_out' });
}
