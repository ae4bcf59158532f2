/** The texts of the elements in the language of a locale. */
import { createFormats, type Formats, type Language, type Locale, lookUp } from '@dialplane/i18n';
import { en } from './en.ts';
import { es } from './es.ts';
import type { Table, TranslatedTable } from './table.ts';

export type Texts = Table & {
  readonly refusals?: TranslatedTable['refusals'];
  readonly language: Language;
  readonly formats: Formats;
};

const TABLES: Readonly<Record<Language, (formats: Formats) => Table | TranslatedTable>> = { en, es };

export function textsOf({ language, tag }: Locale): Texts {
  const formats = createFormats(tag);
  return { ...TABLES[language](formats), language, formats };
}

/** A failure to show: a code of the API, of the softphone library, or of the elements themselves. */
export type Problem = {
  readonly code: string;
  /** The English message of the API or the library. */
  readonly message?: string;
  readonly status?: number;
};

/** The code of a failure that only the elements report. */
export type OwnProblem = keyof Table['problems'];

/** Returns a failure in words: the text for its code, or else its English message. */
export function problemText(texts: Texts, { code, message, status = 0 }: Problem): string {
  if (code === 'unreadable_reply') return texts.unreadableReply(status);
  if (code === 'hidden_reply') return texts.hiddenReply(location.origin);
  // All operations that a session may not use have the same code. The message distinguishes them.
  if (code === 'key_not_permitted' && message?.includes('allowed_origins')) return texts.originRefused(location.origin);
  const text = lookUp(texts.problems, code) ?? lookUp(texts.refusals ?? {}, code);
  return text ?? (message || texts.problems.unexpected);
}
