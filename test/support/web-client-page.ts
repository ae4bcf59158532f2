/** Web clients in a browser: pages with the library, each logged in with a token that the API minted. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import type { Softphone } from '../../packages/softphone/index.d.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { until } from './jobs.ts';
import { mintLogin } from './web-clients.ts';

const PACKAGE = new URL('../../packages/softphone/', import.meta.url);
const PAGE = '<!doctype html><title>Web client</title><script type="module" src="/test/web-client-page.js"></script>';
const SCRIPT_TYPE = 'text/javascript';

/** The page's global `webClient` (packages/softphone/test/web-client-page.js). */
type PageWebClient = {
  readonly phone: Softphone;
  readonly events: readonly Json[];
  measure(frequencyHz: number): PlayedTone;
};

/** The loudest piece of the latest audio: its mean square, and the share of one tone in it. */
type PlayedTone = { readonly level: number; readonly share: number; readonly playedS: number };

export type BrowserWebClient = {
  /** Calls the library in the page. */
  run<T>(work: (phone: Softphone, argument: string) => T | Promise<T>, argument?: string): Promise<T>;
  /** Waits for the next event of a type that was not awaited before. */
  receive(type: string): Promise<Json>;
  measure(frequencyHz: number): Promise<PlayedTone>;
  close(): Promise<void>;
};

export type Pages = { readonly url: string; close(): void };

type PageFiles = {
  /** What `/` answers. */
  readonly page?: string;
  /** The folder of the scripts. */
  readonly folder?: URL;
  /** The page's content security policy. */
  readonly policy?: string;
};

/** Serves a page and its scripts: if nothing else is given, the files of the package as they are. */
export async function servePages({ page = PAGE, folder = PACKAGE, policy }: PageFiles = {}): Promise<Pages> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    if (path === '/') return response.setHeader('content-type', 'text/html').end(page);
    if (extname(path) !== '.js') return response.writeHead(404).end();
    readFile(fileURLToPath(new URL(`.${path}`, folder))).then(
      (script) => response.setHeader('content-type', SCRIPT_TYPE).end(script),
      () => response.writeHead(404).end(),
    );
  });
  // A test that fails does not close its pages; its process ends all the same.
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type BrowserSetting = { browser: Browser; pages: Pages; harness: Harness; workletUrl?: string };

/** Opens a page and logs its web client in. */
export async function openBrowserWebClient(
  { browser, pages, harness, workletUrl }: BrowserSetting,
  webClientId: string,
): Promise<BrowserWebClient> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  const query = new URLSearchParams({ url: harness.url, ...(workletUrl === undefined ? {} : { worklet: workletUrl }) });
  await page.goto(`${pages.url}/?${query}`);
  await page.waitForFunction('globalThis.webClient !== undefined');
  const webClient = await page.evaluateHandle<PageWebClient>('webClient');
  const phone = await page.evaluateHandle<Softphone>('webClient.phone');
  await phone.evaluate((it, token) => it.connect(token), await mintLogin(harness, webClientId));
  let awaited = 0;
  return {
    run: (work, argument = '') => phone.evaluate(work, argument),
    receive: async (type) => {
      let found: Json;
      let all: readonly Json[] = [];
      await until(
        `the web client emits ${type}`,
        async () => {
          all = await webClient.evaluate((it) => it.events);
          const at = all.findIndex((event, index) => index >= awaited && event.type === type);
          if (at < 0) return false;
          awaited = at + 1;
          found = all[at];
          return true;
        },
        20_000,
      ).catch((error: Error) => assert.fail(`${error.message}; it emitted ${JSON.stringify(all)} ${faults}`));
      return found;
    },
    measure: (frequencyHz) => webClient.evaluate((it, hz) => it.measure(hz), frequencyHz),
    close: async () => {
      await page.close();
      assert.deepEqual(faults, []);
    },
  };
}
