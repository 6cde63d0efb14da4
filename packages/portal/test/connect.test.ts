import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { apis, type Operation } from '@kontor/contract';
import type { Page } from 'playwright-core';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { button, inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();
const run = promisify(execFile);

const words = {
  en: {
    link: 'Connect its system',
    title: 'Connect a system',
    request: 'Request',
    command: 'The command',
    copy: 'Copy command',
    copied: 'Copied',
    copyId: 'Copy the ID of Muster GmbH',
    reference: 'Operations, fields and errors',
  },
  de: {
    link: 'Binden Sie das System an',
    title: 'System anbinden',
    request: 'Anfrage',
    command: 'Der Befehl',
    copy: 'Befehl kopieren',
    copied: 'Kopiert',
    copyId: 'ID von Muster GmbH kopieren',
    reference: 'Vorgänge, Felder und Fehler',
  },
} as const;

/** The operations that take a key. */
const operations = Object.values<Operation>(apis.public.operations).filter(one => one.authenticated);

/** The commands of all requests, which are chosen by keyboard. */
async function commandsOf(page: Page, { request, command }: (typeof words)['en' | 'de']): Promise<string[]> {
  const options = page.getByRole('option');
  await press(page, page.getByRole('combobox', { name: request }), 'Space');
  await options.first().waitFor();
  const names = await options.allInnerTexts();
  await page.keyboard.press('Escape');
  const commands = [];
  for (const name of names) {
    await page.keyboard.press('Space');
    // The list goes to the chosen one in a timer, which begins before this one.
    await page.evaluate('new Promise(done => setTimeout(done))');
    do await page.keyboard.press('ArrowDown');
    while ((await page.locator('[data-combobox-selected]').innerText()) !== name);
    await page.keyboard.press('Enter');
    await options.first().waitFor({ state: 'hidden' });
    commands.push(await page.getByLabel(command, { exact: true }).innerText());
  }
  return commands;
}

inBrowser('the card that connects a system', () => {
  let secret: string;
  let folder: string;
  before(async () => {
    ({ secret } = await fixture.user());
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-connect-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** The status and code of the answer to a command, which has got the key from its environment. */
  async function answerTo(command: string, key: string): Promise<string> {
    const filled = command.replaceAll(/\b[A-Z]+_ID\b/g, '000000000000000000000000');
    const status = `${filled} -o answer -w '%{http_code}'`.replace('-sSfOJ', '-sS');
    const script = `echo '%PDF-1.7' > evidence.pdf; ${status}; echo; cat answer`;
    const { stdout } = await run('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, KONTOR_API_KEY: key },
    });
    const [code = '', ...body] = stdout.split('\n');
    return code === '200' ? code : `${code} ${JSON.parse(body.join('\n')).error.code}`;
  }

  for (const language of inLanguages('en'))
    test(`copies what a system needs and a request of each operation, without the key, in ${language}`, async () => {
      const { testData, service, sql } = fixture;
      const key = await testKey(sql, testData.organization, {
        tenants: [testData.tenantA, testData.tenantB],
      });
      const { id } = parseKey(key)!;
      const text = words[language];
      await visit(service.url, { secret, language }, async (page, context) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto(`/portal/settings/api-keys/${id}`);
        await press(page, page.getByRole('link', { name: text.link }));
        const card = page.locator('section').filter({ has: page.getByRole('heading', { name: text.title }) });
        await card.getByText(`${service.url}/v1`, { exact: true }).waitFor();
        await card.getByText('X-API-Key', { exact: true }).waitFor();
        await card.getByText(testData.tenantB, { exact: true }).waitFor();
        assert.equal(await card.getByRole('link', { name: text.reference }).getAttribute('href'), '/docs');
        await press(page, button(page, text.copyId));
        await button(page, text.copied).waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), testData.tenantA);
        await press(page, button(page, text.copy));
        await page.locator('pre + button', { hasText: text.copied }).waitFor();
        const copied = await page.evaluate('navigator.clipboard.readText()');

        const commands = await commandsOf(page, text);
        assert.equal(new Set(commands).size, operations.length, 'a command for each operation');
        assert.equal(copied, commands[0]);
        for (const command of commands) {
          assert.match(command, /"X-API-Key: \$KONTOR_API_KEY"/);
          const isById = /_ID\b/.test(command.replace('$KONTOR_API_KEY', ''));
          assert.equal(
            await answerTo(command, key),
            !isById ? '200' : command.includes('EMPLOYEE_ID"') ? '422 INVALID_REFERENCE' : '404 NOT_FOUND',
            command,
          );
        }
      });
      assert.equal(
        (await sql`SELECT FROM employee WHERE organization_id = ${testData.organization}`).length,
        0,
        'nothing is stored',
      );
    });

  test('creates in the division of a key that has no whole company', async () => {
    const { testData, service, sql } = fixture;
    const divisions = [{ tenant: testData.tenantA, id: testData.north }];
    const key = await testKey(sql, testData.organization, { divisions });
    await visit(service.url, { secret }, async page => {
      await page.goto(`/portal/settings/api-keys/${parseKey(key)!.id}?tab=connect`);
      const commands = await commandsOf(page, words.en);
      const creating = commands.filter(command => command.includes(testData.north));
      assert.equal(creating.length, 2);
      for (const command of creating) assert.equal(await answerTo(command, key), '200', command);
    });
  });
});
