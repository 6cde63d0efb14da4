import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import {
  payrollCompany,
  payrollUser,
  releasePayroll,
  storeActiveOrder,
} from '../../server/test/support/data/payroll-company.ts';
import { assertNoFindings, button, inBrowser, inLanguages, press, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    search: 'Search by name or employee number',
    print: 'Print',
    copy: 'Copy as text',
    copied: 'Copied',
    text: [
      'Lena Vogt',
      'October 2026 · Muster en · Employee number 4711',
      '',
      'Salary conversion, October 2026: €269.97',
      '€269.97 of the salary of October 2026 are converted.',
      'Each month: Leasing €265.00 + Insurance €19.97 + Service €5.00 − subsidies €20.00 = €269.97.',
      'A full month: the whole rate (31 of 31 days): €269.97.',
      'State: Exported',
      'Contract: LV-1',
      'Booking: -€269.97, wage type 3010, employee number 4711',
    ],
    benefit:
      'A quarter of the list price of €3,599.00 is €899.75, rounded down to €800.00. 1 % of it is €8.00 a month.',
  },
  de: {
    search: 'Name oder Personalnummer suchen',
    print: 'Drucken',
    copy: 'Als Text kopieren',
    copied: 'Kopiert',
    text: [
      'Lena Vogt',
      'Oktober 2026 · Muster de · Personalnummer 4711',
      '',
      'Entgeltumwandlung, Oktober 2026: 269,97 €',
      'Vom Entgelt für Oktober 2026 werden 269,97 € umgewandelt.',
      'Je Monat: Leasing 265,00 € + Versicherung 19,97 € + Service 5,00 € − Zuschüsse 20,00 € = 269,97 €.',
      'Voller Monat: die ganze Rate (31 von 31 Tagen): 269,97 €.',
      'Stand: Exportiert',
      'Vertrag: LV-1',
      'Buchung: -269,97 €, Lohnart 3010, Personalnummer 4711',
    ],
    benefit:
      'Ein Viertel des Listenpreises von 3.599,00 € sind 899,75 €, abgerundet 800,00 €. 1 % davon sind 8,00 € im Monat.',
  },
} as const;

inBrowser('the sheet of a person', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: why 269.97? The sheet says it, is copied as a text, and printed on one page, by keyboard alone`, async () => {
      const { sql, testData, portal, service } = fixture;
      const { organization } = testData;
      const tenant = await payrollCompany(sql, organization, `Muster ${language}`, {});
      const { key: secret } = await payrollUser(sql, organization);
      await storeActiveOrder(
        sql,
        { organization, tenant },
        {
          employee: { firstName: 'Lena', lastName: 'Vogt', employeeNumber: '4711' },
          contract: {
            leasingRate: '265.00',
            insuranceRate: '19.97',
            insuranceRateSubsidy: '0.00',
            startDate: '2026-10-01',
            endDate: '2029-09-30',
          },
        },
      );
      await releasePayroll(portal, { tenant, key: secret });
      await visit(service.url, { language, secret }, async (page, context) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto(`/portal/payroll?company=${tenant}&month=2026-10`);
        await type(page, page.getByLabel(labels.search), 'vogt');
        await press(page, page.getByRole('link', { name: 'Lena Vogt' }));
        const sheet = page.getByRole('dialog');
        await sheet
          .getByText(/-10001-2026-10\.csv$/)
          .first()
          .waitFor();
        await sheet.getByText(labels.benefit).waitFor();
        await assertNoFindings(page, 'the sheet');
        await press(page, button(page, labels.copy));
        await sheet.getByText(labels.copied).waitFor();
        const text = await page.evaluate<string>('navigator.clipboard.readText()');
        const lines = text.replaceAll('\u00A0', ' ').split('\n');
        assert.deepEqual(lines.slice(0, labels.text.length), labels.text);
        assert.match(text, /-10001-2026-10\.csv/);
        await page.evaluate('window.print = () => { window.printed = true; }');
        await press(page, button(page, labels.print));
        assert.equal(await page.evaluate('window.printed'), true);
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
        assert.equal(pdf.match(/\/Type \/Page\b(?!s)/g)?.length, 1);
        await page.emulateMedia({ media: 'print' });
        assert.equal(await page.getByRole('navigation').first().isVisible(), false);
        assert.equal(await page.locator('h1').isVisible(), false);
        assert.ok(await sheet.getByText(labels.text[5]).isVisible());
      });
    });
  }
});
