import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  CompanyRetentionUpdate,
  OrganizationRetentionUpdate,
  OrganizationSettingsUpdate,
  passwordResetMinutes,
  personalLogNames,
} from '@kontor/contract';
import { noticeLife } from '../../src/features/keys/notices/notice.ts';
import { errorDays } from '../../src/features/keys/usage/read.ts';
import { operationDays } from '../../src/features/keys/usage/removal.ts';
import { invitationLife } from '../../src/features/users/links.ts';
import { personalLogs } from '../../src/privacy/personal-logs.ts';
import { outcome, usePortal } from '../portal/support.ts';
import { signedInUser } from '../support/data/users.ts';

const fixture = usePortal();

/** Tables without data about what persons do, with the reason. */
const impersonal: Readonly<Record<string, string>> = {
  api_key: 'a credential of a program; who created it is in the audit, too',
  api_key_grant: 'the scope of a key',
  audit_retention: 'a setting',
  background_job: 'work that the service has to do, without persons',
  background_job_progress: 'numbers',
  counter: 'numbers of rows',
  decision_rule: 'a setting',
  division: 'a part of a company',
  division_ancestor: 'derives from the divisions',
  idempotency_key: 'digests of what programs have written, and identifiers, for 24 hours',
  key_organization: 'the organization of a key',
  migration: 'releases of the database',
  organization: 'settings',
  payroll_settings: 'settings',
  platform_token: 'a credential of the operator',
  setting: 'settings of the installation',
  tenant: 'a company',
  tenant_retention: 'settings',
};

describe('the sheet for the works council', () => {
  test('each table is in a kind of personal data, or has a reason why it has none', async () => {
    const tables = await fixture.sql<{ name: string }[]>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`;
    const known = [...Object.values(personalLogs).flatMap(log => log.tables), ...Object.keys(impersonal)];
    const advice = 'add the table to a kind in privacy/personal-logs.ts, or to `impersonal` here';
    assert.deepEqual(tables.map(({ name }) => name).sort(), known.toSorted(), advice);
  });

  test('each setting of a retention limits a kind of data', () => {
    const settings = [
      OrganizationSettingsUpdate,
      OrganizationRetentionUpdate,
      CompanyRetentionUpdate,
    ].flatMap(({ properties }) => Object.keys(properties).filter(name => /(Days|Years)$/.test(name)));
    // The lifetime of a credential is no retention.
    const retention = settings.filter(name => !name.endsWith('KeyDays'));
    const named = Object.values(personalLogs).flatMap(log => log.settings ?? []);
    assert.deepEqual([...new Set<string>(named)].sort(), retention.sort());
  });

  test('200: has the periods that the administrators have set, and the permissions that read the data', async () => {
    const { sql, testData, portal } = fixture;
    const { secret: key } = await signedInUser(sql, testData.organization, {
      permissions: ['COMPANY_ADMIN'],
    });
    const read = async () => (await portal.get('/personal-logs', { key })).body;
    const log = async (name: string) =>
      (await read()).logs.find((each: { name: string }) => each.name === name);
    assert.deepEqual(
      (await read()).logs.map((each: { name: string }) => each.name),
      [...personalLogNames],
    );
    const audit = { name: 'audit', settings: ['auditDays'], permissions: ['COMPANY_ADMIN'], ownOnly: false };
    assert.deepEqual(await log('audit'), { ...audit, hours: null });
    await portal.patch('/retention', { auditDays: 400 }, { key });
    await portal.patch('/organization', { employeeHistoryDays: 100 }, { key });
    await portal.patch(`/tenants/${testData.tenantA}/retention`, { otherDays: 30 }, { key });
    assert.deepEqual(await log('audit'), { ...audit, hours: 400 * 24 });
    assert.deepEqual(await log('employee_history'), {
      name: 'employee_history',
      settings: ['employeeHistoryDays'],
      hours: 100 * 24,
      permissions: ['HR', 'AUDIT'],
      ownOnly: false,
    });
    const readersOfKeys = { permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'AUDIT'], ownOnly: false };
    for (const [name, hours] of [
      ['api_key_usage', null],
      ['api_key_operations', operationDays * 24],
      ['api_key_errors', errorDays * 24],
    ] as const)
      assert.deepEqual(await log(name), { name, settings: [], hours, ...readersOfKeys });
    assert.deepEqual((await log('sessions')).permissions, ['COMPANY_ADMIN']);
    assert.equal((await log('sessions')).ownOnly, true);
    const { companies } = await read();
    const company = companies.find((each: { id: string }) => each.id === testData.tenantA);
    assert.deepEqual([company.voucherYears, company.otherDays], [6, 30]);
    assert.ok(companies.every((each: { id: string }) => each.id !== testData.foreign.tenant));
  });

  test('no mail waits for longer than the period of mails', async () => {
    const { sql, testData, portal } = fixture;
    const { organization } = testData;
    const { secret: key } = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
    const { logs } = (await portal.get('/personal-logs', { key })).body;
    const { hours } = logs.find(({ name }: { name: string }) => name === 'mails');
    assert.equal(hours * 3_600_000, Math.max(noticeLife, invitationLife));
    assert.ok(hours >= passwordResetMinutes / 60);
  });

  test('403 PERMISSION_DENIED: for other users', async () => {
    const { sql, testData, portal } = fixture;
    const { secret: key } = await signedInUser(sql, testData.organization, {
      permissions: ['HR'],
      hrTenants: null,
    });
    assert.equal(outcome(await portal.get('/personal-logs', { key })), '403 PERMISSION_DENIED');
  });
});
