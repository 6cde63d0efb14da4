import Type, { type TObject } from 'typebox';
import { fieldsOf } from './fields.ts';
import { Count, Integer, NamedObject } from './schema.ts';

/** Bounds of the collection parameters (specification.md 3.1). */
export const pageSizeMaximum = 1000;
export const pageSizeDefault = 100;

/** The five fields of every collection response (specification.md 3.1). */
export function listOf<T extends TObject>(resource: T, name: string) {
  return NamedObject(name, `A page of resources, with exact totals from the same moment`, {
    page: Integer('Current page, counted from one', 1, { minimum: 1 }),
    pageSize: Integer('Maximum number of resources on a page', pageSizeDefault, {
      minimum: 1,
      maximum: pageSizeMaximum,
    }),
    totalPages: Count('Number of pages; 0 when nothing matches', 1),
    totalElements: Count('Number of resources that match', 1),
    items: Type.Array(resource, { maxItems: pageSizeMaximum, description: 'The resources of this page' }),
  });
}

/** The answer of a list, and the fields of its filter. */
export function pageOf<T extends TObject>(resource: T, name: string, description = '') {
  const body = listOf(resource, name);
  return { success: { status: 200, description, body }, fields: fieldsOf(resource) } as const;
}
