import type { Counting } from '../../lib/counting.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { countInvitation } from './attempts.ts';
import { userOperations, type UserParts } from './operations.ts';

/** Invitations are rate-limited because they send mails to addresses that a portal user enters. */
export function portalUserHandlers(
  parts: UserParts,
  { counting }: { counting: Counting },
): HandlersOf<'portal', 'Users'> {
  const users = userOperations(parts);
  return {
    listPortalUsers: users.list,
    async createPortalUser(call) {
      await countInvitation(counting, call.scope.organizationId);
      return users.create(call);
    },
    getPortalUser: users.get,
    updatePortalUser: users.update,
    deletePortalUser: users.remove,
    async invitePortalUser(call) {
      await countInvitation(counting, call.scope.organizationId, call.parameters.id);
      return users.invite(call);
    },
    deactivatePortalUser: users.deactivate,
    reactivatePortalUser: users.reactivate,
  };
}
