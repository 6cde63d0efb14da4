import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Running, start } from '../../packages/server/test/cli/kontor.ts';
import { noBrowser, press, type, useBrowser, visit } from '../../packages/portal/test/support.ts';

interface Demo {
  readonly portalUrl: string;
  readonly users: readonly { readonly email: string; readonly password: string; readonly states: string }[];
}

/** Texts of the pages, in both languages. */
const words = {
  en: {
    greeting: /^Hello,/,
    pages: {
      home: 'Home',
      orders: 'Orders',
      employees: 'Employees',
      incidents: 'Incidents',
      payroll: 'Payroll',
      imports: 'CSV import',
      companies: 'Companies',
      users: 'Users',
      settings: 'Settings',
      audit: 'Audit log',
      keys: 'API keys',
      help: 'Help',
    },
    create: 'Create',
    rejected: 'You do not have the permission for this page.',
  },
  de: {
    greeting: /^Guten Tag/,
    pages: {
      home: 'Start',
      orders: 'Bestellungen',
      employees: 'Mitarbeiter',
      incidents: 'Störfälle',
      payroll: 'Lohnabrechnung',
      imports: 'CSV-Import',
      companies: 'Unternehmen',
      users: 'Benutzer',
      settings: 'Einstellungen',
      audit: 'Audit-Protokoll',
      keys: 'API-Schlüssel',
      help: 'Hilfe',
    },
    create: 'Anlegen',
    rejected: 'Sie haben keine Berechtigung für diese Seite.',
  },
} as const;

/** The pages of each user, in the order of the menu. */
const staff = {
  IT: ['home', 'companies', 'keys', 'help'],
  'HR and payroll of all companies': [
    'home',
    'orders',
    'employees',
    'incidents',
    'payroll',
    'imports',
    'companies',
    'keys',
    'help',
  ],
  'company administration': ['home', 'companies', 'users', 'settings', 'audit', 'keys', 'help'],
} as const;

describe('the demo prints sign-ins', { skip: noBrowser }, () => {
  let folder: string;
  let running: Running;
  let demo: Demo;
  useBrowser();
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-demo-users-'));
    running = start(['demo', '--json'], { KONTOR_DATA_DIR: folder, PORT: '0', MANAGEMENT_PORT: '0' });
    demo = JSON.parse(await running.line(/^\{/)) as Demo;
  });
  after(async () => {
    running.process.kill('SIGTERM');
    await running.ended;
    await rm(folder, { recursive: true, force: true });
  });

  for (const language of ['en', 'de'] as const)
    for (const [states, theirs] of Object.entries(staff))
      test(`${language}: of ${states}: who signs in by keyboard finds the pages that are theirs, and no others`, async () => {
        const { greeting, pages, create, rejected } = words[language];
        const { email, password } = demo.users.find(user => user.states === states)!;
        await visit(new URL(demo.portalUrl).origin, { language }, async page => {
          await page.goto('/portal');
          await type(page, page.getByLabel(/^E-?mail/i), email);
          await type(page, page.locator('input[name=password]'), password);
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { level: 1, name: greeting }).waitFor();
          const expected = theirs.map(name => pages[name]);
          assert.deepEqual(await navigationOf(page), expected);
          await press(page, page.getByRole('link', { name: new RegExp(`^${pages.keys}`) }));
          await page.getByRole('link', { name: 'Demo Technik' }).waitFor();
          await page.getByRole('link', { name: create }).waitFor();
          await page.goto('/portal/settings/users');
          const main = page.getByRole('main');
          if (theirs.some(name => name === 'users'))
            await main.getByRole('link', { name: 'Ida Weber' }).waitFor();
          else await main.getByText(rejected).waitFor();
        });
      });
});

async function navigationOf(page: Page): Promise<string[]> {
  const texts = await page.getByRole('navigation').getByRole('link').allTextContents();
  // A badge with a number stands behind the name.
  return texts.map(text => text.replace(/\d+$/, '').trim());
}
