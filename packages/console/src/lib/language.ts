/** The language of the console. A change takes effect with the next load of the page. */
import { chooseLocale, createFormats } from '@dialplane/i18n';

/** The languages of the menu, and `browser` for the browser's language. */
export const LANGUAGE_CHOICES = ['browser', 'en', 'es'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

const KEY = 'dialplane.console.language';

/** Returns the language that the person chose in this browser; `browser` by default. */
export function chosenLanguage(): LanguageChoice {
  const stored = localStorage.getItem(KEY);
  return LANGUAGE_CHOICES.find((choice) => choice === stored) ?? 'browser';
}

/** Chooses the language for this browser, and loads the page again in it. */
export function chooseLanguage(choice: LanguageChoice): void {
  localStorage.setItem(KEY, choice);
  location.reload();
}

const chosen = chosenLanguage();

/** The language of the texts. Dates and numbers are written for this tag. */
export const locale = chooseLocale(chosen === 'browser' ? undefined : chosen, navigator.languages);
export const formats = createFormats(locale.tag);
