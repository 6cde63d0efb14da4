import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { type Employee, employeeFields, type Filter, printFilter } from '@kontor/contract';
import { fieldValue, filters, literal, record } from '../../../contract/test/support/arbitraries.ts';
import type { ListParameters } from '../../src/collection/check.ts';
import type { AccessPath, PathQuestion } from '../../src/collection/path.ts';
import type { Grant } from '../../src/scope.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import {
  divisions,
  expectedList,
  id,
  insertWorld,
  replaceEmployees,
  scopeOf,
  tenants,
  watchedCollection,
} from './support.ts';

let test: TestDatabase;
before(async () => {
  test = await testDatabase();
  await insertWorld(test.database.sql);
});
after(() => test.drop());

const place: Arbitrary<Pick<Employee, 'tenant' | 'divisionId'>> = fc.oneof(
  fc.constant({ tenant: null, divisionId: null }),
  fc.constantFrom(...tenants).map(tenant => ({ tenant, divisionId: null })),
  fc.constantFrom(...divisions).map(division => ({ tenant: division.tenant, divisionId: division.id })),
);

const employees: Arbitrary<Employee[]> = fc
  .array(fc.tuple(record(employeeFields), place), { minLength: 0, maxLength: 40 })
  .map(rows =>
    rows.map(
      ([fields, where], index) => ({ ...fields, ...where, id: id('e', index * 7) }) as unknown as Employee,
    ),
  );

/** Literals that hit: identifiers that exist, and else values like the stored ones. */
const filter: Arbitrary<Filter> = filters(employeeFields, {
  literals: field => {
    if (field.name === 'tenant') return fc.constantFrom(...tenants, tenants[0].toUpperCase());
    if (field.name === 'divisionId') return fc.constantFrom(...divisions.map(division => division.id));
    if (field.name === 'id') return fc.nat(40).map(index => id('E', index * 7));
    return fc.oneof(
      literal(field),
      field.type === 'string' ? fieldValue(field).map(value => String(value)) : literal(field),
    );
  },
});

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
        .filter(grant => grant.divisions.length > 0),
    ]),
);

interface Request {
  query: Pick<ListParameters, 'sort' | 'createdAtFrom' | 'createdAtTo'>;
  filter: Filter | null;
  grants: 'all' | Grant[];
  tenant: string | null;
  pageSize: number;
}

const request: Arbitrary<Request> = fc
  .record({
    selected: fc.oneof(
      fc.record({ filter: fc.option(filter, { freq: 4 }), sort: fc.option(sort, { nil: undefined }) }),
      keysetFilter,
    ),
    from: bound,
    to: bound,
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

describe('a list agrees with the definitions of filter, order, scope and page', () => {
  for (const path of ['ordered', 'merged', 'matched', 'cheapest'] as const)
    it(`when rows are found by the ${path} path`, { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(employees, request, async (rows, asked) => {
          await replaceEmployees(test.database.sql, rows);
          await agree(rows, asked, path);
        }),
        { numRuns: 100 },
      );
    });
});

async function agree(rows: Employee[], asked: Request, path: AccessPath | 'cheapest'): Promise<void> {
  const scope = scopeOf(asked.grants);
  const expected = expectedList(rows, asked.query, asked.filter, scope, asked.tenant);
  const filterText = printable(asked.filter);
  if (filterText === undefined) return;
  const query = {
    ...asked.query,
    pageSize: asked.pageSize,
    ...(filterText === null ? {} : { filter: filterText }),
  };
  // Where nothing restricts the range there are no arms to merge.
  const forced = { choosePath: ({ restricted }: PathQuestion) => pathOf(path, restricted) };
  const possible = path === 'cheapest' ? {} : forced;
  const totalPages = Math.ceil(expected.length / asked.pageSize);
  const walking = watchedCollection(test.database.sql, possible);
  const cold = watchedCollection(test.database.sql, possible);
  for (let page = 1; page <= Math.min(totalPages + 1, 8); page++) {
    const body = {
      page,
      pageSize: asked.pageSize,
      totalPages,
      totalElements: expected.length,
      items: expected.slice((page - 1) * asked.pageSize, page * asked.pageSize),
    };
    assert.deepEqual(await walking.list({ ...query, page }, scope, asked.tenant), body);
    if (page < 4) {
      cold.watch.at += 200_000;
      assert.deepEqual(await cold.list({ ...query, page }, scope, asked.tenant), body);
    }
  }
}

function pathOf(path: AccessPath | 'cheapest', restricted: boolean): AccessPath {
  return path === 'cheapest' || (path === 'merged' && !restricted) ? 'ordered' : path;
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
