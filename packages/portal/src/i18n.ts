import { i18n, type Messages } from '@lingui/core';

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

/** Loads the messages of a language, which the build compiles. English ones are those of the sources. */
const catalogs: Record<Language, () => Promise<unknown>> = {
  de: () => import('./locales/de.json'),
  en: () => import('virtual:english'),
};

/** Requests the messages that the page will probably need, before the language of the user is known. */
export function loadEarlyMessages(): void {
  // A failure is that of the later request, which is made again.
  catalogs[preferredLanguage()]().catch(() => {});
}

/** Shows the portal in a language. */
export async function speak(language: Language): Promise<void> {
  if (i18n.locale !== language) {
    const { messages } = (await catalogs[language]()) as { readonly messages: Messages };
    i18n.loadAndActivate({ locale: language, messages });
  }
  document.documentElement.lang = language;
}

/** Shows the portal in a language from now on, in this browser. */
export async function choose(language: Language): Promise<void> {
  document.cookie = `${place}=${language}; Path=/portal; SameSite=Strict; Max-Age=${kept}`;
  await speak(language);
}
