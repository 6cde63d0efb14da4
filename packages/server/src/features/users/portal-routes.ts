import type { HandlersOf } from '../../http/handlers.ts';
import { userOperations, type UserParts } from './operations.ts';

export function portalUserHandlers(parts: UserParts): HandlersOf<'portal', 'Users'> {
  const users = userOperations(parts);
  return {
    listPortalUsers: users.list,
    createPortalUser: users.create,
    getPortalUser: users.get,
    updatePortalUser: users.update,
    deletePortalUser: users.remove,
    invitePortalUser: users.invite,
    deactivatePortalUser: users.deactivate,
    reactivatePortalUser: users.reactivate,
  };
}
