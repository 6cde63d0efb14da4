import { User } from '@kontor/contract';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { companyOf } from '../../http/route.ts';
import { csvFile } from '../../lib/row-file.ts';
import { slicesOfRows } from '../../query/rows.ts';
import { recordExport } from '../../write/writes.ts';
import { userOperations, type UserParts } from './operations.ts';
import { userSessionHandlers } from './sessions/user-sessions.ts';
import { userList, userRows } from './store.ts';

export function portalUserHandlers(parts: UserParts): HandlersOf<'portal', 'Users'> {
  const users = userOperations(parts);
  return {
    listPortalUsers: users.list,
    exportPortalUsers: call => exportUsers(parts, call),
    createPortalUser: users.create,
    getPortalUser: users.get,
    updatePortalUser: users.update,
    deletePortalUser: users.remove,
    invitePortalUser: users.invite,
    deactivatePortalUser: users.deactivate,
    reactivatePortalUser: users.reactivate,
    ...userSessionHandlers(parts),
  };
}

const exportedColumns = (Object.keys(User.properties) as (keyof User)[]).filter(
  name => name !== 'organizationId',
);

async function exportUsers(
  { reads, writes }: UserParts,
  call: CallOf<'exportPortalUsers'>,
): Promise<AnswerOf<'exportPortalUsers'>> {
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
