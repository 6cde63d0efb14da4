import type { ApiPromise } from '../answer.ts';
import type { Employee, EmployeeCreate, EmployeePatch } from '../contract.ts';
import type { CreateOptions, UpdateOptions } from '../options.ts';
import type { Transport } from '../transport/transport.ts';
import { Collection } from './collection.ts';

/** The employees of an organization. */
export class Employees extends Collection<'listEmployees', 'getEmployee'> {
  constructor(transport: Transport) {
    super(transport, 'listEmployees', 'getEmployee');
  }

  /** Creates an employee. A lost answer is asked for again: the employee is created once. */
  create(body: EmployeeCreate, options?: CreateOptions): ApiPromise<Employee> {
    return this.transport.json('createEmployee', { body, options });
  }

  /** Merges the body into an employee. With `ifMatch` no change of others is replaced, and a lost answer is asked for again. */
  update(id: string, body: EmployeePatch, options?: UpdateOptions): ApiPromise<Employee> {
    return this.transport.json('updateEmployee', { parameters: { id }, body, options });
  }
}
