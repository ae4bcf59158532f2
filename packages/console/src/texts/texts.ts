/**
 * The tables of texts in the language of the console, one for each group of pages. The English tables are part of the
 * pages, so English readers load no other table. Every other language is one file, which is loaded before the first
 * page.
 */
import type { Formats } from '@dialplane/i18n';
import { formats, locale } from '../lib/language.ts';

/** Functions that make the tables, by group. */
type Tables = Readonly<Record<Group, (formats: Formats) => Table>>;
type Spanish = typeof import('./es.ts').es;
type Group = keyof Spanish;
type Table = { readonly [key: string]: unknown };

/**
 * The English tables that exist before the language is loaded. The tables of the frame are loaded with the language.
 */
const early = new Map<Group, Table>();
let translated: Tables | undefined;

/** Loads the tables of the language. Pages are opened after it. */
export async function loadTexts(): Promise<void> {
  document.documentElement.lang = locale.language;
  if (locale.language === 'en') return;
  ({ es: translated } = await import('./es.ts'));
  for (const [group, table] of early) replaceTexts(table, translated[group](formats));
}

/** Returns the table of a group in the language of the console. */
export function textsOf<Name extends Group>(
  group: Name,
  en: (formats: Formats) => ReturnType<Spanish[Name]>,
): ReturnType<Spanish[Name]>;
export function textsOf(group: Group, en: (formats: Formats) => Table): Table {
  if (translated !== undefined) return translated[group](formats);
  const table = en(formats);
  early.set(group, table);
  return table;
}

/** Modules hold references to groups of a table, so groups must stay the same objects. */
function replaceTexts(table: Table, by: Table): void {
  for (const [key, text] of Object.entries(by)) {
    const former = table[key];
    if (typeof text === 'object' && typeof former === 'object') replaceTexts(former as Table, text as Table);
    else Object.assign(table, { [key]: text });
  }
}
