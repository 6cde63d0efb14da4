import type { Keys } from './keys.ts';
import type { Population } from './seed.ts';
import type { Target } from './wrk.ts';

/** What the cases are aimed at. */
export interface TestData {
  readonly population: Population;
  readonly keys: Keys;
  readonly ids: readonly { id: string; email: string }[];
  /** Where a poller stands that has seen everything. */
  readonly last: { readonly at: string; readonly id: string };
  /** Base addresses. */
  readonly service: string;
  readonly ceiling: string;
}

/** One row of the table. */
export interface Case {
  readonly name: string;
  readonly kontor: Target;
  readonly ceiling?: Target;
  readonly goal: string;
  /** Whether ten employees a second are created meanwhile. */
  readonly underWrites?: boolean;
  /** Whether it is measured interleaved with get by id, of which the goal is a share. */
  readonly comparesWithLookup?: boolean;
}

export function cases(testData: TestData): Case[] {
  return [...lookups(testData), ...lists(testData), ...searches(testData), ...creates(testData)];
}

function lists(testData: TestData): Case[] {
  const all = employees(testData, '');
  const one = { ...all, headers: { ...all.headers, 'X-Tenant-ID': testData.population.tenants[7]! } };
  const page = (tenant: string): Target => ({
    url: `${testData.ceiling}/page/${testData.population.organization}${tenant}`,
  });
  const goal = 'at least 60 %';
  return [
    { name: 'one cached body (first ceiling)', kontor: { url: `${testData.ceiling}/cached` }, goal: '' },
    { name: 'list 100, one tenant', kontor: one, ceiling: page(`/${testData.population.tenants[7]!}`), goal },
    { name: 'list 100, all', kontor: all, ceiling: page(''), goal },
    {
      name: 'list 100, one tenant, under writes',
      kontor: one,
      ceiling: page(`/${testData.population.tenants[7]!}`),
      goal,
      underWrites: true,
    },
    { name: 'list 100, all, under writes', kontor: all, ceiling: page(''), goal, underWrites: true },
    { name: 'page 990 of 100, cold', kontor: employees(testData, '?page=990'), goal: '' },
  ];
}

function searches(testData: TestData): Case[] {
  return [
    {
      name: "lastName CONTAINS 'sch'",
      kontor: employees(testData, `?filter=${filter("lastName CONTAINS 'sch'")}`),
      goal: '',
    },
    {
      name: "lastName CONTAINS 'sch', under writes",
      kontor: employees(testData, `?filter=${filter("lastName CONTAINS 'sch'")}`),
      goal: '',
      underWrites: true,
    },
    {
      name: 'updatedAt >= a recent checkpoint',
      kontor: employees(
        testData,
        `?sort=updatedAt&filter=${filter(`updatedAt >= ${recent()} AND (updatedAt > ${recent()} OR id > 0)`)}`,
      ),
      goal: '',
    },
  ];
}

/** One person, or none. They come first: once something was created, a poll has something new. */
function lookups(testData: TestData): Case[] {
  const emails = testData.ids.map(row => row.email);
  const setup = luaList(
    'ids',
    testData.ids.map(row => row.id),
  );
  return [
    {
      name: 'get by id',
      kontor: { ...employees(testData, ''), setup, request: `return "/v1/employees/" .. ids[n % #ids + 1]` },
      ceiling: {
        url: testData.ceiling,
        setup,
        request: `return "/get/${testData.population.organization}/" .. ids[n % #ids + 1]`,
      },
      goal: 'at least 75 %',
    },
    {
      name: 'email equality, another one each time',
      kontor: {
        ...employees(testData, ''),
        setup: luaList('emails', emails),
        request: `return "/v1/employees?filter=email%20%3D%20%27" .. emails[n % #emails + 1] .. "%27"`,
      },
      comparesWithLookup: true,
      goal: 'at least 60 % of get by id',
    },
    {
      name: 'poll with nothing new',
      kontor: employees(testData, `?sort=updatedAt&filter=${filter(behind(testData.last))}`),
      comparesWithLookup: true,
      goal: 'at least 70 % of get by id',
    },
  ];
}

function creates(testData: TestData): Case[] {
  const { others } = testData.population;
  const one = [{ ...others[0]!, key: testData.keys.others[0]! }];
  const many = others.map((other, index) => ({ ...other, key: testData.keys.others[index]! }));
  return [
    { name: 'create, one organization', ...create(testData, one), goal: 'at least 40 %' },
    { name: 'create, 16 organizations', ...create(testData, many), goal: 'at least 75 %' },
  ];
}

interface Place {
  readonly organization: string;
  readonly tenant: string;
  readonly key: string;
}

/** Creates of distinct employees, spread over the places; the ceiling inserts the same body into the same table. */
function create(testData: TestData, places: Place[]): { kontor: Target; ceiling: Target } {
  const list = (name: string, values: string[]) => luaList(name, values);
  const setup = `
local run = string.format("%08x", os.time())
${list(
  'keys',
  places.map(place => place.key),
)}
${list(
  'organizations',
  places.map(place => place.organization),
)}
${list(
  'tenants',
  places.map(place => place.tenant),
)}
local function body(n)
  return string.format('{"email":"anna.schreiber.%s.%d@example.com","employeeNumber":"%s-%d","firstName":"Anna",' ..
    '"lastName":"Schreiber","street":"Lange Straße 12","postalCode":"10115","city":"Berlin","countryCode":"DE"}', run, n, run, n)
end
local function place(n) return n % #keys + 1 end`;
  const json = `["Content-Type"] = "application/json"`;
  return {
    kontor: {
      url: testData.service,
      setup,
      request: `return "/v1/employees", body(n), { ${json}, ["X-API-Key"] = keys[place(n)] }`,
    },
    ceiling: {
      url: testData.ceiling,
      setup,
      request: `return string.format("/insert/%s/%s/b%s%015x", organizations[place(n)], tenants[place(n)], run, n), body(n), { ${json} }`,
    },
  };
}

function employees(testData: TestData, query: string): Target {
  return { url: `${testData.service}/v1/employees${query}`, headers: { 'X-API-Key': testData.keys.all } };
}

const filter = encodeURIComponent;

/** The filter of a poller behind the last row that it saw (specification.md 3.7). */
function behind({ at, id }: TestData['last']): string {
  return `updatedAt >= ${at} AND (updatedAt > ${at} OR id > ${id})`;
}

/** A checkpoint that a poller would have: a minute ago. */
function recent(): string {
  return new Date(Date.now() - 60_000).toISOString();
}

function luaList(name: string, values: readonly string[]): string {
  return `local ${name} = { ${values.map(value => JSON.stringify(value)).join(', ')} }`;
}
