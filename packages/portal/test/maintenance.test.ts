import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { beginMaintenance, endMaintenance } from '../../server/src/write/writes.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

afterEach(() => endMaintenance(fixture.sql));

const words = {
  en: {
    ending: /^Maintenance until about .+: you can read everything, but nothing can be changed before\.$/,
    endless: 'Maintenance: you can read everything, but nothing can be changed at the moment.',
  },
  de: {
    ending: /^Wartung bis etwa .+: Sie können alles lesen, aber bis dahin nichts ändern\.$/,
    endless: 'Wartung: Sie können alles lesen, aber im Moment nichts ändern.',
  },
};

const reason = 'Ein neuer Datenbankserver';

inBrowser('maintenance', () => {
  for (const language of inLanguages('de'))
    test(`is announced on each page with its end and its reason, in ${language}`, async () => {
      const { sql, testData, service } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] });
      const { ending, endless } = words[language];
      const announce = (until: string | null) => beginMaintenance(sql, { until, reason }, () => {});
      await announce(new Date(Date.now() + 1_800_000).toISOString());
      await visit(service.url, { secret, language }, async page => {
        await page.goto('/portal/settings/users');
        await page.getByText(ending).waitFor();
        await page.getByText(reason).waitFor();
        await announce(null);
        await page.goto('/portal/');
        await page.getByText(endless).waitFor();
        await endMaintenance(sql);
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.equal(await page.getByText(endless).count(), 0);
      });
    });
});
