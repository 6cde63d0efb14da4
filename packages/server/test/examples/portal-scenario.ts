import type { IncomingMessage } from 'node:http';
import { apis, bodyLimits, type ErrorCode, type Recorded } from '@kontor/contract';
import { KeyUse } from '../../src/features/keys/usage/key-use.ts';
import { writeUses } from '../../src/features/keys/usage/write.ts';
import { loginLimits } from '../../src/features/users/sessions/login-throttle.ts';
import { sessionOf } from '../portal/support.ts';
import { Authenticator } from '../support/authenticator.ts';
import { apiClient } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { IssuerVisitor, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import type { Sql } from '../support/sql.ts';
import { invitedUser, secretOf, sessionOfUser, signedInUser } from '../support/users.ts';
import { insertTestData } from '../support/test-data.ts';
import { workOfAdmin } from './portal-company.ts';
import { importEmployees } from './portal-imports.ts';
import { workOfHr } from './portal-hr.ts';
import { workOfPayroll } from './portal-payroll.ts';
import { Recorder, requestId, type Sent, type Stage } from './recorder.ts';
import { settle } from './settle.ts';

const email = 'petra.lang@example.com';
const password = 'correct horse battery staple';
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0' };

/** Asks a live service for everything that the examples of the portal API show, as `recordExamples` does for the public one. */
export async function recordPortalExamples(): Promise<Recorded> {
  await using resources = new AsyncDisposableStack();
  const startedAt = new Date();
  const { database, drop } = await testDatabase();
  resources.defer(drop);
  const { sql } = database;
  const testData = await insertTestData(sql);
  const issuer = await startIssuer([back]);
  resources.defer(() => issuer.close());
  const mails = await startMailServer();
  resources.defer(() => mails.close());
  const service = await startService(sql, { openId: issuer.settings, mail: mails.settings });
  resources.defer(() => service.stop());
  const client = apiClient(service.url, { api: 'portal' });
  resources.defer(() => client.close());
  const stage: Stage = { sql, testData, client, recorder: new Recorder(apis.portal) };
  const key = await sessions(stage);
  await passkeys(stage, key);
  await openId(stage, issuer);
  const deleted = await apiKeys(stage, key);
  await passwordResets(stage, key);
  await users(stage, key);
  const { secret: stranger } = await signedInUser(sql, testData.organization);
  await workOfHr(stage, { key, stranger });
  await importEmployees(stage, key);
  await workOfPayroll(stage, key);
  await workOfAdmin(stage, key);
  await rejections(stage, key, deleted);
  return settle(stage.recorder.recorded, startedAt);
}

/** Answers the secret of a session. */
async function sessions({ client, recorder, sql, testData }: Stage): Promise<string> {
  const permissions = ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'] as const;
  const more = { email, permissions: [...permissions], hrTenants: [testData.tenantA] };
  const secret = secretOf(await invitedUser(sql, testData.organization, more));
  const invitation = { body: { secret, password }, headers };
  const accepted = await recorder.ask(client, 'acceptInvitation', invitation);
  await recorder.reject(client, 'acceptInvitation', [422, 'INVALID_LINK'], invitation);
  const first = sessionOf(accepted);
  await recorder.ask(client, 'signOut', { key: first });
  const answer = await recorder.ask(client, 'signIn', { body: { email, password }, headers });
  recorder.header('X-Request-ID', answer);
  recorder.header('Set-Cookie', answer);
  const key = sessionOf(answer);
  const other = sessionOf(await recorder.ask(client, 'signIn', { body: { email, password }, headers }));
  await recorder.ask(client, 'getSession', { key });
  await recorder.ask(client, 'listSessions', { key, query: { sort: 'createdAt' } });
  await recorder.ask(client, 'endSession', { key, path: { id: other.split('_')[2]! } });
  await recorder.ask(client, 'signIn', { body: { email, password }, headers });
  await recorder.ask(client, 'endOtherSessions', { key });
  const confirmed = sessionOf(await recorder.ask(client, 'confirmPassword', { key, body: { password } }));
  const change = { currentPassword: password, password: 'tacker brille zitrone wolke' };
  await recorder.ask(client, 'changePassword', { key: confirmed, body: change });
  await recorder.ask(client, 'getSignInMethods');
  return confirmed;
}

/** Also what a service without a mail server answers. */
async function passwordResets({ client, recorder, sql }: Stage, key: string): Promise<void> {
  const request = { body: { email } };
  await recorder.ask(client, 'requestPasswordReset', request);
  const service = await startService(sql);
  const without = apiClient(service.url, { api: 'portal' });
  const own = { ...request, own: true } as const;
  await recorder.reject(without, 'requestPasswordReset', [409, 'INVALID_STATE_TRANSITION'], own);
  await recorder.reject(without, 'sendTestMail', [409, 'INVALID_STATE_TRANSITION'], { key, own: true });
  without.close();
  await service.stop();
}

/** Registers a passkey, uses it and removes it. */
async function passkeys({ client, recorder }: Stage, key: string): Promise<void> {
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  const authenticator = new Authenticator('https://kontor.example.com');
  const begun = await ask('beginPasskey');
  const made = authenticator.create(begun.body, 'Firefox on Linux');
  const registered = await ask('createPasskey', { body: made });
  await recorder.reject(client, 'createPasskey', [422, 'CHALLENGE_EXPIRED'], { key, body: made });
  await ask('createPasskey', { body: authenticator.create((await ask('beginPasskey')).body, 'Phone') });
  const again = authenticator.create((await ask('beginPasskey')).body, 'Phone', { again: true });
  await recorder.reject(client, 'createPasskey', [409, 'DUPLICATE_RESOURCE'], { key, body: again });
  const begin = await recorder.ask(client, 'beginPasskeySignIn');
  const use = authenticator.use(begin.body);
  const other = { key: sessionOf(await recorder.ask(client, 'signInWithPasskey', { body: use, headers })) };
  const confirming = (await ask('beginPasskeyConfirmation', other)).body;
  await ask('confirmWithPasskey', { ...other, body: authenticator.use(confirming) });
  await ask('listPasskeys', { query: { sort: 'createdAt' } });
  const path = { id: registered.body.id };
  await ask('renamePasskey', { path, body: { name: 'Laptop' } });
  await ask('deletePasskey', { path });
}

const back = 'https://kontor.example.com/portal/sign-in/openid';

/** Signs in at the issuer, confirms there, disconnects the identity, and connects it again. */
async function openId({ client, recorder, sql, testData }: Stage, issuer: TestIssuer): Promise<void> {
  const email = 'jonas.meier@example.com';
  await invitedUser(sql, testData.organization, { email, name: 'Jonas Meier' });
  issuer.staff.set('jonas', { email, email_verified: true });
  const browser = new IssuerVisitor();
  const leave = async (operation: string, key?: string) => {
    const begun = await recorder.ask(client, operation, key === undefined ? {} : { key });
    recorder.header('Set-Cookie', begun, 'BegunCookie');
    const { searchParams } = await browser.signIn(begun.body.location, 'jonas', back);
    const [set] = begun.headers['set-cookie']!;
    const session = key === undefined ? '' : `; __Host-kontor=${key}`;
    const cookie = `${set!.split(';')[0]}${session}`;
    return { body: Object.fromEntries(searchParams), headers: { ...headers, cookie } };
  };
  const key = sessionOf(await recorder.ask(client, 'signInWithOpenId', await leave('beginOpenIdSignIn')));
  const confirmed = await recorder.ask(
    client,
    'confirmWithOpenId',
    await leave('beginOpenIdConfirmation', key),
  );
  const fresh = { key: sessionOf(confirmed) };
  await recorder.ask(client, 'unlinkOpenId', fresh);
  await recorder.reject(client, 'unlinkOpenId', [409, 'INVALID_STATE_TRANSITION'], fresh);
  await recorder.ask(client, 'linkOpenId', await leave('beginOpenIdLink', fresh.key));
  for (const [rejection, answer] of [
    [[502, 'BAD_GATEWAY'], (request: IncomingMessage) => void request.destroy()],
    [[504, 'GATEWAY_TIMEOUT'], () => {}],
  ] as const) {
    const sent = await leave('beginOpenIdSignIn');
    issuer.answer = answer;
    await recorder.reject(client, 'signInWithOpenId', [...rejection], sent);
    issuer.answer = null;
  }
}

/** Ends with a deleted key and returns its path. */
async function apiKeys(
  { client, recorder, sql, testData }: Stage,
  key: string,
): Promise<Record<string, string>> {
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  await ask('listPortalTenants', { body: { sort: 'name' } });
  await ask('getPortalTenant', { path: { id: testData.tenantA } });
  await ask('listPortalDivisions', { query: { filter: `tenant = ${testData.tenantA}`, sort: 'name' } });
  const body = {
    name: 'Payroll of Muster GmbH',
    grants: [{ tenant: testData.tenantA, divisions: [testData.sales] }],
    quota: { requests: 600, seconds: 60 },
    expiresAt: '2099-12-31T23:00:00Z',
  };
  await ask('previewPortalApiKeyScope', { body: { grants: body.grants } });
  await ask('createPortalApiKey', { body, query: { dryRun: true } });
  const created = await ask('createPortalApiKey', { body });
  recorder.header('Location', created);
  const path = { id: created.body.id };
  await ask('getPortalApiKey', { path });
  const search = { filter: "name CONTAINS 'payroll'" };
  await ask('listPortalApiKeys', { body: search });
  await ask('exportPortalApiKeys', { body: search });
  await ask('deactivatePortalApiKey', { path });
  await ask('reactivatePortalApiKey', { path });
  const replacement = { name: 'Payroll of Muster GmbH, new', graceSeconds: 604_800 };
  await ask('replacePortalApiKey', { path, body: replacement, query: { dryRun: true } });
  await ask('replacePortalApiKey', { path, body: replacement });
  await storeUses(sql, { organizationId: testData.organization, id: path.id });
  await ask('getPortalApiKeyScope', { path });
  await ask('getPortalApiKeyHistory', { path });
  await ask('getPortalApiKeyUsage', { path });
  await ask('updatePortalApiKey', { path, body: { expectedIntervalSeconds: 86_400 } });
  await ask('getPortalApiKeyHealth', { path });
  await ask('getPortalSummary');
  await ask('searchPortal', { body: { text: 'muster', kinds: ['company', 'division', 'key'] } });
  await ask('deletePortalApiKey', { path });
  return path;
}

async function users({ client, recorder, sql, testData }: Stage, key: string): Promise<void> {
  const ask = (operation: string, sent: Sent = {}) => recorder.ask(client, operation, { key, ...sent });
  await ask('getOrganizationSettings');
  const settings = { defaultLanguage: 'de', minPasswordLength: 14 };
  await ask('updateOrganizationSettings', { body: settings, query: { dryRun: true } });
  await ask('updateOrganizationSettings', { body: settings });
  await ask('getOrganizationRetention');
  const retention = { auditDays: 400 };
  await ask('updateOrganizationRetention', { body: retention, query: { dryRun: true } });
  await ask('updateOrganizationRetention', { body: retention });
  await ask('getPersonalLogs');
  await ask('getMailOverview');
  await ask('sendTestMail');
  const company = { path: { id: testData.tenantA } };
  await ask('getPortalTenantRetention', company);
  await ask('updatePortalTenantRetention', { ...company, body: { otherDays: 180 } });
  const body = {
    email: 'jan.petersen@example.com',
    name: 'Jan Petersen',
    language: 'de',
    permissions: ['HR'],
    hrTenants: [testData.tenantA],
  };
  await ask('createPortalUser', { body, query: { dryRun: true } });
  const path = { id: (await ask('createPortalUser', { body })).body.id };
  const audit = { filter: 'action = user.create', sort: '-createdAt', pageSize: 1 };
  await ask('listPortalAuditEntries', { body: audit });
  await ask('exportPortalAuditEntries', { body: { filter: audit.filter } });
  const search = { filter: "name CONTAINS 'petersen'" };
  await ask('listPortalUsers', { body: search });
  const file = await ask('exportPortalUsers', { body: search });
  recorder.header('Content-Disposition', file);
  await ask('getPortalUser', { path });
  await ask('updatePortalUser', { path, body: { permissions: ['IT'] } });
  const { sessionId } = await sessionOfUser(sql, testData.organization, path.id);
  await ask('listUserSessions', { path });
  await ask('endUserSession', { path: { ...path, sessionId } });
  await ask('endUserSessions', { path });
  await ask('invitePortalUser', { path });
  await ask('deactivatePortalUser', { path });
  await ask('reactivatePortalUser', { path });
  await ask('deletePortalUser', { path });
}

/** Stores what a key was used for, as a process does some seconds later. */
async function storeUses(
  sql: Sql,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const use = new KeyUse(id);
  const at = Date.now();
  const rejection = {
    code: 'UNSUPPORTED_SORT_FIELD',
    message: 'sort does not take …; use id, email',
  } as const;
  use.errors.add({ operation: 'listEmployees', requestId, rejection }, 400, at);
  Object.assign(use, {
    at,
    succeededFrom: at,
    succeededAt: at,
    requests: 2,
    rejected: 1,
    answers: 2,
    failures: 1,
    recentFailures: 1,
  });
  use.operations.set('listEmployees', { requests: 2, rejected: 1, limited: 0, failed: 0 });
  use.polls.set('listEmployees', { at, readTo: new Date(at).toISOString() });
  await writeUses(sql, organizationId, [use]);
}

async function rejections(stage: Stage, key: string, deleted: Record<string, string>): Promise<void> {
  const { client, recorder, sql, testData } = stage;
  let present = key;
  const reject = (operation: string, rejection: [number, ErrorCode], sent: Sent & { own?: true } = {}) =>
    recorder.reject(client, operation, rejection, { key: present, ...sent });
  await reject('getSession', [400, 'UNKNOWN_QUERY_PARAMETER'], { query: { expand: 'all' } });
  await reject('getSession', [400, 'UNSUPPORTED_HEADER'], { tenant: testData.tenantA });
  await reject('getSession', [406, 'NOT_ACCEPTABLE'], { headers: { accept: 'text/html' } });
  await reject('getSession', [401, 'INVALID_SESSION'], { key: null });
  await reject('endSession', [400, 'INVALID_REFERENCE_ID'], { path: { id: 'laptop' } });
  await reject('endSession', [404, 'NOT_FOUND'], { path: { id: '0'.repeat(12) } });
  await reject('signOut', [403, 'CROSS_SITE_REQUEST'], { headers: { 'sec-fetch-site': 'cross-site' } });
  const id = key.split('_')[2]!;
  await sql`UPDATE portal_session SET authenticated_at = authenticated_at - interval '1 hour' WHERE id = ${id}`;
  const body = { password: 'tacker brille zitrone wolke' };
  await reject('endOtherSessions', [403, 'FRESH_SIGN_IN_REQUIRED']);
  present = sessionOf(await recorder.ask(client, 'confirmPassword', { key, body }));
  await ofBodies(reject, await invitedUser(sql, testData.organization));
  await ofLists(reject);
  const conflict: [number, ErrorCode] = [409, 'INVALID_STATE_TRANSITION'];
  await reject('deactivatePortalApiKey', conflict, { path: deleted });
  await reject('updatePortalApiKey', conflict, { path: deleted, body: { expectedIntervalSeconds: null } });
  await reject('reactivatePortalApiKey', conflict, { path: deleted });
  await reject('replacePortalApiKey', conflict, { path: deleted, body: {} });
  await ofKeys(reject);
  await ofUsers(stage, present, reject);
  await sql`UPDATE organization SET passkey_permissions = '{IT}' WHERE id = ${testData.organization}`;
  await sql`UPDATE portal_session SET method = 'password'`;
  await reject('listSessions', [403, 'PASSKEY_REQUIRED']);
  await sql`UPDATE organization SET passkey_permissions = '{}' WHERE id = ${testData.organization}`;
  await sql`ALTER TABLE portal_session RENAME TO elsewhere`;
  await reject('listSessions', [500, 'INTERNAL_SERVER_ERROR']);
  await sql`ALTER TABLE elsewhere RENAME TO portal_session`;
  await sql.database.close();
  await reject('listSessions', [503, 'SERVICE_UNAVAILABLE']);
}

type Reject = (
  operation: string,
  rejection: [number, ErrorCode],
  sent?: Sent & { own?: true },
) => Promise<unknown>;

async function ofKeys(reject: Reject): Promise<void> {
  const create = (status: number, code: ErrorCode, body: object) =>
    reject('createPortalApiKey', [status, code], { body: { name: 'Payroll', ...body }, own: true });
  await create(400, 'VALIDATION_ERROR', { wholeOrganization: 'yes' });
  await create(400, 'INVALID_REFERENCE_ID', { grants: [{ tenant: 'muster', divisions: null }] });
  await create(422, 'VALIDATION_ERROR', {});
  await create(422, 'INVALID_REFERENCE', { grants: [{ tenant: 'f'.repeat(24), divisions: null }] });
}

async function ofUsers({ client, sql, testData }: Stage, key: string, reject: Reject): Promise<void> {
  const { user } = (await client.get('/session', { key })).body;
  const self = { id: user.id };
  const body = { email, name: 'Petra Lang', language: 'de', permissions: ['IT'] };
  const { secret } = await signedInUser(sql, testData.organization);
  await reject('listPortalUsers', [403, 'PERMISSION_DENIED'], { key: secret, body: {} });
  await reject('createPortalUser', [409, 'DUPLICATE_RESOURCE'], { body });
  const stray = { permissions: ['HR'], hrTenants: ['f'.repeat(24)] };
  await reject('createPortalUser', [422, 'INVALID_REFERENCE'], { body: { ...body, ...stray }, own: true });
  await reject('updatePortalUser', [422, 'VALIDATION_ERROR'], {
    path: self,
    body: { permissions: ['IT'] },
    own: true,
  });
  const lifetimes = { defaultKeyDays: 365, maxKeyDays: 90 };
  await reject('updateOrganizationSettings', [422, 'VALIDATION_ERROR'], { body: lifetimes, own: true });
  const conflict: [number, ErrorCode] = [409, 'INVALID_STATE_TRANSITION'];
  await reject('deactivatePortalUser', conflict, { path: self, own: true });
  await reject('deletePortalUser', conflict, { path: self, own: true });
}

async function ofLists(reject: Reject): Promise<void> {
  const list = (status: number, code: ErrorCode, query: Record<string, string>) =>
    reject('listSessions', [status, code], { query });
  await list(400, 'VALIDATION_ERROR', { page: '0' });
  await list(400, 'INVALID_FILTER_SYNTAX', { filter: 'address = 192.0.2.1 AND' });
  await list(400, 'UNSUPPORTED_FILTER_FIELD', { filter: 'device = phone' });
  await list(400, 'UNSUPPORTED_FILTER_OPERATOR', { filter: 'createdAt CONTAINS 2026' });
  await list(400, 'UNSUPPORTED_SORT_FIELD', { sort: 'device' });
  await list(422, 'VALIDATION_ERROR', { filter: 'createdAt > yesterday' });
}

async function ofBodies(reject: Reject, invited: Awaited<ReturnType<typeof invitedUser>>): Promise<void> {
  const anonymous = { email: 'nobody@example.com', password };
  await reject('signIn', [400, 'VALIDATION_ERROR'], { body: { email }, own: true });
  await reject('signIn', [400, 'UNSUPPORTED_FIELD'], { body: { ...anonymous, keep: true } });
  await reject('signIn', [415, 'UNSUPPORTED_MEDIA_TYPE'], {
    raw: 'email=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await reject('signIn', [413, 'PAYLOAD_TOO_LARGE'], { raw: Buffer.alloc(bodyLimits.anonymous + 1, ' ') });
  const secret = secretOf(invited);
  const accept = (word: string) => ({ body: { secret, password: word }, own: true }) as const;
  await reject('acceptInvitation', [400, 'VALIDATION_ERROR'], accept('short'));
  await reject('acceptInvitation', [422, 'VALIDATION_ERROR'], accept(invited.email));
  await reject('changePassword', [400, 'VALIDATION_ERROR'], { body: { password: 'short' }, own: true });
  await reject('changePassword', [422, 'VALIDATION_ERROR'], { body: { password: email }, own: true });
  await reject('confirmPassword', [401, 'SIGN_IN_FAILED'], { body: { password: 'a wrong one' } });
  for (let n = 0; n < loginLimits.network.failures; n++)
    await reject('signIn', [401, 'SIGN_IN_FAILED'], { body: anonymous });
  await reject('signIn', [429, 'RATE_LIMIT_EXCEEDED'], { body: anonymous });
}
