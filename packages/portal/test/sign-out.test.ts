import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { userMenu } from './session-steps.ts';
import { button, inBrowser, visit } from './support.ts';

const fixture = usePortal();

inBrowser('the sign-out', () => {
  test('is in the menu of every page that takes a sign-in', async () => {
    const router = await readFile(new URL('../src/router.tsx', import.meta.url), 'utf8');
    const inside = router.slice(router.indexOf('const inShell'), router.indexOf('export const router'));
    const paths = Array.from(inside.matchAll(/(?:\bpath: |\binFrame\(\s*)'(\/[^']*)'/g), ([, path]) => path!);
    assert.ok(paths.length >= 12, paths.join(' '));
    const { sql, testData } = fixture;
    const { secret, user } = await signedInUser(sql, testData.organization, {
      name: 'Anna Admin',
      permissions: ['IT', 'COMPANY_ADMIN'],
    });
    const { id: key } = parseKey(await testKey(sql, testData.organization, 'all'))!;
    const ids: Record<string, string> = {
      '/settings/api-keys/$id': key,
      '/companies/$id': testData.tenantA,
      '/settings/users/$id': user.id,
    };
    await visit(fixture.service.url, { secret }, async page => {
      for (const path of paths) {
        await page.goto(`/portal${path.replace('$id', () => ids[path]!)}`);
        await userMenu(page, 'Anna Admin').click();
        await button(page, 'Sign out').waitFor();
        assert.ok(await button(page, 'Sign out').isEnabled(), path);
      }
    });
  });
});
