import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import {
  contractInput,
  historyInput,
  orderInput,
  storeOrders,
} from '../../server/test/support/data/orders.ts';
import { invitedUser, signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    block: 'Block',
    undo: 'Undo',
    unblocked: 'Person unblocked',
    edit: 'Edit',
    save: 'Save',
    street: /^Street/,
    before: 'The values are as before.',
    running: 'Running bikes of the person',
    sum: 'With this order, €166.20 a month are deducted together.',
    none: 'This person has no other running bike.',
    withdraw: 'Withdraw the invitation',
    withdrawn: 'The invitation is withdrawn.',
    submit: 'Withdraw',
    vat: '€3,599.00 incl. VAT',
  },
  de: {
    block: 'Sperren',
    undo: 'Rückgängig',
    unblocked: 'Person entsperrt',
    edit: 'Bearbeiten',
    save: 'Speichern',
    street: /^Straße/,
    before: 'Die Angaben sind wieder wie zuvor.',
    running: 'Laufende Räder der Person',
    sum: 'Mit dieser Bestellung werden zusammen 166,20\u00a0€ im Monat einbehalten.',
    none: 'Diese Person hat kein anderes laufendes Rad.',
    withdraw: 'Einladung zurückziehen',
    withdrawn: 'Die Einladung ist zurückgezogen.',
    submit: 'Zurücknehmen',
    vat: '3.599,00\u00a0€ inkl. MwSt.',
  },
} as const;

async function personOf(name: string): Promise<{ id: string; secret: string }> {
  const { sql, testData } = fixture;
  const { organization, tenantA, sales } = testData;
  const { secret } = await signedInUser(sql, organization, {
    permissions: ['HR', 'COMPANY_ADMIN'],
    hrTenants: null,
  });
  const [person] = await storeEmployees(sql, organization, [
    { firstName: name, lastName: 'Winter', email: `${name}@example.com`, tenant: tenantA, divisionId: sales },
  ]);
  return { id: person!.id, secret };
}

inBrowser('what can be undone', () => {
  for (const language of inLanguages('de')) {
    const text = words[language];

    test(`a block and a change of values, from the message about them (${language})`, async () => {
      const { id, secret } = await personOf(`undo-${language}`);
      const employee = async () =>
        (await fixture.portal.get(`/employees/${id}`, { key: secret })).body.employee;
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(`/portal/employees/${id}`);
        await press(page, button(page, text.block));
        await press(page, page.getByRole('dialog').getByRole('button', { name: text.block }));
        await press(page, button(page, text.undo));
        await page.getByText(text.unblocked).waitFor();
        assert.equal((await employee()).blocked, false);
        await press(page, button(page, text.edit));
        await page.getByLabel(text.street).fill('Am Kai 1');
        await press(page, button(page, text.save));
        await press(page, button(page, text.undo));
        await page.getByText(text.before).waitFor();
        assert.equal((await employee()).street, null);
      });
    });

    test(`an invitation, on the page of its user (${language})`, async () => {
      const { secret } = await personOf(`inviter-${language}`);
      const invited = await invitedUser(fixture.sql, fixture.testData.organization);
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(`/portal/settings/users/${invited.id}`);
        await press(page, button(page, text.withdraw));
        await press(page, page.getByRole('dialog').getByRole('button', { name: text.submit }));
        await page.getByText(text.withdrawn).waitFor();
      });
      const { status } = await fixture.portal.get(`/users/${invited.id}`, { key: secret });
      assert.equal(status, 404);
    });
  }
});

inBrowser('an order to decide', () => {
  for (const language of inLanguages('de')) {
    const text = words[language];

    test(`shows the running bikes of the person, all deductions together, and gross prices (${language})`, async () => {
      const { id, secret } = await personOf(`bikes-${language}`);
      const { sql, testData } = fixture;
      const place = { organizationId: testData.organization, tenantId: testData.tenantA };
      const [order] = await storeOrders(sql, place, [
        orderInput({ employeeId: id, contract: contractInput() }),
      ]);
      await visit(fixture.service.url, { secret, language, width: 360 }, async page => {
        await page.goto(`/portal/orders?order=${order!.id}`);
        await page.getByText(text.none).waitFor();
        await page.getByText(text.vat).first().waitFor();
        const contract = contractInput({ startDate: '2026-02-01', endDate: '2029-01-31' });
        await storeOrders(sql, place, [
          orderInput({ employeeId: id, status: 'active', hrHistory: historyInput('approved'), contract }),
        ]);
        await page.reload();
        await page.getByRole('heading', { name: text.running }).waitFor();
        await page.getByText(text.sum).waitFor();
        await page.getByRole('link', { name: 'Sales' }).waitFor();
        await page
          .getByRole('dialog')
          .getByRole('link', { name: `bikes-${language} Winter` })
          .click();
        await page.waitForURL(`**/employees/${id}`);
      });
    });
  }
});
