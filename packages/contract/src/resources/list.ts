import Type, { type TObject } from 'typebox';
import { NamedObject } from '../schema.ts';

/** Bounds of the collection parameters (specification.md 3.1). */
export const pageSizeMaximum = 1000;
export const pageSizeDefault = 100;

/** The five fields of every collection response (specification.md 3.1). */
export function listOf<T extends TObject>(resource: T, name: string) {
  return NamedObject(name, `A page of resources, with exact totals from the same moment`, {
    page: Type.Integer({ minimum: 1, description: 'Current page, counted from one', examples: [1] }),
    pageSize: Type.Integer({
      minimum: 1,
      maximum: pageSizeMaximum,
      description: 'Most resources on a page',
      examples: [pageSizeDefault],
    }),
    totalPages: Type.Integer({
      minimum: 0,
      description: 'Number of pages; 0 when nothing matches',
      examples: [1],
    }),
    totalElements: Type.Integer({
      minimum: 0,
      description: 'Number of resources that match',
      examples: [1],
    }),
    items: Type.Array(resource, { maxItems: pageSizeMaximum, description: 'The resources of this page' }),
  });
}
