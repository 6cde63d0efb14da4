import type { Download, Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import type { PortalFixture } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, press } from './support.ts';

/** A new company with these employees. */
export async function companyWith(
  { sql, testData }: PortalFixture,
  staff: readonly object[] = [],
): Promise<string> {
  const { organization } = testData;
  const tenant = await createTenant(sql.database.writes, organization, `Muster ${Math.random()}`);
  if (staff.length > 0)
    await storeEmployees(
      sql,
      organization,
      staff.map(person => ({ tenant, ...person })),
    );
  return tenant;
}

/** The secret of a session of a user with the permission HR. */
export async function clerk({ sql, testData }: PortalFixture, name = 'Petra Lang'): Promise<string> {
  const user = { name, permissions: ['HR' as const], hrTenants: null };
  return (await signedInUser(sql, testData.organization, user)).secret;
}

/** Chooses a file as a person does: by the button, in the dialog of the browser. */
export async function chooseFile(
  page: Page,
  label: string,
  buffer: Buffer,
  name = 'personal.csv',
): Promise<void> {
  const chooser = page.waitForEvent('filechooser'); // cspell:disable-line
  await press(page, button(page, label));
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
}

/** The text of the file that an action downloads. */
export async function downloadedText(page: Page, action: () => Promise<void>): Promise<string> {
  const downloading: Promise<Download> = page.waitForEvent('download');
  await action();
  return readFile(await (await downloading).path(), 'utf8');
}
