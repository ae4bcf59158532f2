/** The addresses of all pages of the console, as its router has them. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { PageIds } from './believable.ts';

const [ofLedger = '', ofOperator = ''] = readFileSync('packages/console/src/app/pages.ts', 'utf8').split(
  'OPERATOR_PAGES: readonly PageEntry[] = ',
);

const pathsIn = (source: string) => [...source.matchAll(/\bpath: '([^']*)',\s+load:/g)].map(([, path = '']) => path);

/** A page: its path as the router has it, and a name for files. */
export type Place = { readonly path: string; readonly isOperator: boolean; readonly name: string };

const placeOf = (path: string, isOperator: boolean): Place => ({
  path,
  isOperator,
  name: `${isOperator ? 'operator-' : ''}${path === '' ? 'overview' : path.replace(/\/(\{-)?\$id\}?/, '-one').replaceAll('/', '-')}`,
});

/** Every page. */
export const PLACES: readonly Place[] = [
  ...pathsIn(ofLedger).map((path) => placeOf(path, false)),
  ...pathsIn(ofOperator).map((path) => placeOf(path, true)),
];

/** Returns the path of a page in a browser. Throws if it shows one thing and `ids` has none of the kind. */
export function addressOf({ path, isOperator }: Place, accountId: string, ids: PageIds): string {
  const id = ids[path.split('/')[0] ?? ''];
  if (path.includes('$') && id === undefined) throw new Error(`fillLedger gives no id for ${path}`);
  const full = path.replace(/\{-\$id\}|\$id/, id ?? '');
  if (isOperator) return `/console/operator/${full}`;
  return `/console/test/${accountId}${full === '' ? '' : `/${full}`}`;
}

/** Waits until the page has its heading, and nothing on it is being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main', { hasText: /Loading/ }).waitFor({ state: 'detached' });
}
