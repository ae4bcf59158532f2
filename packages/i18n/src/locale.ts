/**
 * The languages that have tables of texts. The value is the region whose formats are used unless the page or the
 * browser names another one.
 */
const LANGUAGES = { en: 'en-US', es: 'es-US' } as const;

export type Language = keyof typeof LANGUAGES;

/** The language of texts, and the tag that formats dates and numbers. */
export type Locale = { readonly language: Language; readonly tag: string };

/**
 * Returns the language to show. The language that the page states decides. Without one, the first of the browser's
 * languages that has a table is chosen; if none has a table, English. The region comes from the same tag, or from the
 * browser's tag for this language.
 */
export function chooseLocale(stated: string | undefined, browser: readonly string[]): Locale {
  const asked = (stated === undefined ? browser : [stated]).map(parse);
  const language = asked.map(languageOf).find((known) => known !== undefined) ?? 'en';
  const withRegion = [...asked, ...browser.map(parse)].find(
    (tag) => languageOf(tag) === language && tag?.region !== undefined,
  );
  return { language, tag: withRegion?.toString() ?? LANGUAGES[language] };
}

/** Returns undefined if the text is no tag of BCP 47: attributes hold anything. */
function parse(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}

function languageOf(tag: Intl.Locale | undefined): Language | undefined {
  return (Object.keys(LANGUAGES) as Language[]).find((language) => language === tag?.language);
}
