/** What the package does in a page: sockets work, API keys are refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { useBrowser } from '../../../test/support/browser.ts';
import { noChromium } from '../../../test/support/chromium.ts';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import type * as Sdk from '../src/index.ts';
import { webhooks } from '../src/index.ts';
import { installPackage } from './support/built-package.ts';
import { clientOf, makeSender } from './support/sender.ts';
import { useSocketProxy } from './support/socket-proxy.ts';

const harness = await useHarness();
const client = clientOf(harness);
const proxy = await useSocketProxy(new URL(harness.url));
const { number, tenant } = await makeSender(client);
const browser = await useBrowser(harness);

/** The globals of the page below. */
type PageGlobals = { sdk: typeof Sdk; seen: string[]; realtime: Sdk.Realtime; media: Sdk.MediaConnection };

const SCRIPT = `
  import * as sdk from '/dist/index.js';
  Object.assign(globalThis, { sdk, seen: [] });
  document.title = 'ready';
`;
const WORKER = `
  import { Dialplane } from '/dist/index.js';
  try {
    new Dialplane({ apiKey: 'svc_test_x', baseUrl: location.origin });
    postMessage('made');
  } catch (error) {
    postMessage(error.code);
  }
`;

/** Serves the page, the installed package, and tokens as the server of a platform would. */
async function servePage(): Promise<string> {
  const { installed } = await installPackage();
  const texts: Record<string, [string, () => string | Promise<string>]> = {
    '/': ['text/html', () => `<!doctype html><script type="module">${SCRIPT}</script>`],
    '/worker.js': ['text/javascript', () => WORKER],
    '/token': ['application/json', async () => JSON.stringify(await mint())],
  };
  const server = createServer(async (request, response) => {
    const path = normalize(request.url ?? '/');
    const [type, read] = texts[path] ?? ['text/javascript', () => readFile(join(installed, path), 'utf8')];
    if (texts[path] === undefined && extname(path) !== '.js') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type }).end(await read());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function mint() {
  const token = await client.events.createRealtimeToken({ tenant_id: tenant.id });
  return { ...token, url: `ws://${proxy.host}/v1/realtime` };
}

async function openPage() {
  const url = await servePage();
  const page = browser.keep(await browser.newPage());
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(url);
  await page.waitForFunction(() => document.title === 'ready');
  const seen = () => page.evaluate(() => (globalThis as unknown as PageGlobals).seen);
  const sees = (text: string) => until(`the page sees ${text}`, async () => (await seen()).includes(text), 15_000);
  return { page, seen, sees };
}

test('the package in Chromium', { skip: noChromium }, async (context) => {
  const { page, seen, sees } = await openPage();

  await context.test('an API key is refused, in the page and in a worker', async () => {
    const [inPage, inWorker] = await page.evaluate(async () => {
      const { sdk } = globalThis as unknown as PageGlobals;
      const worker = new Worker('/worker.js', { type: 'module' });
      const answer = new Promise((resolve) => worker.addEventListener('message', ({ data }) => resolve(data)));
      try {
        new sdk.Dialplane({ apiKey: 'svc_test_x', baseUrl: location.origin });
        return ['made', await answer];
      } catch (error) {
        return [(error as Sdk.DialplaneError).message, await answer];
      }
    });
    assert.match(String(inPage), /does not belong in a browser/);
    assert.equal(inWorker, 'api_key_in_browser');
  });

  await context.test('events arrive, and a lost connection is a gap', async () => {
    await page.evaluate(() => {
      const globals = globalThis as unknown as PageGlobals;
      const { sdk, seen: all } = globals;
      const token = async () => (await fetch('/token')).json();
      globals.realtime = new sdk.Realtime({ token });
      globals.realtime.on('message.received', ({ data }) => all.push(data.body));
      globals.realtime.on('gap', () => all.push('gap'));
      globals.realtime.on('open', () => all.push('open'));
      globals.realtime.connect();
    });
    await sees('open');
    const arrive = (body: string) =>
      client.test.simulateInboundMessage({ from: '+16025550143', to: number.phone_number, body });
    await arrive('one');
    await sees('one');
    proxy.cut();
    await sees('gap');
    await until('it is open again', async () => (await seen()).filter((each) => each === 'open').length === 2);
    await arrive('two');
    await sees('two');
    assert.deepEqual(await seen(), ['open', 'one', 'gap', 'open', 'two']);
    await page.evaluate(() => (globalThis as unknown as PageGlobals).realtime.close());
  });

  await context.test('the audio of a call is received and played', async () => {
    const call = await client.calls.create({ from: number.id, to: '+16025550143', connect_to: '+16025550117' });
    await until('the answer', async () => (await client.calls.get(call.id)).status === 'in_progress');
    const created = await client.mediaStreams.create(call.id, { direction: 'bidirectional' });
    const stream = { ...created, url: `ws://${proxy.host}${new URL(created.url).pathname}` };
    const [end, frames] = await page.evaluate(async (ticket) => {
      const globals = globalThis as unknown as PageGlobals;
      const media = new globals.sdk.MediaConnection(ticket);
      let count = 0;
      media.on('audio', ({ pcm }) => {
        if (pcm.length === 160) count += 1;
      });
      await media.connect();
      const played = await media.play(new Int16Array(4_000));
      media.close();
      return [played, count];
    }, stream);
    assert.equal(end, 'played');
    assert.ok(Number(frames) >= 40, `${frames} frames of two tracks in half a second`);
  });

  await context.test('signatures are verified', async () => {
    const secret = 'whsec_DNtU4ovYuODtpF+hSTsymXRPViAn/+H7MwT0t08ALuY=';
    const headers = await webhooks.sign('{"type":"balance.low"}', secret);
    const types = await page.evaluate(
      async ([signed, key]) => {
        const { sdk } = globalThis as unknown as PageGlobals;
        const { type } = await sdk.webhooks.unwrap('{"type":"balance.low"}', signed, key);
        const refused = await sdk.webhooks.unwrap('{}', signed, key).catch((error) => error.code);
        return [type, refused];
      },
      [headers, secret] as const,
    );
    assert.deepEqual(types, ['balance.low', 'invalid_signature']);
  });
});
