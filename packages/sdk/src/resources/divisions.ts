import type { ApiPromise } from '../answer.ts';
import type { Division, DivisionCreate, DivisionPatch } from '../contract.ts';
import { filter } from '../filter.ts';
import { fold } from '../fold.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { type Proof, proveCreate, proveUpdate, type Reconciled } from '../outcome.ts';
import type { Transport } from '../transport.ts';
import { Collection } from './collection.ts';

/** The divisions of tenants. */
export class Divisions extends Collection<'listDivisions', 'getDivision'> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport, 'listDivisions', 'getDivision');
    this.#transport = transport;
  }

  /** Creates a division. A lost answer is reconciled by the name, which is unique among siblings. */
  create(body: DivisionCreate, options?: WriteOptions): ApiPromise<Division> {
    const proof: Proof = { by: 'divisionName', read: reads => this.#proveCreate(body, reads) };
    return this.#transport.json('createDivision', { body, options, proof });
  }

  /** Merges the body into a division; `parentId` moves it. A lost answer is reconciled if the body has a `name`, unique among siblings. */
  update(id: string, body: DivisionPatch, options?: WriteOptions): ApiPromise<Division> {
    const { name } = body;
    const proof: Proof = {
      by: 'divisionName',
      read: async reads => proveUpdate(await this.get(id, reads), body, { name }),
    };
    const call = { parameters: { id }, body, options, proof: name === undefined ? undefined : proof };
    return this.#transport.json('updateDivision', call);
  }

  async #proveCreate(body: DivisionCreate, options: RequestOptions): Promise<Reconciled> {
    const { name, parentId } = body;
    const place = parentId ? filter`parentId = ${parentId}` : filter`parentId IS NULL`;
    const isMatch = (division: Division) => fold(division.name) === fold(name);
    const found = await this.find(filter`name = ${name} AND ${place}`, options, isMatch);
    if (found.length === 0) return { outcome: 'not_happened', resource: null };
    // Roots of several tenants may have one name; then nothing says which tenant was meant.
    if (found.length > 1) return { outcome: 'unknown', resource: null };
    return proveCreate(found[0]!, { ...body, parentId: parentId ?? null });
  }
}
