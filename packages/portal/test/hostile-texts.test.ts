import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { attackAnswers, hostileName, readTrap, setTrap, textsOfWrites } from './hostile.ts';
import { inBrowser, visit } from './support.ts';
import { prepareViews, viewsOf, visits } from './views/all.ts';
import { nameViews, settle, type View, Words } from './views/view.ts';

const fixture = usePortal();

/** Texts of writes that no answer of the portal contains, and why. */
const unseen: Readonly<Record<string, string>> = {
  currentPassword: 'is stored as a hash only',
  email: 'of a sign-in, which answers with the stored one',
  externalId: 'is for the leasing system, which sends it',
  filter: 'is in the address of the page, and filter-story.test.ts reads it from there',
  iss: 'is compared with the issuer',
  label: 'is in a file only, see exports.test.ts',
  password: 'is stored as a hash only',
  secret: 'is of a link, and is stored as a hash only',
  state: 'is compared with the sign-in',
  text: 'is what the user searches',
  timeZone: 'is a name of the list of time zones',
  value: 'is in a file only, see exports.test.ts',
  words: 'is in a file only, see exports.test.ts',
};

inBrowser('texts of people that are markup, attributes, addresses or scripts', () => {
  let views: readonly View[];
  let secrets: Readonly<Record<'user' | 'stale' | 'passkey', string>>;
  let service: TestService;
  const attacked = new Set<string>();
  let shown = 0;
  before(async () => {
    nameViews(hostileName);
    // Passkeys need a host name.
    service = await startService(fixture.sql, { publicUrl: null });
    ({ views, secrets } = await prepareViews(fixture));
  });
  after(() => service?.stop());

  describe('are texts in every page and dialog, which stays where it is', { concurrency: 2 }, () => {
    for (const each of visits)
      test(each.name, t => {
        const origin = service.url.replace('127.0.0.1', 'localhost');
        const secret = each.as === 'anonymous' ? {} : { secret: secrets[each.as] };
        return visit(origin, secret, async (page, context) => {
          const requested: string[] = [];
          context.on('request', request => requested.push(request.url()));
          await setTrap(page);
          await attackAnswers(page, attacked);
          for (const { name, path, open } of viewsOf(views, each))
            await t.test(name, async () => {
              requested.length = 0;
              await page.goto(`/portal${path}`);
              await settle(page);
              await open?.(page, new Words(page, 'en'));
              await settle(page);
              if ((await page.locator('body').innerText()).includes('xss()')) shown++;
              assert.deepEqual(await readTrap(page), []);
              const isElsewhere = (url: string) =>
                !url.startsWith(`${origin}/portal`) || url.endsWith('/hostile');
              assert.deepEqual(requested.filter(isElsewhere), []);
            });
        });
      });
  });

  test('are in most pages', () => assert.ok(shown > 100, `${shown} views show one`));

  test('are all texts that a write of any API can store', () => {
    assert.deepEqual(
      textsOfWrites().filter(name => !attacked.has(name)),
      Object.keys(unseen),
    );
  });
});
