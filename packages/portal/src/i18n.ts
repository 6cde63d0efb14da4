import { i18n, type Messages } from '@lingui/core';

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

// The build compiles the catalogues.
const catalogs = {
  de: () => import('./locales/de.json') as Promise<unknown>,
  en: () => import('./locales/en.json') as Promise<unknown>,
};

/** Shows the portal in a language. */
export async function speak(language: Language): Promise<void> {
  const { messages } = (await catalogs[language]()) as { messages: Messages };
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Shows the portal in a language from now on, in this browser. */
export async function choose(language: Language): Promise<void> {
  localStorage.setItem(place, language);
  await speak(language);
}
