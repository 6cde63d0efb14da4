import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Employee, PortalAuditEntry } from '@kontor/contract';
import { storeEmployees } from '../support/data/employees.ts';
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

async function nameOf(tenant: string): Promise<string> {
  const [row] = await fixture.sql<{ name: string }[]>`SELECT name FROM tenant WHERE id = ${tenant}`;
  return row!.name;
}
