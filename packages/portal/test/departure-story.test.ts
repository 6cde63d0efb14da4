import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { readLodas } from '../../server/test/features/payroll/formats/readers.ts';
import { leaveRule, settingsInput } from '../../server/test/features/payroll/support.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeIncident } from '../../server/test/support/data/incidents.ts';
import {
  contractInput,
  historyInput,
  orderInput,
  storeOrders,
} from '../../server/test/support/data/orders.ts';
import {
  payrollCompany,
  payrollUser,
  releasePayroll,
  storeActiveOrder,
} from '../../server/test/support/data/payroll-company.ts';
import { assertAccessible, button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    departure: 'Record a departure',
    lastDay: 'Last day at the company',
    proceed: 'Continue',
    bikes: 'Bikes',
    what: 'What happens to the bike',
    returned: 'The bike is given back',
    purchase: 'The person buys the bike',
    continue: 'The contract goes on here',
    contractEnd: 'Last day of the contract',
    choose: 'Choose what happens to the bike.',
    back: 'October 2026: €29.49 back in the next run',
    right: 'Yes, this is right',
    confirmFirst: 'Confirm this, or go back and change it.',
    send: 'Record the departure',
    recorded: 'The departure is recorded.',
    notAll: 'Not everything is recorded yet. Send it again: nothing is recorded twice.',
    check: 'Check now',
    release: 'Release',
    released: 'The month is released.',
    download: /^Download lodas-/,
    noBike: 'This person has no running contract, so nothing is deducted any more.',
    endEarly: 'End early',
    changeEnd: 'Change the end',
    withdrawEnd: 'Withdraw the end',
    withdraw: 'Withdraw',
    reason: 'Reason',
    record: 'Record the end',
    outside: /^Enter a day of the contract/,
    notADay: 'Enter a day, such as 01/11/2026.',
    amounts: 'Change the amounts',
    fromMonth: 'From month',
    leasing: 'Leasing rate',
    more: 'October 2026: €10.00 more in the next run',
    withdrawVersion: 'Withdraw the change of amounts?',
    kind: 'Kind of incident',
    parental: 'Parental leave',
    from: 'First day of absence',
    description: 'Description',
    report: 'Report the incident',
    reported: 'The incident is reported.',
    september: 'September 2026: €83.10 back in the next run',
    recordLeave: 'Record end, bike or payer',
    lastDayOfLeave: 'Last day of the leave',
    save: 'Save',
    half: 'September 2026: €41.55 back in the next run',
    before: 'A day lies before the first day of the contract.',
    order: 'Affected order',
  },
  de: {
    departure: 'Austritt erfassen',
    lastDay: 'Letzter Tag im Unternehmen',
    proceed: 'Weiter',
    bikes: 'Räder',
    what: 'Was mit dem Rad geschieht',
    returned: 'Das Rad wird zurückgegeben',
    purchase: 'Die Person kauft das Rad (vorzeitige Ablösung)',
    continue: 'Der Vertrag läuft hier weiter',
    contractEnd: 'Letzter Tag des Vertrags',
    choose: 'Wählen Sie, was mit dem Rad geschieht.',
    back: 'Oktober 2026: 29,49 € zurück in der nächsten Abrechnung',
    right: 'Ja, das ist richtig',
    confirmFirst: 'Bestätigen Sie das, oder gehen Sie zurück und ändern Sie es.',
    send: 'Austritt speichern',
    recorded: 'Der Austritt ist erfasst.',
    notAll: 'Es ist noch nicht alles erfasst. Senden Sie es erneut: Nichts wird doppelt erfasst.',
    check: 'Jetzt prüfen',
    release: 'Freigeben',
    released: 'Der Monat ist freigegeben.',
    download: /^lodas-.* herunterladen$/,
    noBike: 'Diese Person hat keinen laufenden Vertrag. Es wird nichts mehr einbehalten.',
    endEarly: 'Vorzeitig beenden',
    changeEnd: 'Ende ändern',
    withdrawEnd: 'Ende zurücknehmen',
    withdraw: 'Zurücknehmen',
    reason: 'Grund',
    record: 'Ende erfassen',
    outside: /^Geben Sie einen Tag des Vertrags ein/,
    notADay: 'Geben Sie einen Tag ein, zum Beispiel 01.11.2026.',
    amounts: 'Beträge ändern',
    fromMonth: 'Ab Monat',
    leasing: 'Leasingrate',
    more: 'Oktober 2026: 10,00 € mehr in der nächsten Abrechnung',
    withdrawVersion: 'Änderung der Beträge zurücknehmen?',
    kind: 'Art des Störfalls',
    parental: 'Elternzeit',
    from: 'Erster Tag der Abwesenheit',
    description: 'Beschreibung',
    report: 'Störfall melden',
    reported: 'Der Störfall ist gemeldet.',
    september: 'September 2026: 83,10 € zurück in der nächsten Abrechnung',
    recordLeave: 'Ende, Rad oder Zahler erfassen',
    lastDayOfLeave: 'Letzter Tag der Abwesenheit',
    save: 'Speichern',
    half: 'September 2026: 41,55 € zurück in der nächsten Abrechnung',
    before: 'Ein Tag liegt vor dem ersten Tag des Vertrags.',
    order: 'Betroffene Bestellung',
  },
} as const;

interface Person {
  readonly tenant: string;
  readonly employeeId: string;
  readonly orders: readonly string[];
  readonly secret: string;
}

/** A person with running contracts since September, of which payroll has released September and October. */
async function person(count: number, { settings = {}, employee = {} } = {}): Promise<Person> {
  const { sql, testData, portal } = fixture;
  const { organization } = testData;
  const tenant = await payrollCompany(sql, organization, `Muster ${Math.random()}`, settings);
  const { employeeId, orderId } = await storeActiveOrder(sql, { organization, tenant }, { employee });
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employeeId}`;
  const days = { startDate: '2026-09-01', endDate: '2029-08-31' };
  const others = Array.from({ length: count - 1 }, (_, at) =>
    orderInput({
      employeeId,
      status: 'active',
      hrHistory: historyInput('approved'),
      contract: contractInput({ contractNumber: `LV-${at + 2}`, ...days }),
    }),
  );
  const stored = await storeOrders(sql, { organizationId: organization, tenantId: tenant }, others);
  const { key: secret } = await payrollUser(sql, organization, { hrTenants: [tenant] });
  for (const period of ['2026-09', '2026-10'])
    await releasePayroll(portal, { tenant, key: secret, period, formats: ['datev_lodas'] });
  return { tenant, employeeId, orders: [orderId, ...stored.map(({ id }) => id)], secret };
}

const dialog = (page: Page) => page.getByRole('dialog').last();

/** Chooses one of a list by keyboard. */
async function pick(page: Page, field: Locator, name: string): Promise<void> {
  await reach(page, field);
  await field.selectOption({ label: name });
}

/** Types a day as it stands in an address of the API. */
const typeDay = (page: Page, field: Locator, day: string) => type(page, field, day);

async function endOf(orderId: string): Promise<string> {
  const [order] = await fixture.sql<{ end: string }[]>`
    SELECT doc::jsonb #>> '{contract,endDate}' AS end FROM employee_order WHERE id = ${orderId}`;
  return order!.end;
}

/** Releases the month of the page, and returns the lines of its LODAS file as sums by month and wage type. */
async function sumsOfRelease(
  page: Page,
  labels: (typeof words)['en' | 'de'],
): Promise<Record<string, bigint>> {
  await press(page, button(page, labels.release));
  await press(page, dialog(page).getByRole('button', { name: labels.release }));
  await page.getByText(labels.released).waitFor();
  const file = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: labels.download }).first());
  const { lines } = readLodas(await readFile(await (await file).path()));
  const sums: Record<string, bigint> = {};
  for (const { month, wageType, cents } of lines) {
    const name = `${month} ${wageType}`;
    sums[name] = (sums[name] ?? 0n) + cents;
  }
  return sums;
}

inBrowser('departures, contracts and leaves of HR', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: a blocked leaver with three bikes, from the person to the LODAS file, by keyboard alone`, async () => {
      const { tenant, employeeId, orders, secret } = await person(3, { employee: { blocked: true } });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/employees/${employeeId}?company=${tenant}`);
        await press(page, page.getByRole('link', { name: labels.departure }));
        await typeDay(page, page.getByLabel(labels.lastDay), '2026-11-15');
        await press(page, button(page, labels.proceed));
        await page.getByRole('heading', { name: labels.bikes }).waitFor();
        await press(page, button(page, labels.proceed));
        assert.equal(await page.getByText(labels.choose).count(), 3);
        const [outcomes, days] = [page.getByLabel(labels.what), page.getByLabel(labels.contractEnd)];
        // The orders are listed the newest first, which have the same day here.
        await pick(page, outcomes.nth(0), labels.returned);
        await typeDay(page, days.nth(0), '2026-08-31');
        await page.getByText(labels.outside).waitFor();
        await typeDay(page, days.nth(0), '2026-10-20');
        await page.getByText(labels.back).waitFor();
        await pick(page, outcomes.nth(1), labels.purchase);
        await pick(page, outcomes.nth(2), labels.continue);
        await assertAccessible(page, 'bikes of a departure');
        await press(page, button(page, labels.proceed));
        await page.getByText(labels.back).waitFor();
        await press(page, button(page, labels.send));
        await page.getByText(labels.confirmFirst).waitFor();
        await press(page, page.getByLabel(labels.right), 'Space');
        await assertAccessible(page, 'check of a departure');
        // Nothing was stored yet. The second request fails: the page says what is done, and goes on with the rest.
        const before = await Promise.all(orders.map(endOf));
        assert.deepEqual(new Set(before), new Set(['2029-08-31']));
        let requests = 0;
        await page.route('**/contract-end', route => (++requests === 2 ? route.abort() : route.continue()));
        await press(page, button(page, labels.send));
        await page.getByText(labels.notAll).waitFor();
        await press(page, button(page, labels.send));
        await page.getByText(labels.recorded).waitFor();
        assert.equal(requests, 3);
        const lastDays = await Promise.all(orders.map(endOf));
        assert.deepEqual(lastDays.toSorted(), ['2026-10-20', '2026-11-15', '2029-08-31']);
        await page.getByText(labels.back).waitFor();
        await page.goto(`/portal/payroll?company=${tenant}&month=2026-11`);
        await press(page, button(page, labels.check));
        // The contract that goes on is asked about, with the way back to the departure.
        await page.getByRole('link', { name: labels.departure }).first().waitFor();
        assert.deepEqual(await sumsOfRelease(page, labels), {
          '2026-10 3010': 2949n,
          // 15 of 30 days of the one, and the whole month of the other.
          '2026-11 3010': -4155n - 8310n,
          '2026-11 3020': 1600n,
        });
      });
    });

    test(`${language}: a double press records a departure once, and a person without a running contract has none`, async () => {
      const { tenant, employeeId, orders, secret } = await person(1);
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/employees/${employeeId}/departure?company=${tenant}`);
        await typeDay(page, page.getByLabel(labels.lastDay), '2026-12-31');
        await press(page, button(page, labels.proceed));
        await pick(page, page.getByLabel(labels.what), labels.returned);
        await press(page, button(page, labels.proceed));
        await reach(page, button(page, labels.send));
        await button(page, labels.send).dblclick();
        await page.getByText(labels.recorded).waitFor();
        const [{ count }] = (await fixture.sql<{ count: number }[]>`
          SELECT json_array_length(contract_record -> 'endHistory') AS count FROM employee_order WHERE id = ${orders[0]!}`) as [
          { count: number },
        ];
        assert.equal(count, 1);
        await fixture.sql`UPDATE employee_order SET status = 'completed', doc = replace(doc, '"status":"active"', '"status":"completed"')
          WHERE id = ${orders[0]!}`;
        await page.goto(`/portal/employees/${employeeId}/departure?company=${tenant}`);
        await page.getByText(labels.noBike).waitFor();
      });
    });

    test(`${language}: the early end of a contract and other amounts are recorded on the order, with their effect, and withdrawn`, async () => {
      const { orders, secret } = await person(1);
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/orders?all=true&order=${orders[0]}`);
        await press(page, button(page, labels.endEarly));
        // A day that does not exist is named when the field is left: the button alone would not say why it is disabled.
        await typeDay(page, dialog(page).getByLabel(labels.contractEnd), '31.2.2027');
        await reach(page, dialog(page).getByLabel(labels.reason));
        await dialog(page).getByText(labels.notADay).waitFor();
        await typeDay(page, dialog(page).getByLabel(labels.contractEnd), '2026-08-31');
        await dialog(page).getByText(labels.outside).waitFor();
        await typeDay(page, dialog(page).getByLabel(labels.contractEnd), '2026-10-20');
        await pick(page, dialog(page).getByLabel(labels.reason), labels.returned);
        await dialog(page).getByText(labels.back).waitFor();
        const record = dialog(page).getByRole('button', { name: labels.record });
        assert.ok(await record.isDisabled(), 'released amounts come back, which is to be confirmed');
        await press(page, dialog(page).getByLabel(labels.right), 'Space');
        await press(page, record);
        await button(page, labels.changeEnd).waitFor();
        await page.getByText(labels.back).waitFor();
        assert.equal(await endOf(orders[0]!), '2026-10-20');
        await press(page, button(page, labels.withdrawEnd));
        await press(page, dialog(page).getByRole('button', { name: labels.withdraw }));
        await button(page, labels.endEarly).waitFor();
        assert.equal(await endOf(orders[0]!), '2029-08-31');
        await press(page, button(page, labels.amounts));
        await dialog(page).getByLabel(labels.fromMonth).selectOption('2026-10');
        const leasing = dialog(page).getByLabel(labels.leasing, { exact: true });
        const [whole] = (await leasing.inputValue()).split(/[.,]/);
        await type(
          page,
          leasing,
          `${Number(whole) + 10}${(await leasing.inputValue()).slice(whole!.length)}`,
        );
        await dialog(page).getByText(labels.more).waitFor();
        await press(page, dialog(page).getByRole('button', { name: labels.amounts }));
        await page.getByText(labels.more).waitFor();
        await press(page, button(page, labels.withdraw));
        await dialog(page).getByRole('heading', { name: labels.withdrawVersion }).waitFor();
        await press(page, dialog(page).getByLabel(labels.right), 'Space');
        await press(page, dialog(page).getByRole('button', { name: labels.withdraw }));
        await page.getByText(labels.more).waitFor({ state: 'detached' });
      });
    });

    test(`${language}: parental leave with the bike kept, reported over a released month, and its end, down to the LODAS file`, async () => {
      const continues = { ...leaveRule('suspend'), taxableBenefit: 'continue' };
      const settings = { leaves: { ...settingsInput.leaves, parentalLeave: continues } };
      const { tenant, employeeId, secret } = await person(1, { settings });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/incidents/new?company=${tenant}&employee=${employeeId}`);
        await pick(page, page.getByLabel(labels.kind), labels.parental);
        await press(page, button(page, labels.proceed));
        await typeDay(page, page.getByLabel(new RegExp(`^${labels.from}`)), '2026-08-15');
        await type(page, page.getByLabel(labels.description), 'Elternzeit');
        await press(page, button(page, labels.proceed));
        await page.getByText(labels.before).waitFor();
        await press(page, button(page, labels.report));
        await page.getByText(labels.confirmFirst).waitFor();
        await press(page, page.getByLabel(labels.right), 'Space');
        await page.getByText(labels.september).waitFor();
        await press(page, button(page, labels.report));
        await page.getByText(labels.reported).waitFor();
        await dialog(page).getByText(labels.september).waitFor();
        await fixture.sql`UPDATE incident SET status = 'resolved', editable = false,
          doc = replace(replace(doc, '"status":"completed"', '"status":"resolved"'), '"editable":true', '"editable":false')
          WHERE employee_id = ${employeeId}`;
        await press(page, button(page, labels.recordLeave));
        await typeDay(page, dialog(page).getByLabel(labels.lastDayOfLeave), '2026-09-15');
        await dialog(page).getByText(labels.half).waitFor();
        await press(page, dialog(page).getByLabel(labels.right), 'Space');
        await press(page, dialog(page).getByRole('button', { name: labels.save }));
        await page.getByText(labels.half).waitFor();
        await page.goto(`/portal/payroll?company=${tenant}&month=2026-11`);
        await press(page, button(page, labels.check));
        assert.deepEqual(await sumsOfRelease(page, labels), {
          '2026-09 3010': 4155n,
          '2026-11 3010': -8310n,
          '2026-11 3020': 800n,
        });
      });
    });

    test(`${language}: an incident of a death leads to the departure with its day and its reason`, async () => {
      const { tenant, employeeId, orders, secret } = await person(1);
      const place = { organization: fixture.testData.organization, tenant };
      const death = { employeeId, orderId: orders[0]!, type: 'death', occurredOn: '2026-11-10' } as const;
      const { id } = await storeIncident(fixture.sql, place, death);
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/incidents?all=true&incident=${id}`);
        await press(page, page.getByRole('link', { name: labels.departure }));
        await page.getByLabel(labels.lastDay).waitFor();
        assert.match(await page.getByLabel(labels.lastDay).inputValue(), /^10.11.2026$/);
        await press(page, button(page, labels.proceed));
        assert.equal(await page.getByLabel(labels.what).inputValue(), 'death');
      });
    });
  }
});
