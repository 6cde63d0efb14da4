import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { invitedUser, signedInUser } from '../../server/test/support/data/users.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

inBrowser('the home page', () => {
  test('names an invitation that has run out, also where there is no key yet', async () => {
    const { sql, testData } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, {
      permissions: ['IT', 'COMPANY_ADMIN'],
    });
    const late = await invitedUser(sql, testData.organization, { name: 'Laura Late' });
    await sql`
      UPDATE portal_user SET link_expires_at = now()
      WHERE organization_id = ${testData.organization} AND id = ${late.id}`;
    const search = { filter: 'status = active' };
    const { body } = await fixture.portal.post('/api-keys/search', search, { key: secret });
    for (const { id } of body.items)
      await fixture.portal.request('POST', `/api-keys/${id}/deactivation`, { key: secret });
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal');
      await page.getByRole('heading', { name: 'Connect your first system' }).waitFor();
      await page.getByRole('link', { name: 'Laura Late' }).waitFor();
    });
  });
});
