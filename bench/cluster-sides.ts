import type { Employee } from '@kontor/contract';
import { createKey } from '../packages/server/src/cli/access/key.ts';
import { connect, type Database } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';
import { storeEmployees } from '../packages/server/test/support/employees.ts';
import { startKontor } from './fresh-service.ts';
import type { Target } from './wrk.ts';

const pepper = 'the pepper of the benchmark, no secret';
export const organizations = 64;
/** Employees of the first organization, which is read. */
export const employees = 20_000;

/** One of the databases that are compared. */
export interface Side {
  readonly database: Database;
  readonly url: string;
  /** Keys of all organizations. */
  readonly keys: string[];
  /** The employees of the first organization. */
  readonly stored: Employee[];
  /** The base address of the service on it, and its process. */
  service: string;
  pid: number;
}

/** A migrated database with all organizations; `prepare` is done before there are any. */
export async function createSide(
  url: string,
  prepare: (database: Database) => Promise<unknown> = async () => {},
): Promise<Side> {
  const database = connect({ url });
  const side: Side = { database, url, keys: [], stored: [], service: '', pid: 0 };
  await migrate(database);
  await prepare(database);
  for (let n = 0; n < organizations; n++) await populate(side, n);
  return side;
}

async function populate({ database: { writes }, keys, stored }: Side, n: number): Promise<void> {
  const organizationId = await createOrganization(writes, `Kunde ${n}`);
  const tenant = await createTenant(writes, organizationId, 'Kunde GmbH');
  const quota = { requests: 900_000_000, seconds: 60 };
  const made = await createKey(writes, Buffer.from(pepper), {
    organizationId,
    name: 'bench',
    quota,
    grants: 'all',
  });
  keys.push(made.key);
  for (let left = n === 0 ? employees : 0; left > 0; left -= 1000) {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      tenant,
      firstName: 'Maria',
      lastName: `Schulz ${left - i}`,
      street: 'Hauptstraße 1',
      postalCode: '10115',
      city: 'Berlin',
      countryCode: 'DE',
    }));
    stored.push(...(await storeEmployees(writes, organizationId, rows)));
  }
}

/** Runs the service on the database, with so many processes, until it is stopped. */
export async function serve(side: Side, workers?: number): Promise<() => Promise<void>> {
  const environment = { DATABASE_URL: side.url, KONTOR_KEY_PEPPER: pepper };
  const args = ['serve', ...(workers ? ['--workers', String(workers)] : [])];
  const { baseUrl, pid, stop } = await startKontor(environment, args);
  side.service = baseUrl;
  side.pid = pid;
  return stop;
}

const luaList = (name: string, values: readonly string[]) =>
  `local ${name} = { ${values.map(value => JSON.stringify(value)).join(', ')} }`;

/** What reads in the first organization; `n` is the number of the request. */
export function reads({ service, keys, stored }: Side): Record<string, () => Target> {
  const headers = { 'X-API-Key': keys[0]! };
  const url = `${service}/employees`;
  const ids = stored.slice(0, 2000).map(({ id }) => id);
  const { id, updatedAt } = stored.at(-1)!;
  const behind = `updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${id})`;
  return {
    'list 100': () => ({ url, headers }),
    'get by id': () => ({
      url,
      headers,
      setup: luaList('ids', ids),
      request: `return "/v1/employees/" .. ids[n % #ids + 1]`,
    }),
    'poll with nothing new': () => ({
      url: `${url}?sort=updatedAt&filter=${encodeURIComponent(behind)}`,
      headers,
    }),
  };
}

let round = 0;

/** Returns a function that creates a new employee in the organization of the next key. */
export function creates({ service }: Side, keys: readonly string[]): Target {
  const tag = `b${round++}`;
  return {
    url: `${service}/employees`,
    setup: luaList('keys', keys),
    request: `return nil, '{"email":"${tag}.' .. n .. '@example.com","firstName":"A","lastName":"B"}',
      { ["X-API-Key"] = keys[n % #keys + 1], ["Content-Type"] = "application/json" }`,
  };
}
