import type { ApiPromise } from '../answer.ts';
import { Changes, type ChangesOptions } from '../changes.ts';
import type { Employee, EmployeeCreate, EmployeePatch } from '../contract.ts';
import { filter } from '../filter.ts';
import { List, type ListOptions, splitListOptions } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { hasValues, type Outcome, type Proof } from '../outcome.ts';
import type { Fields, Transport } from '../transport.ts';

export class Employees {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(given: ListOptions<Fields<'listEmployees'>> = {}): List<Employee> {
    const { query, options } = splitListOptions(given);
    return new List(given.pageSize, page =>
      this.#transport.json('listEmployees', { query: { ...query, ...page }, options }),
    );
  }

  /** All employees that have changed since a checkpoint. */
  changes({ since, pageSize, ...options }: ChangesOptions = {}): Changes<Employee> {
    return new Changes(since, pageSize, query => this.#transport.json('listEmployees', { query, options }));
  }

  get(id: string, options?: RequestOptions): ApiPromise<Employee> {
    return this.#transport.json('getEmployee', { parameters: { id }, options });
  }

  /** Creates an employee. A lost answer is reconciled by the email, which is unique in the organization. */
  create(body: EmployeeCreate, options?: WriteOptions): ApiPromise<Employee> {
    const proof: Proof = { by: 'email', read: signal => this.#proveCreate(body, { ...options, signal }) };
    return this.#transport.json('createEmployee', { body, options, proof });
  }

  /** Merges the body into an employee. A lost answer is reconciled if the body has an `employeeNumber`, which is unique in the tenant. */
  update(id: string, body: EmployeePatch, options?: WriteOptions): ApiPromise<Employee> {
    const proof: Proof = {
      by: 'employeeNumber',
      read: async signal => {
        const stored = await this.get(id, { ...options, signal });
        if (hasValues(stored, body)) return 'happened';
        return hasValues(stored, { employeeNumber: body.employeeNumber }) ? 'unknown' : 'not_happened';
      },
    };
    const isProven = typeof body.employeeNumber === 'string';
    const call = { parameters: { id }, body, options, proof: isProven ? proof : undefined };
    return this.#transport.json('updateEmployee', call);
  }

  async #proveCreate(body: EmployeeCreate, options: RequestOptions): Promise<Outcome> {
    const key = (email: string) => email.normalize().toLowerCase();
    // A filter compares less exactly than the service compares emails.
    const { items } = await this.list({ ...options, filter: filter`email = ${body.email}` }).page();
    const stored = items.find(({ email }) => key(email) === key(body.email));
    if (stored === undefined) return 'not_happened';
    const { email: _email, ...sent } = body;
    if (hasValues(stored, sent)) return 'happened';
    // As it was created, with other values: another create took the email.
    return stored.updatedAt === stored.createdAt ? 'not_happened' : 'unknown';
  }
}
