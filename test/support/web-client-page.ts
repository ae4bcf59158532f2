/** Web clients in a browser. Each page uses the library, and is logged in with a token from the API. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Softphone } from '../../packages/softphone/index.d.ts';
import { monotonicMs, sleep } from '../../src/lib/time/time.ts';
import { type TestBrowser, troublesOf } from './browser.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { mintLogin } from './web-clients.ts';

const PACKAGE = new URL('../../packages/softphone/', import.meta.url);
const PAGE = '<!doctype html><title>Web client</title><script type="module" src="/test/web-client-page.js"></script>';
const LIMIT_MS = 60_000;
const MEASURE_EVERY_MS = 50;
const SCRIPT_TYPE = 'text/javascript';

/** The page's global `webClient` (packages/softphone/test/web-client-page.js). */
type PageWebClient = {
  readonly phone: Softphone;
  readonly events: readonly Json[];
  next(type: string, from: number): Promise<number>;
  measure(frequencyHz: number): PlayedTone;
};

/** The loudest piece of the latest audio: its mean square, and the share of one tone in it. */
type PlayedTone = { readonly level: number; readonly share: number; readonly playedS: number };

export type BrowserWebClient = {
  /** Calls the library in the page. */
  run<T>(work: (phone: Softphone, argument: string) => T | Promise<T>, argument?: string): Promise<T>;
  /** Waits for the next event of a type that no earlier call has returned. */
  receive(type: string): Promise<Json>;
  measure(frequencyHz: number): Promise<PlayedTone>;
  /** Waits until the page plays the expected audio. */
  plays(what: string, frequencyHz: number, isSo: (tone: PlayedTone) => boolean): Promise<void>;
  close(): Promise<void>;
};

export type Pages = { readonly url: string; close(): void };

type PageFiles = {
  /** The body of `/`. */
  readonly page?: string;
  /** The folder of the scripts. */
  readonly folder?: URL;
  /** The page's content security policy. */
  readonly policy?: string;
};

/** Serves a page and its scripts; by default the files of the package. */
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
  // A failed test does not close its pages, but its process must still end.
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

type BrowserSetting = { browser: Pick<TestBrowser, 'newPage'>; pages: Pages; harness: Harness; workletUrl?: string };

/** Opens a page and logs its web client in. */
export async function openBrowserWebClient(
  { browser, pages, harness, workletUrl }: BrowserSetting,
  webClientId: string,
): Promise<BrowserWebClient> {
  const page = await browser.newPage();
  const query = new URLSearchParams({ url: harness.url, ...(workletUrl === undefined ? {} : { worklet: workletUrl }) });
  await page.goto(`${pages.url}/?${query}`);
  await page.waitForFunction('globalThis.webClient !== undefined');
  const webClient = await page.evaluateHandle<PageWebClient>('webClient');
  const phone = await page.evaluateHandle<Softphone>('webClient.phone');
  await phone.evaluate((it, token) => it.connect(token), await mintLogin(harness, webClientId));
  const describe = () => JSON.stringify(troublesOf(page));
  const measure = (frequencyHz: number) => webClient.evaluate((it, hz) => it.measure(hz), frequencyHz);
  let awaited = 0;
  return {
    run: (work, argument = '') => phone.evaluate(work, argument),
    receive: async (type) => {
      const next = webClient.evaluate((it, [type, from]) => it.next(type, from), [type, awaited] as const);
      const at = await Promise.race([next, sleep(LIMIT_MS, { ref: false })]);
      const all = await webClient.evaluate((it) => it.events);
      if (at === undefined) {
        const emitted = JSON.stringify(all);
        assert.fail(`no ${type} within ${LIMIT_MS} ms; the web client emitted ${emitted} ${describe()}`);
      }
      awaited = at + 1;
      return all[at];
    },
    measure,
    plays: async (what, frequencyHz, isSo) => {
      let tone = await measure(frequencyHz);
      for (const deadline = monotonicMs() + LIMIT_MS; !isSo(tone); tone = await measure(frequencyHz)) {
        if (monotonicMs() < deadline) await sleep(MEASURE_EVERY_MS);
        else assert.fail(`the page does not play ${what}, but ${JSON.stringify(tone)} ${describe()}`);
      }
    },
    close: async () => {
      await page.close();
      assert.deepEqual(troublesOf(page).errors, []);
    },
  };
}
