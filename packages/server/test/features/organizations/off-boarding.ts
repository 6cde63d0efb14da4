import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { createOrganization, createTenant } from '../../../src/features/organizations/store.ts';
import { kontorHere } from '../../cli/in-process.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { storePlannedImport } from '../../support/data/employee-imports.ts';
import { storeIncident } from '../../support/data/incidents.ts';
import { storePayrollDocument } from '../../support/data/payroll-documents.ts';
import {
  storeDraftRun,
  storePayrollProposal,
  storePayrollSettings,
  storeReleasedRun,
} from '../../support/data/payroll-runs.ts';
import { testDivision, testKey } from '../../support/data/test-data.ts';
import { type SignedInUser, signedInUser } from '../../support/data/users.ts';
import type { Sql } from '../../support/database/sql.ts';
import { type Fixture, useFixture } from '../../support/service/fixture.ts';

export interface Customer {
  readonly organization: string;
  readonly tenant: string;
  readonly name: string;
  readonly key: string;
  readonly user: SignedInUser;
}

let made = 0;

/** Stores a customer with something of nearly everything, and divisions below each other. */
export async function storeCustomer(sql: Sql, employees = 3): Promise<Customer> {
  const name = `Abschied ${++made} GmbH`;
  const organization = await createOrganization(sql, name);
  const tenant = await createTenant(sql, organization, name);
  const place = { organizationId: organization, tenantId: tenant };
  const root = await testDivision(sql, place, 'Vertrieb');
  const middle = await testDivision(sql, { ...place, parentId: root }, 'Nord');
  const divisionId = await testDivision(sql, { ...place, parentId: middle }, 'Kiel');
  const staff = Array.from({ length: employees }, () => ({ tenant, divisionId }));
  if (employees > 0) await storeEmployees(sql, organization, staff);
  await storeIncident(sql, { organization, tenant });
  await storePayrollDocument(sql, organization, { tenant });
  await storePayrollSettings(sql, organization, tenant);
  await storeReleasedRun(sql, organization, tenant);
  await storeDraftRun(sql, organization, tenant);
  await storePayrollProposal(sql, organization, { tenant });
  await storePlannedImport(sql, organization, tenant);
  const key = await testKey(sql, organization, { divisions: [{ tenant, id: middle }] });
  const user = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
  return { organization, tenant, name, key, user };
}

const uses = ['key_usage', 'key_hour', 'key_operation', 'key_error', 'key_poll'];

/** Counts the rows of an organization in each table. The uses of keys are left out: a service writes them later. */
export async function countTables(sql: Sql, organization: string): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name <> ALL(${uses}::text[])
    ORDER BY 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ n: number }>(
      `SELECT count(*)::int AS n FROM "${name}" WHERE organization_id = '${organization}'`,
    );
    if (row!.n > 0) counts[name] = row!.n;
  }
  return counts;
}

/** Ends the grace period of a closed organization. */
export async function endGrace(sql: Sql, organization: string): Promise<void> {
  await sql`UPDATE organization SET deletable_from = now() WHERE id = ${organization}`;
}

export interface OffBoarding extends Fixture {
  readonly folder: string;
  run(...args: string[]): ReturnType<typeof kontorHere>;
  /** Runs a command that must succeed. */
  json(...args: string[]): Promise<Record<string, any>>;
  /** Runs a command that must fail, and returns its message. */
  error(...args: string[]): Promise<string>;
}

/** A service, and commands on its database. */
export function useOffBoarding(): OffBoarding {
  const run = (...args: string[]) =>
    kontorHere(args, { DATABASE_URL: fixture.databaseUrl, KONTOR_DATA_DIR: fixture.folder });
  const fixture: OffBoarding = Object.assign(
    useFixture(async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'kontor-off-boarding-'));
      Object.assign(fixture, { folder });
    }),
    {
      run,
      async json(...args: string[]) {
        const { code, stdout, stderr } = await run(...args, '--json');
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout) as Record<string, any>;
      },
      async error(...args: string[]) {
        const { code, stderr } = await run(...args);
        assert.equal(code, 1, 'the command must fail');
        return stderr;
      },
    },
  ) as OffBoarding;
  after(() => rm(fixture.folder, { recursive: true, force: true }));
  return fixture;
}
