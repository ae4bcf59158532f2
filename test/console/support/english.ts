/** The English texts of the console, to be found on pages in another language. */
import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { createFormats, type Formats } from '../../../packages/i18n/src/index.ts';

const TABLES = new URL('../../../packages/console/src/texts/', import.meta.url);

/** Names of the test's data. */
const DATA = new Set(['Support', 'Front desk', 'Reminder', 'Appointment reminders', 'First key']);

type Table = { readonly [key: string]: string | Table | ((...values: unknown[]) => string) };

/** Returns the texts of all tables of a language. Leaves out texts with values. */
async function textsOf(language: string): Promise<ReadonlySet<string>> {
  const files = readdirSync(TABLES).filter((name) => name.endsWith(`.${language}.ts`));
  const texts = new Set<string>();
  const add = (table: Table): void => {
    for (const text of Object.values(table)) {
      if (typeof text === 'string') texts.add(text);
      else if (typeof text === 'object') add(text);
    }
  };
  for (const name of files) {
    const module: Record<string, unknown> = await import(new URL(name, TABLES).href);
    const table = module[language] as ((formats: Formats) => Table) | undefined;
    if (table !== undefined) add(table(createFormats(language)));
  }
  return texts;
}

const spanish = await textsOf('es');
const english = new Set([...(await textsOf('en'))].filter((text) => !spanish.has(text) && !DATA.has(text)));

/** True for a text of the English tables that no Spanish table has. */
export const isEnglish = (text: string) => english.has(text);

/** Returns the texts that people read on the page, one by one, without identifiers, commands and JSON. */
export async function readTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const texts: string[] = [];
    const add = (text: string | null) => texts.push((text ?? '').trim());
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest('code, kbd, pre, script, noscript, style, [hidden]') !== null) continue;
      for (const name of ['aria-label', 'title', 'placeholder']) add(element.getAttribute(name));
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) add(node.nodeValue);
    }
    add(document.title);
    return [...new Set(texts)].filter((text) => text !== '');
  });
}
