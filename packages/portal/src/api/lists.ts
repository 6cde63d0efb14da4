import type { Field, OperationOf, Operator } from '@kontor/contract';

type Listing<One> = One extends {
  method: infer Method extends string;
  path: infer Path extends string;
  fields: object;
  success: { body: object };
}
  ? `${Method} ${Path}`
  : never;

/** The lists of the portal API, such as `POST /api-keys/search`. */
export type ListRoute = Listing<OperationOf<'portal'>>;

/** A field that a list is filtered and sorted by, with the operators that it takes. */
export interface ListField extends Field {
  readonly operators: readonly Operator[];
  /** The kind of thing that it has the identifier of; absent: none that is picked by name. */
  readonly refersTo?: 'company' | 'division' | 'employee' | 'actor';
}

/** The build puts here what the contract declares. */
declare const __LISTS__: Readonly<Record<ListRoute, readonly ListField[]>>;

/** The fields of each list. */
export const lists = __LISTS__;
