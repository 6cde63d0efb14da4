import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { unzip } from '../../server/test/privacy/zip.ts';
import { type ApiClient, apiClient, multipart } from '../../server/test/support/contract/client.ts';
import { storeIncident, storeReporter } from '../../server/test/support/data/incidents.ts';
import { storeOrders, orderInput, productInput } from '../../server/test/support/data/orders.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { hostileTexts, readTrap, setTrap } from './hostile.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

const all = hostileTexts.join(' ');

inBrowser('hostile texts in what leaves the portal', () => {
  let folder: string;
  let mailServer: MailServer;
  let service: TestService;
  let portal: ApiClient;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-hostile-'));
    mailServer = await startMailServer();
    service = await startService(fixture.sql, { mail: mailServer.settings });
    portal = apiClient(service.url, { api: 'portal' });
  });
  after(async () => {
    portal?.close();
    await service?.stop();
    await mailServer?.close();
    await rm(folder, { recursive: true });
  });

  /** Opens a page as a person does who has saved it: without a policy. */
  async function assertHarmless(html: string, name: string): Promise<void> {
    const file = path.join(folder, name);
    await writeFile(file, html);
    await visit(fixture.service.url, {}, async (page: Page, context) => {
      const requested: string[] = [];
      context.on('request', request => requested.push(request.url()));
      await setTrap(page);
      const address = pathToFileURL(file).href;
      for (const part of ['', '#en']) {
        await page.goto(`${address}${part}`);
        await page.emulateMedia({ media: part === '' ? 'screen' : 'print' });
        assert.ok((await page.content()).includes('xss()'));
        assert.deepEqual(await readTrap(page), []);
      }
      assert.deepEqual(
        requested.filter(url => !url.startsWith(address)),
        [],
      );
    });
  }

  const admin = (name: string) =>
    signedInUser(fixture.sql, fixture.testData.organization, {
      name,
      permissions: ['HR', 'COMPANY_ADMIN'],
      hrTenants: null,
    });

  test('are texts in the page of an access request, on screen and on paper', async () => {
    const { sql, testData } = fixture;
    const place = { organization: testData.organization, tenant: testData.tenantA };
    await sql`UPDATE organization SET name = ${all.slice(0, 200)} WHERE id = ${testData.organization}`;
    const person = { firstName: all.slice(0, 200), lastName: all.slice(200, 400), street: all.slice(0, 200) };
    const employeeId = await storeReporter(sql, place, { ...person, additionalInfo: all });
    const [file] = (await storeIncident(sql, place)).attachments;
    await storeIncident(sql, place, {
      employeeId,
      description: all,
      policeReference: all.slice(0, 90),
      attachments: [{ ...file!, fileName: `${hostileTexts[0]!}.pdf` }],
    });
    const products = [productInput({ model: all.slice(0, 100), manufacturerName: hostileTexts[1]! })];
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    await storeOrders(sql, target, [orderInput({ employeeId, products, orderNumber: hostileTexts[4]! })]);
    const { secret: key } = await admin(all.slice(0, 100));
    const { status, bytes } = await portal.get(`/employees/${employeeId}/export`, { key });
    assert.equal(status, 200);
    await assertHarmless(unzip(bytes).get('index.html')!.toString(), 'index.html');
  });

  test('are texts in a mail', async () => {
    const { secret: key } = await admin(all.slice(0, 200));
    const { body } = await portal.request('POST', '/mail/test-message', { key });
    assert.deepEqual(body, { outcome: 'accepted', reply: null });
    const { html, headers } = mailServer.mails.at(-1)!;
    assert.deepEqual(
      Object.keys(headers).filter(name => /xss|hostile/.test(name)),
      [],
    );
    await assertHarmless(html, 'mail.html');
  });

  for (const [sent, stored] of [
    ['a"; filename="evil.exe', 'a"; filename="evil.exe'],
    ["a.pdf'; filename*=UTF-8''evil.exe", "a.pdf'; filename*=UTF-8''evil.exe"],
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['..\\..\\evil.exe.pdf', 'evil.exe.pdf'],
    ['a\u{202e}b.exe', 'ab.exe'],
    ['a\u{0}b\u{7}c\u{2028}d.pdf', null],
    // Browsers encode quotes and the ends of lines in this way.
    ['%0d%0aSet-Cookie: a=b.pdf', 'Set-Cookie: a=b.pdf'],
    ['<img src=hostile onerror=xss()>.html', '<img src=hostile onerror=xss()>.html'],
    ['=cmd|calc!A1.pdf', '=cmd|calc!A1.pdf'],
    [`${'😀'.repeat(300)}.pdf`, `${'😀'.repeat(251)}.pdf`],
  ] as const)
    test(`are one name in the head of a download: ${JSON.stringify(sent.slice(0, 40))}`, async () => {
      const { sql, testData, client } = fixture;
      const place = { organization: testData.organization, tenant: testData.tenantA };
      const { id } = await storeIncident(sql, place);
      const { raw, contentType } = await multipart({
        bytes: Buffer.from('%PDF-1.7\n%%EOF\n'),
        fileName: sent,
        mediaType: 'text/html',
      });
      const uploaded = await client.request('POST', `/incidents/${id}/attachments`, {
        raw,
        headers: { 'content-type': contentType },
      });
      assert.equal(uploaded.status, 201, uploaded.bytes.toString());
      if (stored !== null) assert.equal(uploaded.body.fileName, stored);
      const { secret: key } = await admin('Anna Admin');
      const answer = await portal.get(`/incidents/${id}/attachments/${uploaded.body.id}`, { key });
      assert.equal(answer.status, 200);
      const { headers } = answer;
      assert.equal(headers['content-type'], 'application/pdf');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      // RFC 6266: a quoted name without quotes and controls, and an encoded one (RFC 8187).
      const [, encoded] =
        /^(?:attachment|inline); filename="[ !#-[\]-~]*"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(
          headers['content-disposition'] as string,
        ) ?? [];
      assert.equal(decodeURIComponent(encoded!), uploaded.body.fileName);
    });
});
