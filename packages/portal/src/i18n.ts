import { i18n, type Messages } from '@lingui/core';
import * as de from './locales/de.json';
import * as en from './locales/en.json';

export const languages = { de: 'Deutsch', en: 'English' } as const;
export type Language = keyof typeof languages;

/** The cookie with the language that was chosen in this browser. */
const place = 'kontor-language';

/** A year, in seconds. */
const kept = 31_536_000;

/** Whether a text is a language of the portal. */
function isLanguage(text: string | undefined): text is Language {
  return text === 'de' || text === 'en';
}

/** The language that was chosen in this browser; null: none. */
function chosenLanguage(): Language | null {
  const chosen = new RegExp(`(?:^|; )${place}=(\\w+)`).exec(document.cookie)?.[1];
  return isLanguage(chosen) ? chosen : null;
}

/** That which was chosen, else that of the user, else that of the browser. */
export function preferredLanguage(ofUser?: Language): Language {
  return chosenLanguage() ?? ofUser ?? (navigator.language.startsWith('de') ? 'de' : 'en');
}

// The build compiles them. Both come with the first page: a request for the right one, once it is known, would hold it up.
const catalogs = { de, en } as unknown as Record<Language, { readonly messages: Messages }>;

/** Shows the portal in a language. */
export function speak(language: Language): void {
  const { messages } = catalogs[language];
  if (i18n.locale !== language) i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Shows the portal in a language from now on, in this browser. */
export function choose(language: Language): void {
  document.cookie = `${place}=${language}; Path=/portal; SameSite=Strict; Max-Age=${kept}`;
  speak(language);
}
