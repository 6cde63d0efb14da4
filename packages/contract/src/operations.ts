import { type ApiName, declaredOperations, type Operation } from './operation.ts';
import * as subjects from './subjects.ts';

type Exported = (typeof subjects)[keyof typeof subjects];

/** Any operation of an API. */
export type OperationOf<Name extends ApiName> = Extract<Exported, { readonly api: Name }>;

const ids: ReadonlyMap<unknown, string> = new Map(
  Object.entries<unknown>(subjects).map(([id, declared]) => [declared, id]),
);

/** The operations of an API by identifier: in the order of these tags, and then of their declaration. */
export function operationsOf(
  api: ApiName,
  tags: readonly string[] = [],
): Readonly<Record<string, Operation>> {
  const operations = declaredOperations.flatMap(operation => {
    const id = ids.get(operation);
    return operation.api === api && id !== undefined ? [[id, operation] as const] : [];
  });
  return Object.fromEntries(operations.toSorted(([, a], [, b]) => tags.indexOf(a.tag) - tags.indexOf(b.tag)));
}
