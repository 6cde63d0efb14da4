import type { Queryable } from '../../db/session.ts';
import { CommandError } from '../command.ts';
import { readAnyDocument } from '../look/store.ts';

/** The organization of an employee. @throws CommandError when there is no such employee */
export async function organizationOf(db: Queryable, employeeId: string): Promise<string> {
  const found = await readAnyDocument(db, 'employee', employeeId);
  if (!found) throw new CommandError(`there is no employee ${employeeId}`);
  return found.organizationId;
}
