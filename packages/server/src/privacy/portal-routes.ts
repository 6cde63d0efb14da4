import type { EmployeeErasure } from '@kontor/contract';
import type { HandlersOf } from '../http/handlers.ts';
import { ok } from '../http/route.ts';
import { requestOf } from '../write/writes.ts';
import { createErasure, type Erasability, findErasability } from './erase.ts';
import { dayOf, exportEmployee, findExisting, type Parts } from './platform-routes.ts';

/** The data-subject requests of employees in the scope of the user's permission HR. */
export function portalDataSubjectHandlers(parts: Parts): HandlersOf<'portal', 'Data subjects'> {
  const { database, writes, files } = parts;
  const { reads } = database;
  return {
    exportPortalEmployee: call => exportEmployee(parts, call),
    async getPortalEmployeeErasure(call) {
      const key = await findExisting(reads, call);
      return ok(JSON.stringify(erasureOf(await findErasability(reads, key, dayOf(call)))));
    },
    async erasePortalEmployee(call) {
      const key = await findExisting(reads, call);
      const erased = await writes.runOrdered(requestOf(call), createErasure(files.store, key));
      return ok(JSON.stringify(erasureOf({ ...erased, holds: [], from: null })));
    },
  };
}

function erasureOf({ holds, from, erasedAt: _shown, ...counts }: Erasability): EmployeeErasure {
  return {
    possible: holds.length === 0,
    possibleFrom: holds.length === 0 ? null : from,
    holds: holds.map(({ kind, subject, until }) => ({ kind, subject, until })),
    ...counts,
  };
}
