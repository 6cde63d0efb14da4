import {
  createPortalUser,
  deactivatePortalUser,
  deletePortalUser,
  exportPortalUsers,
  getPortalUser,
  invitePortalUser,
  listPortalUsers,
  reactivatePortalUser,
  updatePortalUser,
  User,
} from '@kontor/contract';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { companyOf, type Route } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import { slicesOfRows } from '../../query/rows.ts';
import { recordExport } from '../../write/writes.ts';
import { userOperations, type UserParts } from './operations.ts';
import { userSessionRoutes } from './sessions/user-sessions.ts';
import { userList, userRows } from './store.ts';

export function portalUserRoutes(parts: UserParts): Route[] {
  const users = userOperations(parts);
  return [
    implement(listPortalUsers, users.list),
    implement(exportPortalUsers, call => exportUsers(parts, call)),
    implement(createPortalUser, users.create),
    implement(getPortalUser, users.get),
    implement(updatePortalUser, users.update),
    implement(deletePortalUser, users.remove),
    implement(invitePortalUser, users.invite),
    implement(deactivatePortalUser, users.deactivate),
    implement(reactivatePortalUser, users.reactivate),
    ...userSessionRoutes(parts),
  ];
}

const exportedColumns = (Object.keys(User.properties) as (keyof User)[]).filter(
  name => name !== 'organizationId',
);

async function exportUsers(
  { reads, writes }: UserParts,
  call: CallOf<typeof exportPortalUsers>,
): Promise<AnswerOf<typeof exportPortalUsers>> {
  const slices = slicesOfRows(
    userList,
    userRows(call.scope.organizationId, companyOf(call)),
    call.list,
    reads,
  );
  const stream = await csvFile(slices, exportedColumns, 'spreadsheet');
  await recordExport(writes, call, 'user.export');
  return { status: 200, file: { stream, fileName: 'users.csv', mediaType: 'text/csv', size: null } };
}
