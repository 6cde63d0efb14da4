import { ApiError } from '@kontor/contract';
import { violatedConstraint } from '../../db/failure.ts';
import { emailKey } from '../../lib/email-key.ts';
import type { EmployeeData } from './record.ts';
import type { Holder } from './store.ts';

/** Refuses an employee of whom another one has a unique value. @throws DUPLICATE_RESOURCE. */
export function checkUnique(id: string, data: EmployeeData, holders: readonly Holder[]): void {
  const others = holders.filter(holder => holder.id !== id);
  const email = emailKey(data.email);
  if (others.some(other => other.email === email)) throw emailTaken();
  const { employeeNumber, tenant } = data;
  if (employeeNumber === null) return;
  if (others.some(other => other.number === employeeNumber && other.tenant === tenant)) throw numberTaken();
}

/**
 * Names the error of the constraints on unique values, which have the last word only in a dry run, since every other write
 * has its turn.
 * @throws ApiError DUPLICATE_RESOURCE for these errors, and any other as it is.
 */
export function namingDuplicates(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'employee_email') throw emailTaken();
  throw constraint === 'employee_number' ? numberTaken() : error;
}

function emailTaken(): ApiError {
  return new ApiError('DUPLICATE_RESOURCE', 'email is used by another employee of the organization already');
}

function numberTaken(): ApiError {
  return new ApiError(
    'DUPLICATE_RESOURCE',
    'employeeNumber is used by another employee of the tenant already',
  );
}
