import { i18n, type Messages } from '@lingui/core';
import * as de from './locales/de.json';
import * as en from './locales/en.json';

export const languages = { de: 'Deutsch', en: 'English' } as const;
export type Language = keyof typeof languages;

const place = 'kontor-language';

/** The language that was chosen in this browser; null: none. */
function chosenLanguage(): Language | null {
  const chosen = localStorage.getItem(place);
  return chosen === 'de' || chosen === 'en' ? chosen : null;
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
  localStorage.setItem(place, language);
  speak(language);
}
