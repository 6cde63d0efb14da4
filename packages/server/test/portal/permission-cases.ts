import assert from 'node:assert/strict';
import type { Operation, Order } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import { insertPasskey } from '../../src/features/users/passkeys/store.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { storePlannedImport } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { storeIncident } from '../support/data/incidents.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { storeDraftRun, storePayrollProposal, storePayrollSettings } from '../support/data/payroll-runs.ts';
import { invitedUser, sessionOfUser } from '../support/data/users.ts';
import { testKey, type TestGrants } from '../support/data/test-data.ts';
import { type Asker, isWithin } from './askers.ts';
import type { PortalFixture } from './support.ts';

/** A row that an operation may be asked about, and whether the asker sees it. */
export interface Row {
  readonly where: string;
  readonly id: string;
  readonly isSeen: boolean;
  /** Identifiers of its parts, by the name of the parameter. */
  readonly parts?: Readonly<Record<string, string>>;
}

/**
 * The rows behind a first segment of a path, made for this asker. There is one in each place that matters: a company of the asker's,
 * another one, another organization; of oneself, of another user.
 */
type PermissionCase = (fixture: PortalFixture, asker: Asker) => Promise<Row[]>;

const resourceTypes: Readonly<Record<string, PermissionCase>> = {
  'audit-entries': audit,
  'api-keys': keys,
  tenants,
  divisions: ({ testData }, asker) => Promise.resolve(inPlaces(testData, asker, ({ division }) => division)),
  sessions: ofUsers(async ({ sql }, organization, userId) => {
    return (await sessionOfUser(sql, organization, userId)).sessionId;
  }),
  passkeys: ofUsers(async ({ sql }, organization, userId) => {
    const id = newId();
    const made = { publicKey: Buffer.alloc(1), uses: 0, transports: [], synced: false, name: 'Phone' };
    await new Writes(sql).runWithoutClock(callOf(organization, operator), (write, session) =>
      insertPasskey(write, session, userId, { ...made, id, credentialId: id }),
    );
    return id;
  }),
  users,
  employees,
  'employee-imports': employeeImports,
  orders,
  'payroll-proposals': payrollProposals,
  'payroll-runs': payrollRuns,
  'payroll-export-documents': payrollDocuments,
  incidents,
};

/** The resource type of an operation. @throws AssertionError that names the file for an operation without one */
export function resourceTypeOf({ path }: Operation): PermissionCase {
  const segment = path.split('/')[1]!;
  const resourceType = resourceTypes[segment];
  assert.ok(
    resourceType,
    `${path}: add ${segment} to resourceTypes in packages/server/test/portal/permission-cases.ts, which stores a row of it in each place and names the callers with access`,
  );
  return resourceType;
}

/** A place in an organization: a tenant and a division of it. */
export interface Place {
  readonly name: string;
  readonly organization: string;
  readonly tenant: string;
  readonly division: string;
}

export function placesOf(testData: PortalFixture['testData']): Place[] {
  const { organization, tenantA, tenantB, sales, lager, foreign } = testData;
  return [
    { name: 'company A', organization, tenant: tenantA, division: sales },
    { name: 'company B', organization, tenant: tenantB, division: lager },
    { name: 'another organization', ...foreign },
  ];
}

export function isInPlace(asker: Asker, { organization, tenant }: Place): boolean {
  return isWithin(asker, { organization, tenants: [tenant] });
}

function inPlaces(testData: PortalFixture['testData'], asker: Asker, idOf: (place: Place) => string): Row[] {
  return placesOf(testData).map(place => ({
    where: `of ${place.name}`,
    id: idOf(place),
    isSeen: isInPlace(asker, place),
  }));
}

/** Each has payroll settings and a decision rule. */
async function tenants({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  for (const { organization, tenant } of placesOf(testData)) {
    await storePayrollSettings(sql, organization, tenant);
    await sql`DELETE FROM decision_rule WHERE organization_id = ${organization} AND tenant_id = ${tenant}`;
    await sql`
      INSERT INTO decision_rule (organization_id, tenant_id, version, approve_up_to, changed_at)
      VALUES (${organization}, ${tenant}, 1, 1, now())`;
  }
  return inPlaces(testData, asker, ({ tenant }) => tenant);
}

/** Each is a draft, the only open run of its company. */
async function payrollRuns({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const rows = placesOf(testData).map(async place => {
    const { organization, tenant } = place;
    await storePayrollSettings(sql, organization, tenant);
    await sql`DELETE FROM payroll_run WHERE organization_id = ${organization} AND tenant_id = ${tenant}`;
    const id = await storeDraftRun(sql, organization, tenant);
    return { where: `of ${place.name}`, id, isSeen: isInPlace(asker, place) };
  });
  return Promise.all(rows);
}

async function payrollProposals({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const rows = placesOf(testData).map(async place => {
    const { organization, tenant } = place;
    await storePayrollSettings(sql, organization, tenant);
    const id = await storePayrollProposal(sql, organization, { tenant });
    return { where: `of ${place.name}`, id, isSeen: isInPlace(asker, place) };
  });
  return Promise.all(rows);
}

/** Each is planned, the only open import of its company. */
async function employeeImports({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const rows = placesOf(testData).map(async place => {
    const { organization, tenant } = place;
    await sql`DELETE FROM employee_import WHERE organization_id = ${organization} AND tenant_id = ${tenant}`;
    const id = await storePlannedImport(sql, organization, tenant);
    return { where: `of ${place.name}`, id, isSeen: isInPlace(asker, place) };
  });
  return Promise.all(rows);
}

async function payrollDocuments({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const rows = placesOf(testData).map(async place => {
    const { organization, tenant } = place;
    const { id } = await storePayrollDocument(sql, organization, { tenant });
    return { where: `of ${place.name}`, id, isSeen: isInPlace(asker, place) };
  });
  return Promise.all(rows);
}

async function keys({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const { organization, tenantA, tenantB, sales, foreign } = testData;
  const make = async (where: string, tenants: 'all' | string[], grants: TestGrants, of = organization) => ({
    where,
    id: parseKey(await testKey(sql, of, grants))!.id,
    isSeen: isWithin(asker, { organization: of, tenants }),
  });
  const ofSales = { divisions: [{ tenant: tenantA, id: sales }] };
  const foreigner = { tenants: [foreign.tenant] };
  return [
    await make('of company A', [tenantA], { tenants: [tenantA] }),
    await make('of a division of company A', [tenantA], ofSales),
    await make('of company B', [tenantB], { tenants: [tenantB] }),
    await make('of both companies', [tenantA, tenantB], { tenants: [tenantA, tenantB] }),
    await make('of the organization', 'all', 'all'),
    await make('of another organization', [foreign.tenant], foreigner, foreign.organization),
  ];
}

async function users({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const make = async (where: string, organization: string) => {
    const { id } = await invitedUser(sql, organization);
    const { sessionId } = await sessionOfUser(sql, organization, id);
    return { where, id, parts: { sessionId }, isSeen: isWithin(asker, { organization, tenants: 'all' }) };
  };
  return [
    await make('of the organization', testData.organization),
    await make('of another organization', testData.foreign.organization),
  ];
}

/** The first entry of each organization, which every page begins with. */
async function audit({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const first = async (where: string, organization: string) => {
    const [entry] = await sql<{ id: string }[]>`
      SELECT id FROM audit WHERE organization_id = ${organization} ORDER BY id LIMIT 1`;
    return { where, id: entry!.id, isSeen: isWithin(asker, { organization, tenants: 'all' }) };
  };
  return [
    await first('of the organization', testData.organization),
    await first('of another organization', testData.foreign.organization),
  ];
}

async function employees({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const rows = placesOf(testData).map(async place => {
    const { organization, tenant, division: divisionId } = place;
    const [person] = await storeEmployees(sql, organization, [{ tenant, divisionId }]);
    return { where: `of ${place.name}`, id: person!.id, isSeen: isInPlace(asker, place) };
  });
  return Promise.all(rows);
}

/** Stores an order of a new employee in a place. */
export async function orderIn({ sql }: PortalFixture, { organization, tenant }: Place): Promise<Order> {
  const [person] = await storeEmployees(sql, organization, [{ tenant }]);
  const target = { organizationId: organization, tenantId: tenant };
  const [order] = await storeOrders(sql, target, [orderInput({ employeeId: person!.id })]);
  return order!;
}

/** Each has a document. */
async function orders(fixture: PortalFixture, asker: Asker): Promise<Row[]> {
  const { sql } = fixture;
  const files = databaseStore(sql);
  const document = { kind: 'offer', fileName: 'offer.png', mediaType: 'image/png', bytes: png } as const;
  const rows = placesOf(fixture.testData).map(async place => {
    const order = await orderIn(fixture, place);
    const target = { organizationId: place.organization, orderId: order.id };
    const { id: attachmentId } = await attachToOrder({ db: sql, files }, target, document);
    const isSeen = isInPlace(asker, place);
    return { where: `of ${place.name}`, id: order.id, isSeen, parts: { attachmentId } };
  });
  return Promise.all(rows);
}

/** Each is complete and has a file. */
async function incidents({ sql, testData }: PortalFixture, asker: Asker): Promise<Row[]> {
  const rows = placesOf(testData).map(async place => {
    const { id, attachments } = await storeIncident(sql, place);
    const parts = { attachmentId: attachments[0]!.id };
    return { where: `of ${place.name}`, id, isSeen: isInPlace(asker, place), parts };
  });
  return Promise.all(rows);
}

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Rows that belong to one user alone, with `make` for that user: no other user reads it. */
function ofUsers(
  make: (fixture: PortalFixture, organization: string, userId: string) => Promise<string>,
): PermissionCase {
  return async (fixture, asker) => {
    const { organization, foreign } = fixture.testData;
    const row = async (where: string, of: string, userId: string) => ({
      where,
      id: await make(fixture, of, userId),
      isSeen: userId === asker.userId,
    });
    const other = async (of: string) => (await invitedUser(fixture.sql, of)).id;
    return [
      await row('of oneself', asker.organization, asker.userId),
      await row('of somebody else', organization, await other(organization)),
      await row('of another organization', foreign.organization, await other(foreign.organization)),
    ];
  };
}
