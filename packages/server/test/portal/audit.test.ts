import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Employee, PortalAuditEntry } from '@kontor/contract';
import { storeEmployees } from '../support/data/employees.ts';
import { settingsInput } from '../features/payroll/support.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from './support.ts';

/** A company admin who is HR of company A, and one who is not. */
let clerk: string;
let admin: string;
const fixture = usePortal(async ({ sql, testData }) => {
  const { organization, tenantA } = testData;
  const more = { name: 'Petra Lang', permissions: ['HR' as const, 'COMPANY_ADMIN' as const] };
  ({ secret: clerk } = await signedInUser(sql, organization, { ...more, hrTenants: [tenantA] }));
  ({ secret: admin } = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] }));
});

const entriesOf = async (id: string, key: string): Promise<PortalAuditEntry[]> => {
  const body = { filter: `targetId = '${id}' AND actorType = user`, sort: 'createdAt' };
  const answer = await fixture.portal.post('/audit-entries/search', body, { key });
  assert.equal(answer.status, 200, answer.bytes.toString());
  return answer.body.items;
};

async function blocked(more: Partial<Employee> = {}): Promise<Employee> {
  const { portal, sql, testData } = fixture;
  const [person] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, firstName: 'Mia', lastName: 'Fischer', ...more },
  ]);
  const { id } = person!;
  const body = { blocked: true, reason: 'Ausgeschieden' };
  assert.equal((await portal.post(`/employees/${id}/blocking`, body, { key: clerk })).status, 200);
  return person!;
}

describe('the audit log of the portal', () => {
  test('says who did what, to whom and in which company, with old and new values', async () => {
    const { testData } = fixture;
    const { id } = await blocked();
    const [entry] = await entriesOf(id, clerk);
    const { sentence, target, values, comment, fields } = entry!;
    assert.deepEqual(sentence, {
      en: 'Petra Lang changed an employee',
      de: 'Petra Lang hat einen Mitarbeiter geändert',
    });
    assert.deepEqual(
      [target?.name, target?.tenant, typeof target?.tenantName, target?.canOpen],
      ['Mia Fischer', testData.tenantA, 'string', true],
    );
    assert.deepEqual(
      [values, comment, fields],
      [[{ field: 'blocked', before: 'false', after: 'true' }], 'Ausgeschieden', ['blocked']],
    );
  });

  test('shows the name, the values and the reason of a person to HR of the company alone', async () => {
    const { id } = await blocked();
    const [entry] = await entriesOf(id, admin);
    const { target, values, comment, fields } = entry!;
    assert.deepEqual([target?.name, target?.canOpen, values, comment], [null, false, [], null]);
    assert.equal(typeof target?.tenantName, 'string');
    assert.deepEqual(fields, ['blocked']);
  });

  test('names an order, a key, a user and a company by what users know them by', async () => {
    const { portal, testData } = fixture;
    const key = await portal.post('/api-keys', { name: 'Lohn', wholeOrganization: true }, { key: admin });
    const [made] = await entriesOf(key.body.id, admin);
    assert.deepEqual([made!.target?.name, made!.target?.canOpen], ['Lohn', true]);
    await portal.patch(`/tenants/${testData.tenantA}/retention`, { otherDays: 77 }, { key: admin });
    const [kept] = await entriesOf(testData.tenantA, admin);
    assert.equal(kept!.target?.name, await nameOf(testData.tenantA));
    assert.match(kept!.sentence.de, /hat die Aufbewahrung eines Unternehmens geändert$/);
  });

  test('is exported with the same words, in the language of the reader', async () => {
    const { portal, testData } = fixture;
    const { id } = await blocked({ lastName: 'Ärmel' });
    const company = await nameOf(testData.tenantA);
    const lineFor = async (language: 'de' | 'en', key: string) => {
      const body = {
        filter: `targetId = '${id}' AND actorType = user`,
        columns: [{ field: 'entry', label: 'Eintrag' }],
        language,
        timeZone: 'Europe/Berlin',
      };
      const { bytes } = await portal.post('/audit-entries/export', body, { key });
      return bytes.toString().trimEnd().split('\r\n')[1];
    };
    assert.equal(
      await lineFor('de', clerk),
      `Petra Lang hat einen Mitarbeiter geändert: Mia Ärmel (${company})`,
    );
    assert.equal(await lineFor('en', admin), `Petra Lang changed an employee (${company})`);
  });
});

describe('the audit log of settings', () => {
  const changesOf = async (id: string) =>
    (await entriesOf(id, admin))
      .filter(({ action }) => action !== 'audit.export')
      .map(({ action, values }) => [
        action,
        values.map(({ field, before, after }) => `${field}: ${before} → ${after}`),
      ]);

  test('has old and new values of what changed, also in other objects', async () => {
    const { portal, testData } = fixture;
    const { tenantB: id, organization } = testData;
    const as = { key: admin };
    const mapping = { export: true, wageType: '3010', processingKey: null, sign: 'minus' } as const;
    const kinds = { ...settingsInput.kinds, salaryConversion: mapping };
    const settings = { ...settingsInput, kinds, cutOffDay: 10 };
    const changed = {
      ...settings,
      cutOffDay: 15,
      kinds: { ...kinds, salaryConversion: { ...mapping, wageType: '3011' } },
    };
    const path = `/tenants/${id}`;
    const sent = [
      await portal.post(`${path}/payroll-settings`, settings, as),
      await portal.post(`${path}/payroll-settings`, changed, as),
      await portal.patch(`${path}/retention`, { otherDays: 77 }, as),
      await portal.post(
        `${path}/decision-rule`,
        { approveUpTo: '100.00', rejectAbove: null, withinDays: null },
        as,
      ),
      await portal.request('DELETE', `${path}/decision-rule`, as),
      await portal.patch('/organization', { defaultKeyDays: 30, maxKeyDays: 90 }, as),
      await portal.patch('/retention', { auditDays: 400 }, as),
    ];
    assert.deepEqual(
      sent.map(({ status, bytes }) => (status < 300 ? null : bytes.toString())).filter(Boolean),
      [],
    );
    const [[, first], ...later] = (await changesOf(id)) as [[string, string[]], ...unknown[]];
    assert.ok(first.includes('cutOffDay: null → 10'), first.join());
    assert.ok(first.includes('kinds.salaryConversion.wageType: null → 3010'), first.join());
    assert.deepEqual(later, [
      ['tenant.set_payroll_settings', ['cutOffDay: 10 → 15', 'kinds.salaryConversion.wageType: 3010 → 3011']],
      ['tenant.retention', ['otherDays: 0 → 77']],
      ['tenant.set_decision_rule', ['approveUpTo: null → 100.00']],
      ['tenant.remove_decision_rule', ['approveUpTo: 100.00 → null']],
    ]);
    assert.deepEqual(await changesOf(organization), [
      ['organization.update', ['defaultKeyDays: null → 30', 'maxKeyDays: null → 90']],
      ['audit.keep', ['days: null → 400']],
    ]);
  });

  test('has rights of users, without names, and when keys expire, without secrets', async () => {
    const { portal, testData } = fixture;
    const as = { key: admin };
    const user = { email: 'neu@example.com', name: 'Neu', language: 'de', permissions: ['IT'] };
    const { body: made } = await portal.post('/users', user, as);
    const rights = { name: 'Alt', permissions: ['IT', 'HR'], hrTenants: [testData.tenantA] };
    assert.equal((await portal.patch(`/users/${made.id}`, rights, as)).status, 200);
    assert.deepEqual(await changesOf(made.id), [
      ['user.create', ['permissions: null → IT']],
      ['user.update', ['permissions: IT → IT, HR', `hrTenants: null → ${testData.tenantA}`]],
    ]);
    const { body: key } = await portal.post('/api-keys', { name: 'Lohn', wholeOrganization: true }, as);
    await portal.patch(`/api-keys/${key.id}`, { expectedIntervalSeconds: 3600 }, as);
    await portal.post(`/api-keys/${key.id}/replacement`, { graceSeconds: 60 }, as);
    const { body: history } = await portal.get(`/api-keys/${key.id}/history`, as);
    const [expired, watched] = history.changes as PortalAuditEntry[];
    assert.deepEqual(
      expired!.values.map(({ field }) => field),
      ['expiresAt'],
    );
    assert.deepEqual(watched!.values, [{ field: 'expectedIntervalSeconds', before: null, after: '3600' }]);
  });

  test('is exported in the words of the page', async () => {
    const { portal, testData } = fixture;
    const id = testData.tenantA;
    await portal.patch(`/tenants/${id}/retention`, { otherDays: 78 }, { key: admin });
    const words = [{ field: 'values', value: 'otherDays', words: 'Vorgänge (Tage)' }];
    const body = {
      filter: `targetId = '${id}' AND action = 'tenant.retention'`,
      sort: '-createdAt',
      columns: [{ field: 'values', label: 'Änderungen' }],
      words,
      language: 'de',
      timeZone: 'Europe/Berlin',
    };
    const { bytes } = await portal.post('/audit-entries/export', body, { key: admin });
    assert.match(bytes.toString().split('\r\n')[1]!, /^Vorgänge \(Tage\): \d+ → 78$/);
  });
});

async function nameOf(tenant: string): Promise<string> {
  const [row] = await fixture.sql<{ name: string }[]>`SELECT name FROM tenant WHERE id = ${tenant}`;
  return row!.name;
}
