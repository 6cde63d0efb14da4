import { type ApiName, apis, type Operation } from '@kontor/contract';

/** The fields of filter and sort of the lists of an API, by the path of the list. */
export function fieldsByPath(name: ApiName): Record<string, readonly string[]> {
  const lists = Object.values<Operation>(apis[name].operations).flatMap(({ path, fields }) =>
    fields ? [[path.slice(1), [...fields.keys()]] as const] : [],
  );
  return Object.fromEntries(lists);
}
