import type { ApiPromise } from '../answer.ts';
import { Changes, type ChangesOptions } from '../changes.ts';
import type { Division, DivisionCreate, DivisionPatch } from '../contract.ts';
import { filter } from '../filter.ts';
import { List, type ListOptions, splitListOptions } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { hasValues, type Outcome, type Proof } from '../outcome.ts';
import type { Fields, Transport } from '../transport.ts';

export class Divisions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(given: ListOptions<Fields<'listDivisions'>> = {}): List<Division> {
    const { query, options } = splitListOptions(given);
    return new List(given.pageSize, page =>
      this.#transport.json('listDivisions', { query: { ...query, ...page }, options }),
    );
  }

  /** All divisions that have changed since a checkpoint. */
  changes({ since, pageSize, ...options }: ChangesOptions = {}): Changes<Division> {
    return new Changes(since, pageSize, query => this.#transport.json('listDivisions', { query, options }));
  }

  get(id: string, options?: RequestOptions): ApiPromise<Division> {
    return this.#transport.json('getDivision', { parameters: { id }, options });
  }

  /** Creates a division. A lost answer is reconciled by the name, which is unique among siblings. */
  create(body: DivisionCreate, options?: WriteOptions): ApiPromise<Division> {
    const proof: Proof = {
      by: 'divisionName',
      read: signal => this.#proveCreate(body, { ...options, signal }),
    };
    return this.#transport.json('createDivision', { body, options, proof });
  }

  /** Merges the body into a division; `parentId` moves it. A lost answer is reconciled if the body has a `name`, unique among siblings. */
  update(id: string, body: DivisionPatch, options?: WriteOptions): ApiPromise<Division> {
    const proof: Proof = {
      by: 'divisionName',
      read: async signal => {
        const stored = await this.get(id, { ...options, signal });
        if (hasValues(stored, body)) return 'happened';
        return hasValues(stored, { name: body.name }) ? 'unknown' : 'not_happened';
      },
    };
    const isProven = body.name !== undefined;
    const call = { parameters: { id }, body, options, proof: isProven ? proof : undefined };
    return this.#transport.json('updateDivision', call);
  }

  async #proveCreate(body: DivisionCreate, options: RequestOptions): Promise<Outcome> {
    const { name, parentId } = body;
    const place = parentId ? filter`parentId = ${parentId}` : filter`parentId IS NULL`;
    const { items } = await this.list({ ...options, filter: filter`name = ${name} AND ${place}` }).page();
    if (items.length === 0) return 'not_happened';
    const sent = { ...body, parentId: parentId ?? null };
    // Roots of several tenants may have one name; then nothing says which tenant was meant.
    if (items.length > 1) return 'unknown';
    const [stored] = items as [Division];
    if (hasValues(stored, sent)) return 'happened';
    return stored.updatedAt === stored.createdAt ? 'not_happened' : 'unknown';
  }
}
