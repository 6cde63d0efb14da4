import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bodyLimits } from '@kontor/contract';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeIncident } from '../../server/test/support/data/incidents.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { assertAccessible, inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    reduced: (name: string) =>
      new RegExp(`^${name} was reduced from \\d\\d?(\\.\\d)? MB to \\d(\\.\\d)? MB\\.$`),
    tooLarge: /^The file has \d(\.\d)? MB; at most 5\.2 MB are possible\. Choose a smaller one\.$/,
  },
  de: {
    reduced: (name: string) =>
      new RegExp(`^${name} wurde von \\d\\d?(,\\d)? MB auf \\d(,\\d)? MB verkleinert\\.$`),
    tooLarge: /^Die Datei hat \d(,\d)? MB; möglich sind höchstens 5,2 MB\. Wählen Sie eine kleinere\.$/,
  },
} as const;

/** A JPEG of noise, which hardly compresses, red in the corner at the top left. */
async function noise(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height});
    const context = canvas.getContext('2d');
    const image = context.createImageData(canvas.width, canvas.height);
    const random = crypto.getRandomValues(new Uint8Array(65_536)).map(byte => (byte < 128 ? 0 : 255));
    for (let at = 0; at < image.data.length; at += random.length)
      image.data.set(random.subarray(0, image.data.length - at), at);
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
    context.putImageData(image, 0, 0);
    context.fillStyle = 'red';
    context.fillRect(0, 0, canvas.width / 8, canvas.height / 8);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    return new Uint8Array(await blob.arrayBuffer()).toBase64();
  })()`);
  return Buffer.from(base64 as string, 'base64');
}

/** The same JPEG as a phone on its side takes it: to be turned clockwise. */
function turned(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    'Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0',
    'latin1',
  );
  const segment = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, exif, jpeg.subarray(2)]);
}

/** The size of a JPEG in pixels, and the corners that are red. */
const inspect = (page: Page, jpeg: Buffer) =>
  page.evaluate(`(async () => {
    const bytes = Uint8Array.fromBase64('${jpeg.toString('base64')}');
    const image = await createImageBitmap(new Blob([bytes]));
    const { width, height } = image;
    const context = new OffscreenCanvas(8, 8).getContext('2d');
    // Else a pixel is one of the noise, not their mean.
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, 8, 8);
    const isRed = (x, y) => {
      const [red, green] = context.getImageData(x, y, 1, 1).data;
      return red > 2 * green;
    };
    return { width, height, isRed: [isRed(0, 0), isRed(7, 0), isRed(0, 7), isRed(7, 7)] };
  })()`);

async function withEvidence(
  language: 'en' | 'de',
  act: (page: Page, stored: (name: string) => Promise<Buffer>) => Promise<void>,
): Promise<void> {
  const { organization, tenantA: tenant } = fixture.testData;
  const { id } = await storeIncident(fixture.sql, { organization, tenant }, { attachments: [] });
  const { secret } = await signedInUser(fixture.sql, organization, {
    permissions: ['HR'],
    hrTenants: [tenant],
  });
  await visit(fixture.service.url, { language, secret, width: 390 }, async page => {
    await page.goto(`/portal/incidents?incident=${id}`);
    await act(page, async name => {
      const href = await page.getByRole('link', { name }).getAttribute('href');
      return (await page.request.get(href!)).body();
    });
  });
}

/** A name without a space, as phones give. */
const longName = 'IMG_20261126_101500_Fahrradkeller_Hinterhof_Seiteneingang_links';

const chooser = (page: Page) => page.getByRole('dialog').locator('input[type=file]').first();
const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });

inBrowser('evidence that is too large', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a photo is stored smaller, upright, without its EXIF data, and the page says so`, () =>
      withEvidence(language, async (page, stored) => {
        const original = turned(await noise(page, 3240, 2160));
        assert.ok(original.length > bodyLimits.large && original.includes('Exif'));
        await chooser(page).setInputFiles(jpeg(`${longName}.JPEG`, original));
        await page.getByText(labels.reduced(`${longName}.jpg`)).waitFor();
        const smaller = await stored(`${longName}.jpg`);
        assert.ok(smaller.length < bodyLimits.large);
        assert.ok(!smaller.includes('Exif'));
        const upright = { width: 2000, height: 3000, isRed: [false, true, false, false] };
        assert.deepEqual(await inspect(page, smaller), upright);
        await assertAccessible(page);
      }));
  }

  test('a photo that stays too large at first is reduced once more', () =>
    withEvidence('en', async (page, stored) => {
      await chooser(page).setInputFiles(jpeg('square.jpg', await noise(page, 3000, 3000)));
      await page.getByText(words.en.reduced('square.jpg')).waitFor();
      const twice = { width: 2000, height: 2000, isRed: [true, false, false, false] };
      assert.deepEqual(await inspect(page, await stored('square.jpg')), twice);
    }));

  test('a photo is cancelled while it is reduced, and is not sent', () =>
    withEvidence('en', async (page, stored) => {
      let sent = 0;
      page.on('request', request => (sent += Number(request.url().endsWith('/attachments'))));
      await page.evaluate(`{
        const make = createImageBitmap;
        const held = new Promise(resolve => (window.letGo = resolve));
        window.createImageBitmap = (...input) => held.then(() => make(...input));
      }`);
      const small = await noise(page, 300, 200);
      const large = await noise(page, 3000, 1920);
      await chooser(page).setInputFiles([jpeg('large.jpg', large), jpeg('small.jpg', small)]);
      await page.getByRole('button', { name: 'Cancel large.jpg' }).click();
      await page.evaluate('letGo()');
      assert.deepEqual(await stored('small.jpg'), small);
      assert.equal(sent, 1);
      assert.equal(await page.getByText('large.jpg').count(), 0);
    }));

  test('a PDF file and a broken photo are not sent, and hold up no other file', () =>
    withEvidence('de', async (page, stored) => {
      let sent = 0;
      page.on('request', request => (sent += Number(request.url().endsWith('/attachments'))));
      const small = await noise(page, 300, 200);
      const large = await noise(page, 3000, 1920);
      await chooser(page).setInputFiles([
        { name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(5_500_000, '%PDF-1.7') },
        jpeg('noise.jpg', Buffer.alloc(5_500_000, 1)),
        jpeg('cut.jpg', large.subarray(0, large.length - 1000)),
        jpeg('small.jpg', small),
      ]);
      assert.deepEqual(await stored('small.jpg'), small);
      for (const name of ['large.pdf', 'noise.jpg', 'cut.jpg'])
        await page.getByRole('listitem').filter({ hasText: name }).getByText(words.de.tooLarge).waitFor();
      assert.equal(sent, 1);
      assert.equal(await page.getByText(/ wurde von /).count(), 0);
    }));
});
