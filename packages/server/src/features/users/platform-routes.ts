import type { HandlersOf } from '../../http/handlers.ts';
import { userOperations, type UserParts } from './operations.ts';

export function userHandlers(parts: UserParts): HandlersOf<'platform', 'Portal users'> {
  const users = userOperations(parts);
  return {
    listUsers: users.list,
    createUser: users.create,
    getUser: users.get,
    updateUser: users.update,
    deleteUser: users.remove,
    inviteUser: users.invite,
    deactivateUser: users.deactivate,
    reactivateUser: users.reactivate,
  };
}
