import type { RequestOf } from '../api/ask.ts';

/** What a key shall see: of a company all, or the divisions with what is below them. */
export interface Chosen {
  readonly whole: boolean;
  readonly tenants: ReadonlyMap<string, 'all' | ReadonlySet<string>>;
}

type Grants = NonNullable<RequestOf<'POST /api-keys'>['body']['grants']>;

/** What was chosen, as the API takes it; companies of which no division is chosen yet are left out. */
export function grantsOf({ tenants }: Chosen): Grants {
  return [...tenants].flatMap(([tenant, divisions]): Grants => {
    if (divisions === 'all') return [{ tenant, divisions: null }];
    return divisions.size === 0 ? [] : [{ tenant, divisions: [...divisions] }];
  });
}
