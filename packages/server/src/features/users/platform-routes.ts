import {
  createUser,
  deactivateUser,
  deleteUser,
  getUser,
  inviteUser,
  listUsers,
  reactivateUser,
  updateUser,
} from '@kontor/contract';
import { userOperations, type UserParts } from './operations.ts';
import { implement } from '../../http/implement.ts';
import type { Route } from '../../http/route.ts';

export function userRoutes(parts: UserParts): Route[] {
  const users = userOperations(parts);
  return [
    implement(listUsers, users.list),
    implement(createUser, users.create),
    implement(getUser, users.get),
    implement(updateUser, users.update),
    implement(deleteUser, users.remove),
    implement(inviteUser, users.invite),
    implement(deactivateUser, users.deactivate),
    implement(reactivateUser, users.reactivate),
  ];
}
