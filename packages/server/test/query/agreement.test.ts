import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { type Employee, employeeFields, type Field, type Filter, printFilter } from '@kontor/contract';
import { fieldValue, filters, literal, record } from '../../../contract/test/support/arbitraries.ts';
import type { ListParameters } from '../../src/query/check.ts';
import type { CollectionOptions } from '../../src/query/page.ts';
import type { AccessPath } from '../../src/query/path.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import type { Grant } from '../../src/auth/scope.ts';
import type { Fragment } from '../../src/db/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  divisions,
  expectedList,
  id,
  insertTestData,
  isProbe,
  replaceEmployees,
  scopeOf,
  tenants,
  watchedCollection,
} from './support.ts';
import { atScale } from '../support/service/scale.ts';

let test: TestDatabase;
before(async () => {
  test = await testDatabase();
  await insertTestData(test.database.sql);
});
after(() => test.drop());

const place: Arbitrary<Pick<Employee, 'tenant' | 'divisionId'>> = fc.oneof(
  fc.constant({ tenant: null, divisionId: null }),
  fc.constantFrom(...tenants).map(tenant => ({ tenant, divisionId: null })),
  fc.constantFrom(...divisions).map(division => ({ tenant: division.tenant, divisionId: division.id })),
);

const employees = (min: number): Arbitrary<Employee[]> =>
  fc
    .array(fc.tuple(record(employeeFields), place), { minLength: min, maxLength: 40 })
    .map(rows =>
      rows.map(
        ([fields, where], index) => ({ ...fields, ...where, id: id('e', index * 7) }) as unknown as Employee,
      ),
    );

/** Literals that hit: identifiers that exist, and else values like the stored ones. */
function literals(field: Field): Arbitrary<string> {
  if (field.name === 'tenant') return fc.constantFrom(...tenants, tenants[0].toUpperCase());
  if (field.name === 'divisionId') return fc.constantFrom(...divisions.map(division => division.id));
  if (field.name === 'id') return fc.nat(40).map(index => id('E', index * 7));
  return fc.oneof(
    literal(field),
    field.type === 'string' ? fieldValue(field).map(value => String(value)) : literal(field),
  );
}

const filter: Arbitrary<Filter> = filters(employeeFields, { literals });

const keysetFilter: Arbitrary<{ filter: Filter; sort: string }> = fc
  .tuple(
    fc.constantFrom('updatedAt', 'lastName', 'blocked', 'city').filter(name => name !== 'blocked'),
    fc.boolean(),
    fc.nat(40),
  )
  .chain(([name, descending, index]) =>
    literal(employeeFields.get(name)!).map(value => {
      const operator = descending ? '<' : '>';
      const strict = { kind: 'comparison', field: name, operator, value } as const;
      return {
        sort: descending ? `-${name}` : name,
        filter: {
          kind: 'and',
          terms: [
            { ...strict, operator: `${operator}=` } as const,
            {
              kind: 'or',
              terms: [strict, { kind: 'comparison', field: 'id', operator, value: id('e', index * 7) }],
            },
          ],
        } satisfies Filter,
      };
    }),
  );

/** Filters with a term that an index serves, for an organization at least, among others. */
const indexedFields = [...employeeResource.columns]
  .filter(([, { indexed }]) => indexed)
  .map(([name]) => name);
const boundFilter = fc
  .tuple(fc.constantFrom(...indexedFields), fc.constantFrom('=', '=', '=', '>', '>=', '<', '<=', 'IN'))
  .chain(([name, operator]): Arbitrary<Filter> => {
    const one = literals(employeeFields.get(name)!);
    if (operator !== 'IN') return one.map(value => ({ kind: 'comparison', field: name, operator, value }));
    return fc.array(one, { minLength: 1, maxLength: 4 }).map(values => ({ kind: 'in', field: name, values }));
  });
const boundFilters: Arbitrary<Filter> = fc
  .tuple(fc.array(boundFilter, { minLength: 1, maxLength: 3 }), fc.array(filter, { maxLength: 1 }))
  .map(([bounds, rest]) => [...bounds, ...rest])
  .map(terms => (terms.length === 1 ? terms[0]! : { kind: 'and', terms }));

const sort = fc
  .tuple(fc.boolean(), fc.constantFrom(...employeeFields.keys()))
  .map(([descending, name]) => (descending ? '-' : '') + name);

const bound = fc.option(
  fc.constantFrom('2024-02-29T23:59:59Z', '2026-09-02T08:15:30.0000001Z', '2026-09-02T08:15:30.120Z'),
  {
    nil: undefined,
    freq: 2,
  },
);

const grants: Arbitrary<'all' | Grant[]> = fc.oneof(
  fc.constant('all' as const),
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...tenants), { maxLength: 2 }),
      fc.uniqueArray(fc.constantFrom(...divisions), { maxLength: 4 }),
    )
    .map(([whole, partial]) => [
      ...whole.map(tenantId => ({ tenantId, divisions: 'all' as const })),
      ...tenants
        .map(tenantId => ({ tenantId, divisions: partial.filter(d => d.tenant === tenantId).map(d => d.id) }))
        .filter(grant => grant.divisions.length > 0 && !whole.includes(grant.tenantId)),
    ]),
);

interface Request {
  query: Pick<ListParameters, 'sort' | 'createdAtFrom' | 'createdAtTo'>;
  filter: Filter | null;
  grants: 'all' | Grant[];
  tenant: string | null;
  pageSize: number;
}

const anything = fc.oneof(
  fc.record({ filter: fc.option(filter, { freq: 4 }), sort: fc.option(sort, { nil: undefined }) }),
  keysetFilter,
);
const indexed = fc.oneof(
  { weight: 3, arbitrary: fc.record({ filter: boundFilters, sort: fc.option(sort, { nil: undefined }) }) },
  { weight: 1, arbitrary: keysetFilter },
);

function requests(what: typeof anything | typeof indexed, bounds: typeof bound): Arbitrary<Request> {
  return fc
    .record({
      selected: what,
      from: bounds,
      to: bounds,
      grants,
      tenant: fc.option(fc.constantFrom(...tenants), { freq: 2 }),
      pageSize: fc.constantFrom(1, 3, 7, 100),
    })
    .filter(({ from, to }) => from === undefined || to === undefined || from <= to)
    .map(({ selected, from, to, tenant, pageSize, ...rest }) => ({
      query: {
        ...(selected.sort === undefined ? {} : { sort: selected.sort }),
        ...(from === undefined ? {} : { createdAtFrom: from }),
        ...(to === undefined ? {} : { createdAtTo: to }),
      },
      filter: selected.filter,
      grants: rest.grants,
      tenant,
      pageSize,
    }));
}

describe('a list agrees with the definitions of filter, order, scope and page', () => {
  const agreeAlways = (options: Partial<CollectionOptions>) =>
    fc.assert(
      fc.asyncProperty(employees(0), requests(anything, bound), async (rows, asked) => {
        await replaceEmployees(test.database.sql, rows);
        await agree(rows, asked, options);
      }),
      { numRuns: atScale(15, 100) },
    );

  for (const path of ['ordered', 'merged', 'matched'] as const)
    it(`when rows are found by the ${path} path`, { timeout: 120_000 }, () =>
      agreeAlways({ maxProbed: 0, choosePath: ({ restricted }) => pathOf(path, restricted) }),
    );

  it('when rows are found by the cheapest path', { timeout: 120_000 }, () => agreeAlways({ maxProbed: 0 }));

  for (const maxProbed of [2, 8, 1000])
    it(`when an index is probed for ${maxProbed} rows`, { timeout: 120_000 }, async () => {
      let found = 0;
      const once = fc.constant(undefined);
      await fc.assert(
        fc.asyncProperty(
          employees(20),
          fc.array(requests(indexed, once), { minLength: 5 }),
          async (rows, all) => {
            await replaceEmployees(test.database.sql, rows);
            for (const asked of all) found += await agree(rows, asked, { maxProbed });
          },
        ),
        { numRuns: atScale(25, 60) },
      );
      // Not by chance: of the lists with something in them, many are found by the probe alone.
      assert.ok(found > 5, `${found} lists`);
    });
});

/** Asserts that the pages of a list are those of the definitions; resolves with 1 if a single probe found some of it. */
async function agree(rows: Employee[], asked: Request, options: Partial<CollectionOptions>): Promise<number> {
  const scope = scopeOf(asked.grants);
  const expected = expectedList(rows, asked.query, asked.filter, scope, asked.tenant);
  const filterText = printable(asked.filter);
  if (filterText === undefined) return 0;
  const query = {
    ...asked.query,
    pageSize: asked.pageSize,
    ...(filterText === null ? {} : { filter: filterText }),
  };
  const totalPages = Math.ceil(expected.length / asked.pageSize);
  const readingPages = watchedCollection(test.database.sql, options);
  const cold = watchedCollection(test.database.sql, options);
  for (let page = 1; page <= Math.min(totalPages + 1, 8); page++) {
    const body = {
      page,
      pageSize: asked.pageSize,
      totalPages,
      totalElements: expected.length,
      items: expected.slice((page - 1) * asked.pageSize, page * asked.pageSize),
    };
    assert.deepEqual(await readingPages.list({ ...query, page }, scope, asked.tenant), body);
    if (page < 4) {
      cold.watch.at += 200_000;
      assert.deepEqual(await cold.list({ ...query, page }, scope, asked.tenant), body);
    }
  }
  return expected.length > 0 && isSingleProbe(cold.watch.statements) ? 1 : 0;
}

function isSingleProbe([first, second]: readonly Fragment[]): boolean {
  return first !== undefined && isProbe(first) && (second === undefined || isProbe(second));
}

/** The path, but where nothing restricts the range, there are no units to merge. */
function pathOf(path: AccessPath, restricted: boolean): AccessPath {
  return path === 'merged' && !restricted ? 'ordered' : path;
}

/** The text of a filter; undefined for the few that cannot be written or are longer than a filter may be. */
function printable(filter: Filter | null): string | null | undefined {
  if (filter === null) return null;
  try {
    const text = printFilter(filter);
    return text.length > 16_000 ||
      (text.match(/ (?:[<>=!]=?|IN|IS|[A-Z]+_WITH|CONTAINS) /g) ?? []).length > 90
      ? undefined
      : text;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
