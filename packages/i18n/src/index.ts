export { createFormats, type Formats, type PluralForms } from './formats.ts';
export { chooseLocale, type Language, type Locale } from './locale.ts';
export { statedLanguage, watchLanguage } from './page-language.ts';
export { type PreviewTexts, translatePreview } from './preview.ts';
export { lookUp, type Translation } from './translation.ts';
