import type { ApiPromise } from '../answer.ts';
import type { Division, DivisionCreate, DivisionPatch } from '../contract.ts';
import type { CreateOptions, UpdateOptions } from '../options.ts';
import type { Transport } from '../transport/transport.ts';
import { Collection } from './collection.ts';

/** The divisions of tenants. */
export class Divisions extends Collection<'listDivisions', 'getDivision'> {
  constructor(transport: Transport) {
    super(transport, 'listDivisions', 'getDivision');
  }

  /** Creates a division. A lost answer is asked for again: the division is created once. */
  create(body: DivisionCreate, options?: CreateOptions): ApiPromise<Division> {
    return this.transport.json('createDivision', { body, options });
  }

  /** Merges the body into a division; `parentId` moves it. `ifMatch` keeps changes of others, and lets a lost answer be asked for again. */
  update(id: string, body: DivisionPatch, options?: UpdateOptions): ApiPromise<Division> {
    return this.transport.json('updateDivision', { parameters: { id }, body, options });
  }
}
