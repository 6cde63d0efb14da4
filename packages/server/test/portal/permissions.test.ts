import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  apis,
  createPortalApiKey,
  getPortalTenant,
  getSession,
  listPortalTenants,
  type Operation,
  signIn,
  updatePortalDivision,
} from '@kontor/contract';
import { type Fragment, sql } from '../../src/db/sql.ts';
import { createOrganization } from '../../src/features/organizations/store.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { exampleRequest, unknownPathOf } from '../support/contract/examples.ts';
import { startService } from '../support/service/service.ts';
import { rewritingPool } from '../support/database/sql.ts';
import { signedInUser } from '../support/data/users.ts';
import { type Asker, grownStale, makeAskers } from './askers.ts';
import { faultsOf, kindsOf } from './matrix.ts';
import { usePortal } from './support.ts';

/**
 * Asks each operation that the contract has, by its declaration alone, so that a new one is asked too: as every kind of user, about a
 * row of their own company, of another one and of another organization.
 */
const operations = Object.entries<Operation>(apis.portal.operations);

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let askers: Asker[];
const fixture = usePortal(async fixture => {
  askers = await makeAskers(fixture);
});

const faults = (id: string, operation: Operation, client = fixture.portal) =>
  faultsOf({ fixture, client, askers }, id, operation);

describe('each kind of user reads their own data, and all else is rejected', () => {
  for (const [id, operation] of operations)
    test(id, async () => assert.deepEqual(await faults(id, operation), []));
});

describe('a user who has not entered the password for a while must where the declaration requires it, and nowhere else', () => {
  for (const [id, operation] of operations.filter(([, { authenticated }]) => authenticated))
    test(id, async () => {
      const { key } = await grownStale(
        fixture,
        askers.find(({ name }) => name === 'all permissions')!,
      );
      const sent = { ...(await exampleRequest(operation, 'portal')), key };
      const answer = await fixture.portal.request(operation.method, unknownPathOf(operation), sent);
      const isAsked = answer.body?.error?.code === 'FRESH_SIGN_IN_REQUIRED';
      // Of a password only a user who has none, as this one.
      const isDeclared = operation.needsFreshSignIn ?? operation.errors.includes('FRESH_SIGN_IN_REQUIRED');
      assert.equal(isAsked, isDeclared);
    });
});

describe('a user who lacks the passkey that the organization requires does nothing but register or show one', () => {
  let organization: string;
  before(async () => {
    organization = await createOrganization(fixture.sql, 'Passkeys only');
    await fixture.sql`UPDATE organization SET passkey_permissions = '{IT}' WHERE id = ${organization}`;
  });

  for (const [id, operation] of operations.filter(([, { authenticated }]) => authenticated))
    test(id, async () => {
      const { secret: key } = await signedInUser(fixture.sql, organization, { permissions: ['IT'] });
      const sent = { ...(await exampleRequest(operation, 'portal')), key };
      const answer = await fixture.portal.request(operation.method, unknownPathOf(operation), sent);
      const isRejected = answer.body?.error?.code === 'PASSKEY_REQUIRED';
      assert.equal(isRejected, operation.opensWithoutPasskey !== true);
    });
});

describe('an operation without a description fails, and the message names what to write', () => {
  test('rows that are not stored', async () => {
    const strange = { ...getPortalTenant, permission: 'IT', path: '/parcels/{id}' };
    await assert.rejects(
      faults('getParcel', strange),
      /add parcels to resourceTypes in packages\/server\/test\/portal\/permission-cases\.ts/,
    );
  });

  test('one for everybody', () => {
    const strange = { ...getSession, tag: 'Parcels', path: '/parcel-overview' };
    assert.throws(() => kindsOf('getParcelOverview', strange), /getParcelOverview: .*forEverybody/);
  });

  test('a write without a permission', () => {
    const { permission: _forgotten, ...open } = updatePortalDivision;
    assert.throws(
      () => kindsOf('updatePortalDivision', open),
      /"permission" in packages\/contract\/src\/divisions\.ts/,
    );
  });

  test('rows without a sign-in', () => {
    const strange = { ...signIn, path: '/tenants/{id}' };
    assert.throws(() => kindsOf('getOpenTenant', strange), /nobody is signed in/);
  });
});

describe('a planted fault is found', () => {
  /** A service of which each read is rewritten. */
  async function planted(rewrite: (statement: Fragment) => Fragment): Promise<ApiClient> {
    const reads = rewritingPool(fixture.sql.database.reads, rewrite);
    const service = await startService(fixture.sql, { reads });
    resources.defer(() => service.stop());
    const client = apiClient(service.url, { api: 'portal' });
    resources.defer(() => client.close());
    return client;
  }

  test('a permission without a request', async () => {
    const found = await faults('getPortalTenant', { ...getPortalTenant, permission: 'COMPANY_ADMIN' });
    assert.ok(found.includes('IT, without permission: 404 NOT_FOUND'), found.join('\n'));
    assert.ok(!found.some(fault => fault.startsWith('COMPANY_ADMIN')), found.join('\n'));
  });

  test('a row that is found without its organization and company', async () => {
    const client = await planted(statement =>
      /FROM tenant\s+WHERE organization_id = .* WHERE id = \$\d$/s.test(statement.text.trim())
        ? ofTest(sql`SELECT *, lower(name) AS folded_name FROM tenant WHERE id = ${statement.values.at(-1)}`)
        : statement,
    );
    const found = await faults('getPortalTenant', getPortalTenant, client);
    assert.deepEqual(
      ['HR for company A, of company B: 200', 'IT, of another organization: 200'].filter(
        fault => !found.includes(fault),
      ),
      [],
    );
  });

  test('a list without its company', async () => {
    const client = await planted(({ text, values, ...statement }) => {
      const all = text.replaceAll(/AND id = ANY\((\$\d+::text\[\])\)/g, 'AND $1 IS NOT NULL');
      return { ...statement, text: all, values } as unknown as Fragment;
    });
    const found = await faults('listPortalTenants', listPortalTenants, client);
    assert.deepEqual(found, [
      'HR for company A, of company B in the list: 200',
      'HR and PAYROLL_RUN for company A, of company B in the list: 200',
      'HR and PAYROLL_RELEASE for company A, of company B in the list: 200',
      'AUDIT for company A, of company B in the list: 200',
      'a user without a permission, of company A in the list: 200',
      'a user without a permission, of company B in the list: 200',
    ]);
  });

  test('a key for a company that its maker does not see', async () => {
    const client = await planted(statement =>
      /FROM portal_session s JOIN portal_user u/.test(statement.text)
        ? ofTest(sql`SELECT found.*, NULL AS "hrTenants" FROM (${statement}) AS found`)
        : statement,
    );
    const found = await faults('createPortalApiKey', createPortalApiKey, client);
    assert.ok(found.includes('HR for company A, with company B in the body: 200'), found.join('\n'));
  });
});
