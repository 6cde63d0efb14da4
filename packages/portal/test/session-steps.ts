import type { Locator, Page } from 'playwright-core';
import { password, type PortalFixture } from '../../server/test/portal/support.ts';
import { button, press } from './support.ts';

/** Makes a user with a password who is signed in, and whom pages show by this name. */
export async function namedUser(
  { user, sql, testData }: PortalFixture,
  name: string,
): Promise<{ id: string; email: string; secret: string }> {
  const made = await user();
  await sql`UPDATE portal_user SET name = ${name} WHERE organization_id = ${testData.organization} AND id = ${made.id}`;
  return made;
}

/** The button that shows who is signed in. */
export function userMenu(page: Page, name: string): Locator {
  return button(page, `${name}: menu`);
}

export function signInHeading(page: Page): Locator {
  return page.getByRole('heading', { name: 'Sign in', level: 1 });
}

/** Fills in the page of the sign-in. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill(password);
  await button(page, 'Sign in').click();
}

/** Signs out by the menu of the user. */
export async function signOut(page: Page, name: string): Promise<void> {
  await press(page, userMenu(page, name));
  await press(page, button(page, 'Sign out'));
  await signInHeading(page).waitFor();
}
