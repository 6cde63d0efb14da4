import { fakerDE as faker } from '@faker-js/faker';
import type { Pool } from '../packages/server/src/db/connect.ts';
import { inLongTransaction } from '../packages/server/src/db/transaction.ts';
import { raw, sql } from '../packages/server/src/db/sql.ts';
import { newId } from '../packages/server/src/db/ids.ts';
import { employeeRow } from '../packages/server/src/features/employees/mapping.ts';
import { newEmployee } from '../packages/server/src/features/employees/rules.ts';
import { insertEmployees } from '../packages/server/src/features/employees/store.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';
import { runAtClock } from '../packages/server/src/write/run-at-clock.ts';
import { operator } from '../packages/server/src/write/writes.ts';

/** What the benchmark works on. */
export interface Population {
  /** Holds the million. */
  readonly organization: string;
  readonly tenants: readonly string[];
  /** One tenant each, empty at first: the creates go there. */
  readonly others: readonly { organization: string; tenant: string }[];
}

const tenantCount = 20;
const divisionsPerTenant = 10;
const batch = 1000;

/** Builds the population, or finds the one of an earlier run in the same data folder. */
export async function populate(db: Pool, employees: number): Promise<Population> {
  const found = await findPopulation(db, employees);
  if (found) return found;
  const organization = await createOrganization(db, `bench of ${employees}`);
  const places = await createTenants(db, organization, tenantCount);
  await staff(db, organization, places, employees);
  for (let other = 0; other < 16; other++)
    await createTenants(db, await createOrganization(db, 'bench other'), 1);
  await vacuum(db);
  return (await findPopulation(db, employees))!;
}

/** Removes the employees that earlier runs created in the other organizations: the larger these are, the slower a create. */
export async function removeCreated(db: Pool, { others }: Population): Promise<void> {
  const ids = others.map(other => other.organization);
  await inLongTransaction(db, async session => {
    for (const table of ['employee', 'audit', 'counter'])
      await session.run(sql`DELETE FROM ${raw(table)} WHERE organization_id = ANY(${ids}::text[])`);
  });
}

/** Settles what was written, as autovacuum would in time. */
export async function vacuum(db: Pool): Promise<void> {
  await db.use(async session => {
    await session.send(sql`SET statement_timeout = 0`, { deadline: 600_000 });
    await session.send(sql`VACUUM (ANALYZE) employee, audit, counter, organization`, { deadline: 600_000 });
    session.destroy(new Error('its limits are others'));
  });
}

async function findPopulation(db: Pool, employees: number): Promise<Population | undefined> {
  const rows = await db.rows<{ name: string; organization: string; tenant: string }>(sql`
    SELECT o.name, o.id AS organization, t.id AS tenant
    FROM organization o JOIN tenant t ON t.organization_id = o.id ORDER BY o.id, t.id`);
  const million = rows.filter(row => row.name === `bench of ${employees}`);
  const others = rows.filter(row => row.name === 'bench other');
  if (million.length < tenantCount || others.length < 16) return undefined;
  return { organization: million[0]!.organization, tenants: million.map(row => row.tenant), others };
}

/** Adds people to the divisions of tenants, the same ones each time. */
export async function staff(
  db: Pool,
  organization: string,
  places: Place[],
  employees: number,
): Promise<void> {
  faker.seed(20261121);
  for (let done = 0; done < employees; done += batch) {
    await insertBatch(db, organization, places, done, Math.min(batch, employees - done));
    if (process.stderr.isTTY) process.stderr.write(`\r${done + batch} of ${employees} employees `);
  }
}

/** A tenant with the divisions that people are in. */
export interface Place {
  readonly tenant: string;
  readonly divisions: readonly string[];
}

async function createTenants(db: Pool, organization: string, count: number): Promise<Place[]> {
  const places: Place[] = [];
  for (let n = 0; n < count; n++) {
    const tenant = await createTenant(db, organization, `Tenant ${n}`);
    places.push({ tenant, divisions: await createDivisions(db, organization, tenant) });
  }
  return places;
}

async function createDivisions(db: Pool, organization: string, tenant: string): Promise<string[]> {
  const ids = Array.from({ length: divisionsPerTenant }, newId);
  for (const [order, id] of ids.entries()) {
    const name = `division ${order}`;
    await db.run(sql`
      INSERT INTO division (organization_id, id, tenant_id, name, folded_name, sort_order, created_at, updated_at,
        doc_version, fold_version, doc)
      VALUES (${organization}, ${id}, ${tenant}, ${name}, ${name}, ${order}, now(), now(), 1, 1, '{}')`);
    await db.run(sql`INSERT INTO division_ancestor VALUES (${organization}, ${id}, ${id})`);
  }
  return ids;
}

async function insertBatch(
  db: Pool,
  organization: string,
  places: Place[],
  first: number,
  count: number,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, offset) => {
    const n = first + offset;
    const place = places[n % places.length]!;
    const divisionId = place.divisions[Math.floor(n / places.length) % (place.divisions.length + 1)] ?? null;
    return employeeRow(newId(), newEmployee(person(n), { tenant: place.tenant, divisionId }));
  });
  await runAtClock(db, organization, operator, write => {
    insertEmployees(rows.map(row => ({ write, row })));
  });
}

/** A person with every usual field; `n` keeps the email and the number unique. */
function person(n: number) {
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  return {
    email: `${asciiName(firstName)}.${asciiName(lastName)}.${n}@example.com`,
    privateEmail: null,
    employeeNumber: String(100_000 + n),
    firstName,
    lastName,
    phoneNumber: null,
    street: faker.location.streetAddress(),
    postalCode: faker.location.zipCode(),
    city: faker.location.city(),
    countryCode: 'DE',
    additionalInfo: null,
    blocked: n % 50 === 0,
  };
}

function asciiName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
