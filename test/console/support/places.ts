/** The addresses of all pages of the console, as its router has them. */
import { readFileSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import { until } from '../../support/jobs.ts';
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
  name: `${isOperator ? 'operator-' : ''}${path === '' ? 'overview' : path.replaceAll(/\/(\{-)?\$(id|deliveryId)\}?/g, '-one').replaceAll('/', '-')}`,
});

/** Every page. */
export const PLACES: readonly Place[] = [
  ...pathsIn(ofLedger).map((path) => placeOf(path, false)),
  ...pathsIn(ofOperator).map((path) => placeOf(path, true)),
];

/**
 * Returns the path of a page in a browser. Throws if the page shows a single resource and `ids` has none of its kind.
 */
export function addressOf({ path, isOperator }: Place, accountId: string, ids: PageIds): string {
  const id = ids[path.split('/')[0] ?? ''];
  if (path.includes('$') && id === undefined) throw new Error(`fillLedger gives no id for ${path}`);
  const full = path.replace(/\{-\$id\}|\$id/, id ?? '').replace('$deliveryId', ids['deliveries'] ?? '');
  if (isOperator) return `/console/operator/${full}`;
  return `/console/test/${accountId}${full === '' ? '' : `/${full}`}`;
}

/** Opens another page of the console as a link does, without loading it again. Waits until the first page is gone. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    if (location.pathname === to) return;
    for (const part of document.querySelectorAll('main > *')) part.setAttribute('data-former', '');
    history.pushState(null, '', to);
  }, path);
  await page.locator('[data-former]').first().waitFor({ state: 'detached' });
}

/** Waits until the page has its heading, and nothing on it is being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main', { hasText: /Loading/ }).waitFor({ state: 'detached' });
}

/**
 * Follows the requests of a page. Returns a function that waits until no request is pending, and the page has shown the
 * replies. Does not wait for audio: a player leaves it half loaded.
 */
export function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => request.resourceType() !== 'media' && pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async () => {
    await until('no request is pending', async () => {
      if (pending.size > 0) return false;
      // A shown reply may cause another request, some tasks of the page later.
      for (let tasks = 0; tasks < 3; tasks += 1) await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      return pending.size === 0;
    });
  };
}
