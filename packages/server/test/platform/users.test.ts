import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from '@kontor/contract';
import { targetUrl } from '../support/database/target-url.ts';
import { kontorHere } from '../cli/in-process.ts';
import type { Answer } from '../support/contract/client.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import { testPepper } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

let path: string;
const fixture = usePlatform(async ({ testData }) => {
  path = `/organizations/${testData.organization}/users`;
});

let made = 0;

/** A body of a create with an email of its own. */
function person(more: object = {}) {
  return {
    email: `person${++made}@example.com`,
    name: 'Petra Lang',
    language: 'de',
    permissions: ['IT'],
    ...more,
  };
}

const create = (more: object = {}) => fixture.own.post(path, person(more));
const post = (id: string, action: string, query = {}) =>
  fixture.own.request('POST', `${path}/${id}/${action}`, { query });

function rejected({ status, body }: Answer<any>, expected: [number, string], words = /./): void {
  assert.deepEqual([status, body.error.code], expected, body.error.message);
  assert.match(body.error.message, words);
}

/** All that is stored of users and of what was done to them. */
const stateOf = async () =>
  JSON.stringify([
    await fixture.sql`SELECT to_jsonb(u) AS row FROM portal_user u ORDER BY id`,
    await fixture.sql`SELECT to_jsonb(e) AS row FROM portal_email e ORDER BY email_key`,
    await fixture.sql`SELECT count(*) AS n FROM audit`,
  ]);

const auditOf = async (id: string) =>
  (await fixture.sql`SELECT action, fields FROM audit WHERE target_id = ${id} ORDER BY at`).map(
    ({ action, fields }) => [action, fields],
  );

describe('POST …/users', () => {
  test('201: an invited user with a link; the database has no secret of it', async () => {
    const { status, headers, body } = await create({ name: 'Ömer Kaya', language: 'en' });
    assert.equal(status, 201);
    assert.equal(headers.location, `/platform/v1${path}/${body.id}`);
    const { link, ...user } = body;
    assert.partialDeepStrictEqual(user, {
      organizationId: fixture.testData.organization,
      name: 'Ömer Kaya',
      language: 'en',
      permissions: ['IT'],
      hrTenants: null,
      status: 'invited',
      lastSignInAt: null,
    });
    const days = (Date.parse(user.invitedUntil) - Date.parse(user.createdAt)) / 86_400_000;
    assert.equal(days, 3);
    assert.match(
      link,
      /^https:\/\/kontor\.example\.com\/portal\/invitation#kontorl_[0-9a-f]{24}_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/,
    );
    assert.deepEqual((await fixture.own.get(`${path}/${body.id}`)).body, user);
    assert.ok(!(await stateOf()).includes(secretOf(body).split('_')[3]!));
    assert.ok(!fixture.service.log.join('').includes(secretOf(body)));
    assert.deepEqual(await auditOf(body.id), [['user.create', []]]);
  });

  test('201: permissions are shown once each and in one order, HR with its tenants', async () => {
    const { tenantA, tenantB } = fixture.testData;
    const some = await create({
      permissions: ['COMPANY_ADMIN', 'HR', 'HR'],
      hrTenants: [tenantB, tenantA.toUpperCase(), tenantB],
    });
    assert.deepEqual(some.body.permissions, ['HR', 'COMPANY_ADMIN']);
    assert.deepEqual(some.body.hrTenants, [tenantA, tenantB].sort());
    const all = await create({ permissions: ['HR'], hrTenants: null });
    assert.equal(all.body.hrTenants, null);
  });

  test('409 DUPLICATE_RESOURCE: a user of any organization has the email, in any letter case', async () => {
    const { email } = (await create({ email: 'Jörg@Example.com' })).body;
    rejected(await create({ email: 'JÖRG@example.COM' }), [409, 'DUPLICATE_RESOURCE'], /email/);
    const foreign = `/organizations/${fixture.testData.foreign.organization}/users`;
    const strange = await fixture.platform.post(foreign, person({ email }));
    rejected(strange, [409, 'DUPLICATE_RESOURCE']);
    // It reveals nothing of the other one.
    assert.doesNotMatch(strange.body.error.message, /[0-9a-f]{24}|Petra|Example/);
    const dry = await fixture.own.post(path, person({ email }), { query: { dryRun: true } });
    rejected(dry, [409, 'DUPLICATE_RESOURCE']);
  });

  test('two creates of one email at once make one user', async () => {
    const email = 'racing@example.com';
    const answers = await Promise.all([create({ email }), create({ email }), create({ email })]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    const users = await fixture.own.get(path, { query: { filter: `email = '${email}'` } });
    assert.equal(users.body.totalElements, 1);
  });

  const rejections: [string, [number, string], () => object][] = [
    ['no email', [400, 'VALIDATION_ERROR'], () => ({ email: 'petra' })],
    ['a name of white space', [400, 'VALIDATION_ERROR'], () => ({ name: ' ' })],
    ['another language', [400, 'VALIDATION_ERROR'], () => ({ language: 'fr' })],
    ['no permission', [400, 'VALIDATION_ERROR'], () => ({ permissions: [] })],
    ['an unknown permission', [400, 'VALIDATION_ERROR'], () => ({ permissions: ['ROOT'] })],
    ['HR without tenants', [422, 'VALIDATION_ERROR'], () => ({ permissions: ['HR'] })],
    ['payroll without HR', [422, 'VALIDATION_ERROR'], () => ({ permissions: ['IT', 'PAYROLL_RELEASE'] })],
    ['tenants without HR', [422, 'VALIDATION_ERROR'], () => ({ hrTenants: [fixture.testData.tenantA] })],
    [
      'the tenant of another organization',
      [422, 'INVALID_REFERENCE'],
      () => ({ permissions: ['HR'], hrTenants: [fixture.testData.foreign.tenant] }),
    ],
    [
      'no identifier of a tenant',
      [400, 'INVALID_REFERENCE_ID'],
      () => ({ permissions: ['HR'], hrTenants: ['one'] }),
    ],
    ['a password', [400, 'UNSUPPORTED_FIELD'], () => ({ password: 'secret' })],
  ];
  for (const [name, expected, body] of rejections)
    test(`${expected.join(' ')}: ${name}`, async () => {
      const before = await stateOf();
      rejected(await create(body()), expected);
      assert.equal(await stateOf(), before);
    });
});

describe('PATCH …/users/{id}', () => {
  const patch = (id: string, body: object, query = {}) => fixture.own.patch(`${path}/${id}`, body, { query });

  test('200: absent properties stay, and the audit names what has changed', async () => {
    const { id } = (await create()).body;
    const { status, body } = await patch(id, { name: 'Petra Lang-Meier', language: 'en' });
    assert.deepEqual(
      [status, body.name, body.language, body.permissions],
      [200, 'Petra Lang-Meier', 'en', ['IT']],
    );
    assert.deepEqual(await auditOf(id), [
      ['user.create', []],
      ['user.update', ['name', 'language']],
    ]);
  });

  test('200: the tenants of HR go with the permission, and are required when it comes again', async () => {
    const { tenantA } = fixture.testData;
    const { id } = (await create({ permissions: ['HR'], hrTenants: [tenantA] })).body;
    assert.deepEqual((await patch(id, { permissions: ['IT', 'HR'] })).body.hrTenants, [tenantA]);
    assert.equal((await patch(id, { permissions: ['IT'] })).body.hrTenants, null);
    rejected(await patch(id, { permissions: ['HR'] }), [422, 'VALIDATION_ERROR'], /hrTenants/);
    rejected(await patch(id, { hrTenants: [tenantA] }), [422, 'VALIDATION_ERROR'], /permission HR/);
    const strange = { permissions: ['HR'], hrTenants: [fixture.testData.foreign.tenant] };
    rejected(await patch(id, strange), [422, 'INVALID_REFERENCE']);
    assert.deepEqual((await patch(id, { permissions: ['HR'], hrTenants: null })).body.permissions, ['HR']);
  });

  test('200: permissions of payroll stand beside HR, stay when other fields change, and go with it', async () => {
    const permissions = ['HR', 'PAYROLL_RELEASE'];
    const { id } = (await create({ permissions, hrTenants: null })).body;
    assert.deepEqual((await patch(id, { name: 'Rita Rau' })).body.permissions, permissions);
    const both = ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE'];
    assert.deepEqual((await patch(id, { permissions: both })).body.permissions, both);
    assert.deepEqual((await patch(id, { permissions: ['IT'] })).body.permissions, ['IT']);
    assert.deepEqual((await patch(id, { permissions: ['HR'], hrTenants: null })).body.permissions, ['HR']);
  });

  test('users with HR that an older process stores may run and release payroll, and others may not', async () => {
    const { organization } = fixture.testData;
    const make = async (permissions: string[]) => {
      const { id } = (await create()).body;
      await fixture.sql`
        UPDATE portal_user SET permissions = ${permissions}, payroll_permissions = DEFAULT
        WHERE organization_id = ${organization} AND id = ${id}`;
      return (await fixture.own.get(`${path}/${id}`)).body.permissions;
    };
    assert.deepEqual(await make(['HR']), ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE']);
    assert.deepEqual(await make(['IT']), ['IT']);
  });

  test('AUDIT names its tenants, alone and when HR or AUDIT is added', async () => {
    const { tenantA } = fixture.testData;
    const made = await create({ permissions: ['AUDIT'], hrTenants: [tenantA] });
    assert.deepEqual([made.body.permissions, made.body.hrTenants], [['AUDIT'], [tenantA]]);
    const { id } = made.body;
    rejected(await create({ permissions: ['AUDIT'] }), [422, 'VALIDATION_ERROR'], /AUDIT/);
    // Otherwise a user would get HR for the companies that were chosen for AUDIT.
    rejected(await patch(id, { permissions: ['HR', 'AUDIT'] }), [422, 'VALIDATION_ERROR'], /HR/);
    const both = { permissions: ['AUDIT', 'HR'], hrTenants: [tenantA] };
    assert.deepEqual((await patch(id, both)).body.permissions, ['HR', 'AUDIT']);
    assert.deepEqual((await patch(id, { permissions: ['AUDIT'] })).body.hrTenants, [tenantA]);
    assert.equal((await patch(id, { permissions: ['IT'] })).body.hrTenants, null);
  });

  test('an older process, which does not know AUDIT, finds a user without permissions', async () => {
    const { id } = (await create({ permissions: ['AUDIT'], hrTenants: null })).body;
    const [stored] = await fixture.sql`SELECT permissions FROM portal_user WHERE id = ${id}`;
    assert.deepEqual(stored!['permissions'], []);
  });

  test('200: what changes nothing is not audited', async () => {
    const { id } = (await create()).body;
    const before = await stateOf();
    assert.equal((await patch(id, { name: 'Petra Lang' })).status, 200);
    assert.equal(await stateOf(), before);
  });

  test('400 UNSUPPORTED_FIELD: the email cannot be changed', async () => {
    const { id } = (await create()).body;
    rejected(await patch(id, { email: 'other@example.com' }), [400, 'UNSUPPORTED_FIELD'], /email/);
    rejected(await patch(id, {}), [400, 'VALIDATION_ERROR']);
  });
});

describe('the states of a user', () => {
  test('deactivated the invitation is taken back; reactivated a new one can be made', async () => {
    const { id } = (await create()).body;
    const inactive = (await post(id, 'deactivation')).body as User;
    assert.deepEqual([inactive.status, inactive.invitedUntil], ['inactive', null]);
    assert.equal((await post(id, 'deactivation')).body.status, 'inactive');
    rejected(await post(id, 'invitation'), [409, 'INVALID_STATE_TRANSITION'], /reactivate/);
    assert.equal((await post(id, 'reactivation')).body.status, 'invited');
    assert.equal((await post(id, 'reactivation')).body.status, 'invited');
    const { link, ...invited } = (await post(id, 'invitation')).body;
    assert.ok(link.startsWith('https://'));
    assert.notEqual(invited.invitedUntil, null);
    assert.deepEqual(
      (await auditOf(id)).map(([action]) => action),
      ['user.create', 'user.deactivate', 'user.reactivate', 'user.invite'],
    );
  });

  test('an invitation takes the place of the one before', async () => {
    const first = (await create()).body;
    const second = (await post(first.id, 'invitation')).body;
    assert.notEqual(second.link, first.link);
    const [row] = await fixture.sql`SELECT link_id FROM portal_user WHERE id = ${first.id}`;
    assert.equal(row!['link_id'], secretOf(second).split('_')[2]);
  });

  test('deleted nothing of the user is left but the audit, and the email is free', async () => {
    const { id, email } = (await create({ name: 'Erasmus Vanish' })).body;
    const { status, body } = await fixture.own.request('DELETE', `${path}/${id}`);
    assert.deepEqual([status, body.email], [200, email]);
    assert.equal((await fixture.own.get(`${path}/${id}`)).status, 404);
    const stored = JSON.stringify([
      await fixture.sql`SELECT to_jsonb(u) AS row FROM portal_user u`,
      await fixture.sql`SELECT to_jsonb(e) AS row FROM portal_email e`,
    ]);
    for (const text of ['Vanish', email, id]) assert.ok(!stored.includes(text), text);
    assert.deepEqual((await auditOf(id)).at(-1), ['user.delete', []]);
    assert.equal((await create({ email })).status, 201);
  });
});

describe('GET …/users', () => {
  test('200: filtered and sorted by what it shows, letters folded', async () => {
    const { id, email } = (await create({ name: 'Änne Weiß' })).body;
    const ids = async (filter: string) =>
      (await fixture.own.get(path, { query: { filter } })).body.items.map((user: User) => user.id);
    assert.deepEqual(await ids("name = 'ÄNNE WEISS' AND status = invited AND language = de"), [id]);
    assert.deepEqual(await ids(`email = '${email.toUpperCase()}' AND lastSignInAt IS NULL`), [id]);
    assert.deepEqual(await ids(`id = ${id} AND invitedUntil > 2026-01-01T00:00:00Z`), [id]);
    const names = (await fixture.own.get(path, { query: { sort: '-name' } })).body.items;
    assert.equal(names[0].name, 'Ömer Kaya');
  });
});

describe('kontor user', () => {
  async function kontor(...args: string[]): Promise<any> {
    const variables = {
      DATABASE_URL: await targetUrl(fixture.sql.database.target),
      KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
      KONTOR_PUBLIC_URL: 'https://hr.example.com/',
    };
    const { code, stdout, stderr } = await kontorHere([...args, '--json'], variables);
    return code === 0 ? JSON.parse(stdout) : { code, stderr };
  }
  const invite = (...more: string[]) =>
    kontor('user', 'invite', '--organization', fixture.testData.organization, ...more);
  const email = 'anna.admin@example.com';
  const anna = ['--email', email, '--name', 'Anna Admin', '--permission', 'COMPANY_ADMIN'];

  test('invite: prints the link of a new user; again: a new link of the same user', async () => {
    const first = await invite(...anna);
    assert.match(first.link, /^https:\/\/hr\.example\.com\/portal\/invitation#kontorl_/);
    assert.partialDeepStrictEqual(first, {
      status: 'invited',
      language: 'en',
      permissions: ['COMPANY_ADMIN'],
    });
    const second = await invite('--email', email.toUpperCase());
    assert.equal(second.id, first.id);
    assert.notEqual(second.link, first.link);
    assert.match((await invite(...anna)).stderr, /exists already/);
  });

  test('invite --permission HR takes --hr-all or --hr-tenant', async () => {
    const { tenantA } = fixture.testData;
    const hr = ['--name', 'H', '--permission', 'HR'];
    assert.match((await invite('--email', 'h@example.com', ...hr)).stderr, /--hr-all or --hr-tenant/);
    const some = await invite('--email', 'h1@example.com', ...hr, '--hr-tenant', tenantA);
    assert.deepEqual(some.hrTenants, [tenantA]);
    assert.equal((await invite('--email', 'h2@example.com', ...hr, '--hr-all')).hrTenants, null);
    const payroll = await invite(
      '--email',
      'h4@example.com',
      ...hr,
      '--hr-all',
      '--permission',
      'PAYROLL_RUN',
    );
    assert.deepEqual(payroll.permissions, ['HR', 'PAYROLL_RUN']);
    const payrollOnly = ['--name', 'P', '--permission', 'PAYROLL_RUN'];
    assert.match((await invite('--email', 'h5@example.com', ...payrollOnly)).stderr, /need HR/);
    const both = await invite('--email', 'h3@example.com', ...hr, '--hr-all', '--hr-tenant', tenantA);
    assert.match(both.stderr, /either --hr-all, or --hr-tenant/);
  });

  test('invite rejects missing fields, no email, and the user of another organization', async () => {
    assert.match((await invite('--email', 'nobody@example.com')).stderr, /--name and --permission/);
    assert.match((await invite('--email', 'anonymous')).stderr, /expected an email address/);
    const { email: strange } = await invitedUser(fixture.sql, fixture.testData.foreign.organization);
    assert.match((await invite('--email', strange)).stderr, /user of another organization/);
  });

  test('list: users without secrets', async () => {
    const { users } = await kontor('user', 'list', '--organization', fixture.testData.organization);
    assert.partialDeepStrictEqual(
      users.find((user: User) => user.email === email),
      { name: 'Anna Admin', status: 'invited' },
    );
    assert.doesNotMatch(JSON.stringify(users), /kontorl_|hash/);
  });
});
