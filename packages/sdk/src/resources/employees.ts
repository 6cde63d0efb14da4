import type { ApiPromise } from '../answer.ts';
import type { Employee, EmployeeCreate, EmployeePatch } from '../contract.ts';
import { filter } from '../filter.ts';
import { fold } from '../fold.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { type Proof, proveCreate, proveUpdate, type Reconciled } from '../outcome.ts';
import type { Transport } from '../transport.ts';
import { Collection } from './collection.ts';

/** The employees of an organization. */
export class Employees extends Collection<'listEmployees', 'getEmployee'> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport, 'listEmployees', 'getEmployee');
    this.#transport = transport;
  }

  /** Creates an employee. A lost answer is reconciled by the email, which is unique in the organization. */
  create(body: EmployeeCreate, options?: WriteOptions): ApiPromise<Employee> {
    const proof: Proof = { by: 'email', read: reads => this.#proveCreate(body, reads) };
    return this.#transport.json('createEmployee', { body, options, proof });
  }

  /** Merges the body into an employee. A lost answer is reconciled if the body has an `employeeNumber`, which is unique in the tenant. */
  update(id: string, body: EmployeePatch, options?: WriteOptions): ApiPromise<Employee> {
    const { employeeNumber } = body;
    const proof: Proof = {
      by: 'employeeNumber',
      read: async reads => proveUpdate(await this.get(id, reads), body, { employeeNumber }),
    };
    const isProven = typeof employeeNumber === 'string';
    const call = { parameters: { id }, body, options, proof: isProven ? proof : undefined };
    return this.#transport.json('updateEmployee', call);
  }

  async #proveCreate({ email, ...sent }: EmployeeCreate, options: RequestOptions): Promise<Reconciled> {
    const key = (text: string) => text.normalize().toLowerCase();
    const isMatch = (employee: Employee) => fold(employee.email) === fold(email);
    // A filter compares less exactly than the service compares emails.
    const found = await this.find(filter`email = ${email}`, options, isMatch);
    const stored = found.find(employee => key(employee.email) === key(email));
    return stored === undefined ? { outcome: 'not_happened', resource: null } : proveCreate(stored, sent);
  }
}
