import assert from 'node:assert/strict';
import {
  blockPortalEmployee,
  apis,
  isWriteOfUser,
  type Operation,
  reactivatePortalApiKey,
  reactivatePortalUser,
} from '@kontor/contract';
import { hashPassword } from '../../src/features/users/passwords/hash.ts';
import type { Asker } from '../portal/askers.ts';
import { resourceTypeOf, type Row } from '../portal/permission-cases.ts';
import { password, type PortalFixture, sessionOf } from '../portal/support.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { Authenticator } from '../support/servers/authenticator.ts';
import type { ApiClient, RequestOptions } from '../support/contract/client.ts';
import { exampleRequest, pathOf } from '../support/contract/examples.ts';
import { storeIncident, storeReporter } from '../support/data/incidents.ts';
import { IssuerVisitor, linkPaths, type TestIssuer } from '../support/servers/issuer.ts';
import { payrollCompany, storeActiveOrder } from '../support/data/payroll-company.ts';
import { storeContractChanges } from '../support/data/orders.ts';
import { testDivision } from '../support/data/test-data.ts';
import { sessionOfUser, signedInUser } from '../support/data/users.ts';

/** Every operation of the portal that writes as a signed-in user, by the contract. */
export const writesOfUsers = Object.entries<Operation>(apis.portal.operations).filter(([, operation]) =>
  isWriteOfUser(operation, apis.portal),
);

/** What a test of portal writes needs. */
export interface Setting {
  readonly fixture: PortalFixture;
  /** A client of the service that the writes go to. */
  readonly portal: ApiClient;
  readonly issuer: TestIssuer;
}

/** A user who may do everything, with a password, who is signed in, also on another device. */
export type Someone = Asker & { readonly email: string; readonly otherKey: string };

let passwordHash: string | undefined;

export async function someone({ fixture: { sql, testData } }: Setting): Promise<Someone> {
  const { organization } = testData;
  const permissions = ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'] as const;
  const { user, secret } = await signedInUser(sql, organization, {
    permissions: [...permissions],
    hrTenants: null,
  });
  passwordHash ??= await hashPassword(password, '127.0.0.1');
  await sql`
    UPDATE portal_user SET password_hash = ${passwordHash}, link_id = NULL, link_hash = NULL, link_expires_at = NULL
    WHERE organization_id = ${organization} AND id = ${user.id}`;
  return {
    name: 'all permissions',
    userId: user.id,
    email: user.email,
    key: secret,
    otherKey: (await sessionOfUser(sql, organization, user.id)).secret,
    organization,
    permissions: new Set(permissions),
    tenants: 'all',
    hrTenants: 'all',
  };
}

/** What is sent of a write that the service accepts. */
export type Prepared = RequestOptions & Partial<Pick<Row, 'parts'>> & { readonly row?: string };

const json = (body: object): Prepared => ({
  raw: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const origin = 'https://kontor.example.com';
let made = 0;

/** How the request of an operation is made for which the example of the contract is not enough. */
const prepared: Readonly<Record<string, (setting: Setting, who: Someone) => Promise<Prepared> | Prepared>> = {
  confirmPassword: () => json({ password }),
  createPortalApiKey: () => json({ name: 'Raced', wholeOrganization: true }),
  createPortalDivision: ({ fixture: { testData } }) =>
    json({ name: `Raced ${++made}`, parentId: testData.sales }),
  async updatePortalDivision(setting) {
    const { id: row, expectedUpdatedAt } = await storeDivision(setting);
    return { ...json({ expectedUpdatedAt, costCenter: `${++made}` }), row };
  },
  async movePortalDivision(setting) {
    const { id: row, expectedUpdatedAt } = await storeDivision(setting);
    return { ...json({ expectedUpdatedAt, parentId: setting.fixture.testData.sales }), row };
  },
  createPortalEmployee: ({ fixture: { testData } }) =>
    json({
      email: `raced${++made}@example.com`,
      firstName: 'Petra',
      lastName: 'Lang',
      divisionId: testData.sales,
    }),
  planEmployeeImport: () =>
    json({ headerRow: 1, matchBy: 'email', columns: [{ column: 0, field: 'email', emptyClears: false }] }),
  answerEmployeeImport: () => json({ answer: 'import' }),
  setPortalDecisionRule: () => json({ approveUpTo: '120.00', expectedVersion: 1 }),
  createPortalUser: () =>
    json({ email: `raced${++made}@example.com`, name: 'Raced', language: 'de', permissions: ['IT'] }),
  async createPortalPayrollRun({ fixture: { sql, testData } }) {
    const row = await payrollCompany(sql, testData.organization, `Raced ${++made}`, {});
    return { ...json({ period: '2026-10', formats: ['csv'] }), row };
  },
  async createPortalPayrollReversal({ fixture: { sql, testData } }) {
    const { organization } = testData;
    const row = await payrollCompany(sql, organization, `Raced ${++made}`, {});
    const { employeeId } = await storeActiveOrder(sql, { organization, tenant: row });
    const months = { employeeId, firstMonth: '2026-09', lastMonth: '2026-10' };
    return { ...json({ period: '2026-10', formats: ['csv'], ...months }), row };
  },
  createPortalPayrollSettlement: settlementOf,
  proposePortalPayrollSettlement: settlementOf,
  recordPortalContractEnd: async setting => ({
    ...json({ lastDay: '2026-12-31', reason: 'leaver' }),
    row: await storeActive(setting),
  }),
  withdrawPortalContractEnd: async setting => ({ row: (await storeChanged(setting)).id }),
  recordPortalContractVersion: async setting => ({
    ...json({ from: '2026-10', leasingRate: '90.00' }),
    row: await storeActive(setting),
  }),
  async withdrawPortalContractVersion(setting) {
    const parts = await storeChanged(setting);
    return { row: parts.id, parts };
  },
  setPortalPayrollSettings: () => json({ ...settingsInput, cutOffDay: (++made % 28) + 1 }),
  updatePortalEmployee: () => json({ city: `Kiel ${++made}` }),
  changePortalEmployeeEmail: () => json({ email: `neu${++made}@example.com` }),
  async blockPortalEmployee(setting, who) {
    const { id } = await rowOf(setting, who, blockPortalEmployee);
    const [row] = await setting.fixture.sql`SELECT blocked FROM employee WHERE id = ${id}`;
    return { ...json({ blocked: !row!['blocked'] }), row: id };
  },
  async createPortalIncident({ fixture: { sql, testData } }) {
    const { organization, tenantA: tenant } = testData;
    return json({ employeeId: await storeReporter(sql, { organization, tenant }), type: 'other' });
  },
  async recordPortalIncidentLeave({ fixture: { sql, testData } }) {
    const place = { organization: testData.organization, tenant: testData.tenantA };
    const leave = { type: 'parental_leave', status: 'completed', effectiveFrom: '2026-09-01' } as const;
    const { id: row } = await storeIncident(sql, place, leave);
    return { ...json({ comment: `Absprache ${++made}` }), row };
  },
  async removePortalIncidentFile({ fixture: { sql, testData } }) {
    const place = { organization: testData.organization, tenant: testData.tenantA };
    const { id: row, attachments } = await storeIncident(sql, place);
    return { row, parts: { id: row, attachmentId: attachments[0]!.id } };
  },
  updatePortalIncident: () => json({ description: `Rahmen ${++made}` }),
  updateNotificationSettings: () => json({ byMail: false }),
  updateOrganizationSettings: () => json({ name: `Raced ${++made}` }),
  updateOrganizationRetention: () => json({ auditDays: 90 + ++made }),
  renamePortalTenant: () => json({ name: `Raced ${++made}` }),
  updatePortalTenantRetention: () => json({ otherDays: ++made }),
  updatePortalUser: () => json({ name: `Raced ${++made}` }),
  reactivatePortalApiKey: (setting, who) => deactivated(setting, who, reactivatePortalApiKey),
  reactivatePortalUser: (setting, who) => deactivated(setting, who, reactivatePortalUser),
  async createPasskey({ portal }, { key }) {
    const { body } = await portal.request('POST', '/passkeys/challenge', { key });
    return json(new Authenticator(origin).create(body, 'Phone'));
  },
  async confirmWithPasskey({ portal }, { key }) {
    const authenticator = new Authenticator(origin);
    const { body } = await portal.request('POST', '/passkeys/challenge', { key });
    const { status } = await portal.post('/passkeys', authenticator.create(body, 'Phone'), { key });
    assert.equal(status, 200);
    const begun = await portal.request('POST', '/session/confirmation/passkey-challenge', { key });
    return json(authenticator.use(begun.body));
  },
  async confirmWithOpenId(setting, who) {
    const browser = new IssuerVisitor();
    const key = await signInAtIssuer(setting, who, browser);
    const begun = await beginAtIssuer(setting, who, browser, '/session/confirmation/openid-request', key);
    return { ...begun, key, headers: { ...begun.headers, cookie: `${begun.cookie}; __Host-kontor=${key}` } };
  },
  async linkOpenId(setting, who) {
    const { cookie, raw, headers } = await beginLink(setting, who, new IssuerVisitor());
    return { raw: raw!, headers: { ...headers, cookie: `${cookie}; __Host-kontor=${who.key}` } };
  },
  async unlinkOpenId(setting, who) {
    await signInAtIssuer(setting, who, new IssuerVisitor());
    return {};
  },
};

/** The request of an operation by this user, about a row that they see where it takes one. */
export async function prepare(
  setting: Setting,
  who: Someone,
  [name, operation]: readonly [string, Operation],
): Promise<(query?: { dryRun: true }) => ReturnType<ApiClient['request']>> {
  const special = await prepared[name]?.(setting, who);
  const takesRow = operation.path.includes('{');
  const id = special?.row ?? '';
  const row: Pick<Row, 'id' | 'parts'> =
    takesRow && id === ''
      ? await rowOf(setting, who, operation)
      : { id, ...(special?.parts && { parts: special.parts }) };
  const example = special?.raw ? {} : await exampleRequest(operation, 'portal');
  const { row: _row, parts: _parts, ...sent } = { key: who.key, ...example, ...special };
  return query =>
    setting.portal.request(
      operation.method,
      pathOf(operation, name => row.parts?.[name] ?? row.id),
      query === undefined ? sent : { ...sent, query },
    );
}

async function rowOf({ fixture }: Setting, who: Someone, operation: Operation): Promise<Row> {
  const rows = await resourceTypeOf(operation)(fixture, who);
  return rows.find(({ isSeen }) => isSeen)!;
}

/** Stores a division of company A, and answers the version that a user reads. */
async function settlementOf({ fixture: { sql, testData } }: Setting): Promise<Prepared> {
  const { organization } = testData;
  const tenant = await payrollCompany(sql, organization, `Raced ${++made}`, {});
  const { orderId } = await storeActiveOrder(sql, { organization, tenant });
  const settled = {
    month: '2026-09',
    kind: 'salary_conversion',
    meaning: 'paid_elsewhere',
    reason: 'Paid back',
  };
  return json({ orderId, ...settled });
}

async function storeDivision({ fixture: { sql, testData } }: Setting) {
  const { organization: organizationId, tenantA: tenantId } = testData;
  const id = await testDivision(sql, { organizationId, tenantId }, `Raced ${++made}`);
  const [division] = await sql<{ updatedAt: Date }[]>`
    SELECT updated_at AS "updatedAt" FROM division WHERE organization_id = ${organizationId} AND id = ${id}`;
  return { id, expectedUpdatedAt: division!.updatedAt.toISOString() };
}

async function storeActive({ fixture: { sql, testData } }: Setting): Promise<string> {
  const { organization, tenantA: tenant } = testData;
  const employee = { employeeNumber: `raced ${++made}` };
  return (await storeActiveOrder(sql, { organization, tenant }, { employee })).orderId;
}

/** Stores an order whose contract has an early end and a version. */
async function storeChanged(setting: Setting): Promise<{ id: string; versionId: string }> {
  const { sql, testData } = setting.fixture;
  const id = await storeActive(setting);
  return { id, versionId: await storeContractChanges(sql, testData.organization, id) };
}

/** A row that can be reactivated. */
async function deactivated(setting: Setting, who: Someone, operation: Operation): Promise<Prepared> {
  const { id: row } = await rowOf(setting, who, operation);
  const path = pathOf(operation, () => row).replace(/reactivation$/, 'deactivation');
  assert.equal((await setting.portal.request('POST', path, { key: who.key })).status, 200);
  return { row };
}

/** Begins to connect an identity at the issuer. */
function beginLink(setting: Setting, who: Someone, browser: IssuerVisitor) {
  setting.issuer.staff.set(who.userId, {});
  return beginAtIssuer(setting, who, browser, linkPaths.begin, who.key);
}

/** Connects an identity at the issuer, signs in with it, and answers the session. */
async function signInAtIssuer(setting: Setting, who: Someone, browser: IssuerVisitor): Promise<string> {
  const { portal } = setting;
  const linking = await beginLink(setting, who, browser);
  const linked = await portal.request('POST', linkPaths.finish, {
    raw: linking.raw!,
    headers: { ...linking.headers, cookie: `${linking.cookie}; __Host-kontor=${who.key}` },
  });
  assert.equal(linked.status, 200);
  const { cookie, raw, headers } = await beginAtIssuer(setting, who, browser, '/session/openid-request');
  const answer = await portal.request('POST', '/session/openid', {
    raw: raw!,
    headers: { ...headers, cookie },
  });
  assert.equal(answer.status, 200);
  return sessionOf(answer);
}

/** Begins at the issuer, and answers what the browser comes back with. */
async function beginAtIssuer(
  { portal }: Setting,
  { userId }: Someone,
  browser: IssuerVisitor,
  path: string,
  key?: string,
): Promise<Prepared & { readonly cookie: string }> {
  const begun = await portal.request('POST', path, key === undefined ? {} : { key });
  const cookie = begun.headers['set-cookie']![0]!.split(';')[0]!;
  const leadsTo = `${origin}/portal/sign-in/openid`;
  const { searchParams } = await browser.signIn(begun.body.location as string, userId, leadsTo);
  return { ...json(Object.fromEntries(searchParams)), cookie };
}
