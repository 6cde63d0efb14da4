import { after } from 'node:test';
import {
  allOperations,
  type ApiName,
  type DeclaredOperation,
  type Operation,
  type OperationOf,
} from '@kontor/contract';
import { newId } from '../../../src/db/ids.ts';
import { parseKey } from '../../../src/auth/api-keys.ts';
import { insertPasskey } from '../../../src/features/users/passkeys/store.ts';
import { callOf, operator, Writes } from '../../../src/write/writes.ts';
import {
  type Answer,
  type ApiClient,
  apiClient,
  type RequestOptions,
} from '../../support/contract/client.ts';
import { storePlannedImport } from '../../support/data/employee-imports.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { exampleRequest, pathOf } from '../../support/contract/examples.ts';
import { type Fixture, useFixture } from '../../support/service/fixture.ts';
import { contractInput, orderInput, productInput } from '../../support/data/orders.ts';
import { storePayrollDocument } from '../../support/data/payroll-documents.ts';
import {
  storeDraftRun,
  storePayrollProposal,
  storePayrollSettings,
  storeReleasedRun,
} from '../../support/data/payroll-runs.ts';
import { testToken } from '../../support/data/tokens.ts';
import { invitedUser, sessionOfUser, signedInUser } from '../../support/data/users.ts';

/** A credential of each API. */
export type Credentials = Readonly<Record<ApiName, string>>;

/** The segments in front of the parameters of a path. */
type Segments<Path> = Path extends `${infer Before}/{${string}}${infer After}`
  ? LastSegment<Before> | Segments<After>
  : never;
type LastSegment<Path> = Path extends `${string}/${infer After}` ? LastSegment<After> : Path;

/** Identifiers of one resource of each type, by the segment of the path in front of it. */
export type Rows = Readonly<Record<string, string>>;

/** With those of all operations: the compiler names a type that {@link makeParty} does not store. */
type AllRows = Rows & Readonly<Record<Segments<OperationOf<ApiName>['path']>, string>>;

/** An organization with a resource of each type, and credentials that may do everything there and nothing elsewhere. */
export interface Party {
  readonly credentials: Credentials;
  readonly rows: Rows;
  readonly userId: string;
}

/** The fixture of all tests, with clients of all APIs. They send the credentials of `own`. */
export interface ApisFixture extends Fixture {
  readonly clients: Readonly<Record<ApiName, ApiClient>>;
  readonly own: Party;
  readonly foreign: Party;
  /** Sends the example of an operation about these resources, but for what `sent` changes. */
  send(declared: DeclaredOperation, rows: Rows, sent?: RequestOptions): Promise<Answer<any>>;
}

export { allOperations, type DeclaredOperation };

/** Operations with a credential. */
export const authenticated = allOperations.filter(({ operation }) => operation.authenticated);

/** Operations with a JSON body. */
export const withBody = allOperations.filter(({ operation }) => operation.body);

/** As `useFixture`, with all APIs and a resource of each type in two organizations. */
export function useApis(prepare: (fixture: ApisFixture) => Promise<void> = async () => {}): ApisFixture {
  const fixture = Object.assign(
    useFixture(async ({ sql, testData, service }) => {
      const { organization, tenantA, sales, foreign } = testData;
      const clients: Record<ApiName, ApiClient> = {
        public: apiClient(service.url, { key: testData.keys.all }),
        platform: apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) }),
        portal: apiClient(service.url, { api: 'portal' }),
      };
      Object.assign(fixture, { clients });
      const place = { organization, tenant: tenantA, division: sales, key: testData.keys.all };
      const own = await makeParty(fixture, place);
      const other = await makeParty(fixture, { ...foreign, key: testData.keys.foreign });
      Object.assign(fixture, { own, foreign: other });
      await prepare(fixture);
    }),
    {
      async send({ operation, apiName }: DeclaredOperation, rows: Rows, sent: RequestOptions = {}) {
        const { headers, ...example } = await exampleRequest(operation, apiName);
        const options = { key: fixture.own.credentials[apiName], ...example, ...sent };
        return fixture.clients[apiName].request(operation.method, pathIn(operation, rows), {
          ...options,
          headers: { ...headers, ...sent.headers },
          query: { ...example.query, ...sent.query },
        });
      },
    },
  ) as ApisFixture;
  after(() => Object.values(fixture.clients ?? {}).forEach(client => client.close()));
  return fixture;
}

/** The path of an operation about these resources. */
export function pathIn(operation: Operation, rows: Rows): string {
  return pathOf(operation, name => {
    const segments = operation.path.split(`/{${name}}`)[0]!.split('/');
    const segment = name === 'organizationId' ? 'organizations' : segments.at(-1)!;
    // A part that two resource types have, such as attachments, is named with its own.
    const id = rows[`${segments.at(-3)}/${segment}`] ?? rows[segment];
    if (id === undefined)
      throw new Error(
        `${operation.path}: store a resource of ${segment} in test/security/owasp-api/support.ts`,
      );
    return id;
  });
}

interface Place {
  readonly organization: string;
  readonly tenant: string;
  readonly division: string;
  /** An API key of the organization. */
  readonly key: string;
}

async function makeParty(fixture: ApisFixture, place: Place): Promise<Party> {
  const { sql } = fixture;
  const { organization, tenant, division, key } = place;
  const signedIn = await signedInUser(sql, organization, {
    permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
    hrTenants: null,
  });
  const credentials = {
    public: key,
    platform: await testToken(sql, { organizations: [organization] }),
    portal: signedIn.secret,
  };
  const userId = signedIn.user.id;
  const other = (await invitedUser(sql, organization)).id;
  const document = await storePayrollDocument(sql, organization, { tenant });
  await storePayrollSettings(sql, organization, tenant);
  const rows: AllRows = {
    organizations: organization,
    tenants: tenant,
    divisions: division,
    users: other,
    'users/sessions': (await sessionOfUser(sql, organization, other)).sessionId,
    'api-keys': parseKey(key)!.id,
    sessions: (await sessionOfUser(sql, organization, userId)).sessionId,
    passkeys: await makePasskey(fixture, organization, userId),
    'payroll-export-documents': document.id,
    'employee-imports': await storePlannedImport(sql, organization, tenant),
    'payroll-proposals': await storePayrollProposal(sql, organization, { tenant }),
    'payroll-runs': await storeDraftRun(sql, organization, tenant),
    'released-payroll-runs': await storeReleasedRun(sql, organization, tenant),
    ...(await makeProcesses(fixture, place, credentials)),
  };
  await sql`
    INSERT INTO decision_rule (organization_id, tenant_id, version, approve_up_to, changed_at)
    VALUES (${organization}, ${tenant}, 1, 1, now())`;
  return { credentials, rows, userId };
}

/** An employee with an order, its attachment and an incident. */
async function makeProcesses(
  { sql, clients }: ApisFixture,
  { organization, tenant, division, key }: Place,
  credentials: Credentials,
) {
  const [employee] = await storeEmployees(sql, organization, [{ tenant, divisionId: division }]);
  await sql`UPDATE employee SET activated_at = now() WHERE organization_id = ${organization} AND id = ${employee!.id}`;
  const { platform } = credentials;
  const intake = orderInput({
    externalId: newId(),
    employeeId: employee!.id,
    products: [productInput()],
    contract: contractInput(),
  });
  const orders = `/organizations/${organization}/orders`;
  const order = await clients.platform.post(orders, intake, { key: platform });
  const file = { bytes: Buffer.from('%PDF-1.7\n%%EOF\n'), fileName: 'a.pdf' };
  const attached = await clients.platform.upload(`${orders}/${order.body.id}/attachments`, file, {
    key: platform,
  });
  const report = {
    employeeId: employee!.id,
    type: 'other',
    orderId: order.body.id,
    occurredOn: '2026-09-02',
  };
  const incident = await clients.public.post('/incidents', { ...report, description: 'Lost' }, { key });
  const evidence = await clients.public.upload(`/incidents/${incident.body.id}/attachments`, file, { key });
  return {
    employees: employee!.id,
    orders: order.body.id as string,
    // A version needs an order that is active; this one is under review, as decisions of the tests need it.
    'contract-versions': newId(),
    attachments: attached.body.id as string,
    incidents: incident.body.id as string,
    'incidents/attachments': evidence.body.id as string,
  };
}

async function makePasskey({ sql }: ApisFixture, organization: string, userId: string): Promise<string> {
  const id = newId();
  const made = { publicKey: Buffer.alloc(1), uses: 0, transports: [], synced: false, name: 'Phone' };
  await new Writes(sql).runWithoutClock(callOf(organization, operator), (write, session) =>
    insertPasskey(write, session, userId, { ...made, id, credentialId: id }),
  );
  return id;
}

/** Status and code of an answer. */
export function outcomeOf({ status, body }: Answer<any>): string {
  return `${status} ${body?.error?.code ?? ''}`.trim();
}

/** Status and body of an answer, without what differs from request to request: its identifier, and these of what was asked. */
export function contentOf({ status, headers, bytes }: Answer<any>, ...ids: readonly string[]): string {
  const differing = [String(headers['x-request-id']), ...ids];
  return `${status} ${differing.reduce((text, id) => text.replaceAll(id, 'id'), bytes.toString())}`;
}

/** Tables that requests change which do not write: uses of credentials, challenges, downloads, and what the service does in the background. */
const ofRequests = /^(audit.*|key_.*|portal_session|portal_challenge|payroll_download|setting|file_pending)$/;

/** Columns that follow from requests which do not write. */
const ofUse = ['last_used_at', 'last_success_at', 'recent_failures', 'watched_from'];

/** A digest of each table but {@link ofRequests}: what a rejected request must leave alone. */
export async function storedState({ sql }: Pick<Fixture, 'sql'>): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
      AND NOT relispartition ORDER BY relname`;
  const without = ofUse.map(column => ` - '${column}'`).join('');
  const digests = tables
    .filter(({ name }) => !ofRequests.test(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(string_agg((to_jsonb(t)${without})::text, ' ' ORDER BY to_jsonb(t)::text)) AS digest FROM "${name}" t`,
    );
  const rows = await sql.unsafe<{ name: string; digest: string }>(digests.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
