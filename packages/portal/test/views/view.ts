import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { type PortalFixture } from '../../../server/test/portal/support.ts';

export type Language = 'en' | 'de';

/** A page or dialog of the portal, and how a user comes to it. */
export interface View {
  readonly name: string;
  /** Its address below `/portal`. */
  readonly path: string;
  /** Opens what has no address of its own, and waits for what is loaded last. Words are the English ones of the sources. */
  readonly open?: (page: Page, words: Words) => Promise<unknown>;
  /** The visitor: `stale` signed in an hour ago, and `passkey` must register one. Absent: a user with all permissions. */
  readonly as?: 'stale' | 'anonymous' | 'passkey';
}

/** Stores the data of an area of the portal, in names of sixty letters, and returns its pages and dialogs. */
export type Area = (fixture: ViewFixture) => Promise<readonly View[]>;

export interface ViewFixture extends PortalFixture {
  /** The session of the user with all permissions. */
  readonly secret: string;
  readonly userId: string;
  /** A company with {@link longName}. */
  readonly tenant: string;
}

/** The name of everything: sixty letters, in words that fit a phone, unless a test sets another one. */
export let longName = 'Gemeinnützige Wohngesellschaft für Mecklenburg und Vorpommern';

/** Names everything in the views that are prepared later. */
export function nameViews(name: string): void {
  longName = name;
}

/** The German texts of the portal by their English ones. */
export const german = JSON.parse(
  readFileSync(new URL('../../src/locales/de.json', import.meta.url), 'utf8'),
) as Record<string, string>;

/** Finds elements by the words of the sources, in the language of the page. */
export class Words {
  readonly #page: Page;
  readonly #language: Language;

  constructor(page: Page, language: Language) {
    this.#page = page;
    this.#language = language;
  }

  /** A message in the language of the page. Its placeholders are values of `values`. */
  text(message: string, values: Readonly<Record<string, string>> = {}): string {
    const text = this.#language === 'en' ? message : german[message];
    assert.ok(text !== undefined && message in german, `no message of the portal: ${message}`);
    return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
  }

  button(message: string, values?: Readonly<Record<string, string>>): Locator {
    return this.#page.getByRole('button', { name: this.text(message, values), exact: true });
  }

  field(message: string): Locator {
    return this.#page.getByLabel(this.text(message)).first();
  }

  shows(message: string, values?: Readonly<Record<string, string>>): Promise<void> {
    return this.#page.getByText(this.text(message, values)).first().waitFor();
  }
}

/** Presses a button of the page, and waits for the dialog that it opens. */
export const dialogOf =
  (message: string, values?: Readonly<Record<string, string>>) =>
  async (page: Page, words: Words): Promise<void> => {
    await words.button(message, values).first().click();
    await page.getByRole('dialog').waitFor();
  };

/** Waits until a page is whole: its heading and all its data are there. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  const pending = page.locator('[role=progressbar][aria-label], .mantine-Skeleton-root, [aria-busy=true]');
  await pending.first().waitFor({ state: 'detached' });
}
