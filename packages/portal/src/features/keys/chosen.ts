import type { RequestOf } from '../../api/ask.ts';

/** The chosen scope of a key: whole companies, or divisions with their subtrees. */
export interface Chosen {
  readonly whole: boolean;
  readonly tenants: ReadonlyMap<string, 'all' | ReadonlySet<string>>;
}

type Grants = NonNullable<RequestOf<'POST /api-keys'>['body']['grants']>;

/** The chosen scope in the form of the API. Companies without a chosen division are omitted. */
export function grantsOf({ tenants }: Chosen): Grants {
  return [...tenants].flatMap(([tenant, divisions]): Grants => {
    if (divisions === 'all') return [{ tenant, divisions: null }];
    return divisions.size === 0 ? [] : [{ tenant, divisions: [...divisions] }];
  });
}

/** Whether there is anything in it. */
export const isChosen = (chosen: Chosen): boolean => chosen.whole || grantsOf(chosen).length > 0;
