import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { hrPermissions, type Operation } from '@kontor/contract';
import { exportOf } from '../support/contract/exports.ts';
import type { Answer, ApiClient } from '../support/contract/client.ts';
import { declarationOf } from '../support/contract/declarations.ts';
import { exampleRequest, pathOf, unknownPathOf } from '../support/contract/examples.ts';
import { asAsker, type Asker } from './askers.ts';
import { newId } from '../../src/db/ids.ts';
import { running } from '../jobs/support.ts';
import { storeIncident, storeReporter } from '../support/data/incidents.ts';
import { storeOrders } from '../support/data/orders.ts';
import { testDivision } from '../support/data/test-data.ts';
import { resourceTypeOf, isInPlace, orderIn, type Place, placesOf, type Row } from './permission-cases.ts';
import type { PortalFixture } from './support.ts';

/** Tags of operations about the caller alone. */
const tagsOfOneself: readonly string[] = ['Sessions', 'Passkeys', 'OpenID Connect', 'Notifications'];

/** Operations that every user may call, by identifier or tag, and why no user reads or changes data of others. */
const forEverybody: Readonly<Record<string, string>> = {
  getOrganizationSettings: 'it is about the own organization, and has rules that forms keep to',
  getPortalSummary: 'each part has the scope and the permission of the user (overview.test.ts)',
  getPortalTasks: 'each part has the scope and the permission of the user (overview.test.ts)',
  searchPortal: 'each kind has the scope and the permission of the user (overview.test.ts)',
  listPortalTenants: 'the companies of the user, which every page names',
  exportPortalTenants: 'as the list',
  getPortalTenant: 'as the list',
  listPortalDivisions: 'the divisions of these companies, which every page names',
  getPortalPayrollSettings: 'the rules of a company of the user, without data of persons',
  getPortalPayrollImportDescription: 'as the settings',
  'API keys': 'users manage the keys of their own companies, each with at most the access of the user',
};

const settlementIn = async (place: Place, fixture: PortalFixture) => ({
  orderId: (await orderIn(fixture, place)).id,
  month: '2026-10',
  kind: 'salary_conversion',
  meaning: 'paid_elsewhere',
  reason: 'Paid back',
});

/** Bodies that name a place, of operations with an example that does not. */
const bodiesInPlaces: Readonly<
  Record<string, (place: Place, fixture: PortalFixture, row: string | undefined) => object | Promise<object>>
> = {
  createPortalPayrollSettlement: settlementIn,
  proposePortalPayrollSettlement: settlementIn,
  /** Names an incident of the person of the order, or of another person in a place without the order. */
  async previewPortalOrderPayroll(place, { sql }, row) {
    const [found] = await sql<{ employee: string }[]>`
      SELECT employee_id AS employee FROM employee_order WHERE id = ${row} AND tenant_id = ${place.tenant}`;
    const { id } = await storeIncident(sql, place, found && { employeeId: found.employee });
    return {
      leave: { incidentId: id, type: 'parental_leave', effectiveFrom: '2026-12-01', effectiveTo: null },
    };
  },
  createPortalPayrollReversal: async (place, fixture) => ({
    period: '2026-10',
    formats: ['csv'],
    employeeId: await storeReporter(fixture.sql, place),
  }),
  createPortalPayrollRun: ({ division }) => ({ period: '2026-10', formats: ['csv'], divisionId: division }),
  async createPortalIncident(place, { sql }) {
    return { employeeId: await storeReporter(sql, place), type: 'other' };
  },
  /** Names an order of the person of the incident, or of another person in a place without an incident. */
  async updatePortalIncident(place, { sql }, row) {
    const { organization: organizationId, tenant: tenantId } = place;
    const [found] = await sql<{ employee: string }[]>`
      SELECT employee_id AS employee FROM incident WHERE id = ${row} AND tenant_id = ${tenantId}`;
    const employeeId = found?.employee ?? (await storeReporter(sql, place));
    const [order] = await storeOrders(sql, { organizationId, tenantId }, [{ ...running(null), employeeId }]);
    return { orderId: order!.id };
  },
  createPortalEmployee: ({ division }) => ({
    email: `${randomUUID()}@example.com`,
    firstName: 'Lea',
    lastName: 'Winter',
    divisionId: division,
  }),
  /** Names a new division as the place, so that it is none below the moved one. */
  async movePortalDivision({ organization: organizationId, tenant: tenantId }, { sql }, row) {
    const [found] = await sql<{ updatedAt: Date }[]>`
      SELECT updated_at AS "updatedAt" FROM division WHERE id = ${row}`;
    const parentId = await testDivision(sql, { organizationId, tenantId }, newId());
    return { expectedUpdatedAt: found!.updatedAt.toISOString(), parentId };
  },
  updatePortalEmployee: ({ division }) => ({ divisionId: division }),
  updatePortalUser: ({ tenant }) => ({ permissions: ['HR'], hrTenants: [tenant] }),
};

/** Which identifier of a place stands under a name of a body. */
const identifiers: Readonly<Record<string, 'tenant' | 'division'>> = {
  tenant: 'tenant',
  tenants: 'tenant',
  hrTenants: 'tenant',
  division: 'division',
  divisions: 'division',
  divisionId: 'division',
  parentId: 'division',
};

/** What there is to ask of an operation. */
export type Kind = 'open' | 'rows' | 'list' | 'permission' | 'own' | 'everybody' | 'places';

/**
 * By the declaration; a body that names places is asked for each of these beside that.
 * @throws AssertionError that names what to write where the declaration lacks the permissions of the operation.
 */
export function kindsOf(id: string, operation: Operation): Set<Kind> {
  const { path, fields, permission, authenticated, tag } = operation;
  const isOfRows = path.includes('{');
  if (!authenticated) {
    assert.ok(!isOfRows && !fields, `${id} must not tell of rows, since nobody is signed in`);
    return new Set(['open']);
  }
  const isOwn = tagsOfOneself.includes(tag);
  if (permission === undefined && !isOwn && !forEverybody[id] && !forEverybody[tag])
    assert.fail(
      `${id}: every user may call it. Give it a "permission" in ${declarationOf(id)}, or write into forEverybody of packages/server/test/portal/matrix.ts why no user reads data of others`,
    );
  const kinds = new Set<Kind>();
  if (isOfRows) kinds.add('rows');
  else if (fields) kinds.add('list');
  if (namesPlaces(operation.body)) kinds.add('places');
  if (permission !== undefined) kinds.add('permission');
  if (kinds.size > 0) return kinds;
  return kinds.add(isOwn ? 'own' : 'everybody');
}

/** Whether a schema has an identifier of a tenant or a division somewhere. */
function namesPlaces(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('format' in schema && schema.format === 'id') return true;
  return Object.values(schema).some(namesPlaces);
}

/** How an answer is reported. */
function reported({ status, body }: Answer<any>): string {
  return `${status} ${body?.error?.code ?? ''}`.trim();
}

const isRejected = (answer: Answer<any>) => [401, 403, 404].includes(answer.status);

/** Of what is asked: the service, and who asks. */
interface Asking {
  readonly fixture: PortalFixture;
  readonly client: ApiClient;
  readonly asker: Asker;
}

/** An answer to a user with the permission of an operation, and whether it is right. */
interface Finding {
  readonly what: string;
  readonly answer: Answer<any>;
  readonly isRight: boolean;
}

/** The differences of a service from the declaration, for each asker; none: empty. */
export async function faultsOf(
  { askers, ...service }: Omit<Asking, 'asker'> & { readonly askers: readonly Asker[] },
  id: string,
  operation: Operation,
): Promise<string[]> {
  const faults: string[] = [];
  for (const known of askers) {
    const find = isPermitted(known, operation) ? findingsOf : findingsWithoutPermission;
    const findings = await asAsker(service.fixture, known, asker =>
      find({ ...service, asker: { ...asker, tenants: tenantsOf(asker, operation) } }, id, operation),
    );
    for (const { what, answer, isRight } of findings)
      if (!isRight) faults.push(`${known.name}, ${what}: ${reported(answer)}`);
  }
  return faults;
}

/** Whether an operation is open to an asker, by its declaration. An auditor without another permission changes nothing but what is their own. */
function isPermitted({ permissions }: Asker, operation: Operation): boolean {
  const { permission, alsoPermission, onePermissionOf, method, changesNothing, success, tag } = operation;
  const isRead = method === 'GET' || changesNothing === true || success.body === 'file';
  const isOwn = tagsOfOneself.includes(tag) || !operation.authenticated;
  if (permissions.has('AUDIT')) {
    if (isRead && permission === 'HR' && alsoPermission === undefined) return true;
    if (permissions.size === 1 && !isRead && !isOwn) return false;
  }
  const required = [permission, alsoPermission].filter(name => name !== undefined);
  const hasOne = onePermissionOf?.some(name => permissions.has(name)) ?? true;
  return hasOne && required.every(name => permissions.has(name));
}

/** The work of HR is for the tenants of this permission, whatever else the user may do. */
const tenantsOf = (asker: Asker, { permission }: Operation) =>
  hrPermissions.some(name => name === permission) ? asker.hrTenants : asker.tenants;

async function findingsOf(asking: Asking, id: string, operation: Operation): Promise<Finding[]> {
  const kinds = kindsOf(id, operation);
  const findings: Finding[] = [];
  if (kinds.has('rows')) findings.push(...(await askOfRows(asking, operation)));
  if (kinds.has('list')) findings.push(...(await askForList(asking, operation)));
  if (kinds.has('places')) findings.push(...(await askOfPlaces(asking, id, operation)));
  if (kinds.has('permission') && findings.length === 0) {
    const answer = await send(asking, operation, {});
    findings.push({ what: 'anything', answer, isRight: reported(answer) !== '403 PERMISSION_DENIED' });
  }
  return findings;
}

/** About a row that does not exist, which only a user with the permission learns. */
async function findingsWithoutPermission(
  { client, asker: { key } }: Asking,
  _id: string,
  operation: Operation,
): Promise<Finding[]> {
  const sent = { ...(await exampleRequest(operation, 'portal')), key };
  const answer = await client.request(operation.method, unknownPathOf(operation), sent);
  return [{ what: 'without permission', answer, isRight: reported(answer) === '403 PERMISSION_DENIED' }];
}

/** About a row in each place: those that the asker sees are there, and all others are not found. */
async function askOfRows(asking: Asking, operation: Operation): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const row of await rowsOf(asking, operation)) {
    const { where, isSeen } = row;
    const answer = await send(asking, operation, { row });
    const isRight = isSeen ? !isRejected(answer) : reported(answer) === '404 NOT_FOUND';
    findings.push({ what: where, answer, isRight });
  }
  return findings;
}

/** Of a row in each place it lists those that the asker sees. */
async function askForList(asking: Asking, operation: Operation): Promise<Finding[]> {
  const rows = await rowsOf(asking, operation);
  const answer = await send(asking, operation, wholeOf(operation));
  // A file has the identifier in the first column.
  const listed = new Set(
    operation.success.body === 'file'
      ? String(answer.bytes)
          .split('\r\n')
          .map(line => line.split(';')[0])
      : answer.body.items?.map((item: { id: string }) => item.id),
  );
  return rows.map(({ where, id, isSeen }) => {
    return { what: `${where} in the list`, answer, isRight: listed.has(id) === isSeen };
  });
}

/** The request for all of a list, in the query or in the body. */
function wholeOf({ body, success }: Operation): Sent {
  if (!body) return { query: { pageSize: 1000 } };
  if (success.body !== 'file') return { raw: JSON.stringify({ pageSize: 1000 }) };
  return { raw: JSON.stringify('columns' in body.properties ? exportOf(['id']) : {}) };
}

/** With a body that names each place: one that the asker does not see is no reference. */
async function askOfPlaces(asking: Asking, id: string, operation: Operation): Promise<Finding[]> {
  const { fixture, asker } = asking;
  const findings: Finding[] = [];
  for (const place of placesOf(fixture.testData)) {
    const rows = operation.path.includes('{') ? await rowsOf(asking, operation) : [{ isSeen: true }];
    const seen = rows.filter(({ isSeen }) => isSeen);
    const row = seen.find(one => 'where' in one && one.where === `of ${place.name}`) ?? seen[0];
    if (row === undefined) continue;
    const raw = JSON.stringify(
      await bodyIn(id, operation, { place, fixture, row: 'id' in row ? row.id : undefined }),
    );
    const answer = await send(asking, operation, { raw, ...('id' in row && { row }) });
    const isStrange = ['422 INVALID_REFERENCE', '404 NOT_FOUND'].includes(reported(answer));
    const isRight = isInPlace(asker, place) ? !isRejected(answer) && !isStrange : isStrange;
    findings.push({ what: `with ${place.name} in the body`, answer, isRight });
  }
  return findings;
}

const rowsOf = ({ fixture, asker }: Asking, operation: Operation): Promise<Row[]> =>
  resourceTypeOf(operation)(fixture, asker);

interface Sent {
  readonly row?: Row | undefined;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly raw?: string;
}

/** Sends the example of the operation, about a row where it takes one; in a dry run where it is about none. */
async function send(
  { client, asker: { key } }: Asking,
  operation: Operation,
  { row, query, raw }: Sent,
): Promise<Answer<any>> {
  const example = await exampleRequest(operation, 'portal');
  const dryRun = row === undefined && 'dryRun' in operation.query.properties;
  return client.request(
    operation.method,
    pathOf(operation, name => row!.parts?.[name] ?? row!.id),
    {
      ...example,
      ...(raw !== undefined && { raw }),
      key,
      query: { ...example.query, ...query, ...(dryRun && { dryRun }) },
    },
  );
}

/** A body of the operation with the identifiers of a place. */
async function bodyIn(
  id: string,
  operation: Operation,
  { place, fixture, row }: { place: Place; fixture: PortalFixture; row: string | undefined },
): Promise<object> {
  const own = await bodiesInPlaces[id]?.(place, fixture, row);
  if (own) return own;
  const example = JSON.parse(String((await exampleRequest(operation, 'portal')).raw)) as object;
  const moved = movedTo(place, example) as object;
  assert.notDeepEqual(
    moved,
    example,
    `${id}: give it a body that names a place, in bodiesInPlaces of packages/server/test/portal/matrix.ts`,
  );
  return moved;
}

/** A value of a body in which each identifier is that of the place, by the name of its property. */
function movedTo(place: Place, value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(item => movedTo(place, item, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, movedTo(place, inner, key)]));
  if (typeof value !== 'string' || !/^[0-9a-f]{24}$/.test(value)) return value;
  const kind = identifiers[name];
  assert.ok(
    kind,
    `write into identifiers of packages/server/test/portal/matrix.ts what the property ${name} of a body names`,
  );
  return place[kind];
}
