/** The console behind a proxy that ends TLS and serves it below a path, as on a platform's own site. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { troublesOf, useBrowser, useReachableHarness } from '../support/browser.ts';
import { noChromium } from '../support/chromium.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { makeToken } from '../support/console.ts';
import { freePort } from '../support/ports.ts';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../support/receiver-certificate.ts';

const PREFIX = '/apps/phone';
const skip = noChromium;
const proxyPort = await freePort();
// Browsers find names below localhost on this machine.
const publicUrl = `https://phone.localhost:${proxyPort}${PREFIX}`;
const mediaUrl = publicUrl.replace('https', 'wss');
const harness = await useReachableHarness({ settings: { publicUrl, mediaUrl } });
const browser = await useBrowser(harness);
const sockets: string[] = [];

/** Asks the product for the same path without the prefix. */
function passOn({ method, url = '', headers }: IncomingMessage) {
  assert.ok(url.startsWith(`${PREFIX}/`), `the console asks for ${url}, outside of its path`);
  return request(harness.url, { method, path: url.slice(PREFIX.length), headers });
}

const connections = new Set<Duplex>();
const proxy = createServer({ cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }, (incoming, outgoing) => {
  const asked = passOn(incoming);
  asked.on('error', () => outgoing.destroy());
  asked.on('response', (reply) => reply.pipe(outgoing.writeHead(reply.statusCode ?? 502, reply.headers)));
  incoming.pipe(asked);
});
proxy.on('upgrade', (incoming: IncomingMessage, socket) => {
  sockets.push(incoming.url ?? '');
  const asked = passOn(incoming);
  asked.on('error', () => socket.destroy());
  asked.on('upgrade', (reply, behind) => {
    const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    for (const end of [socket, behind]) {
      connections.add(end);
      end.on('error', () => end.destroy());
    }
    behind.pipe(socket).pipe(behind);
  });
  asked.end();
});
proxy.on('secureConnection', (socket) => {
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
});
proxy.listen(proxyPort, '127.0.0.1');
await once(proxy, 'listening');
closeAfterTests(async () => {
  // The server no longer counts connections that became WebSockets.
  for (const connection of connections) connection.destroy();
  proxy.close();
});

test('behind TLS and a path a browser signs in, works with live updates, and signs out', { skip }, async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${publicUrl}/console/sign-in#${await makeToken(harness)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.ok(page.url().startsWith(`${publicUrl}/console/test/acct_`), page.url());
  const [cookie] = await context.cookies(`${publicUrl}/console`);
  assert.deepEqual(
    [cookie?.secure, cookie?.httpOnly, cookie?.sameSite, cookie?.path],
    [true, true, 'Strict', `${PREFIX}/console`],
  );
  assert.deepEqual(await context.cookies(`https://phone.localhost:${proxyPort}/`), [], 'no other path gets the cookie');

  await page.getByRole('link', { name: 'Tenants', exact: true }).click();
  await page.getByText('No tenants yet').waitFor();
  await page.getByRole('button', { name: 'New tenant' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desert Paws Clinic');
  await page.getByRole('button', { name: 'Make the tenant' }).click();
  await page.getByRole('heading', { name: 'Desert Paws Clinic' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Desert Paws Clinic' }).waitFor();

  // The socket of events goes through the proxy too.
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByText('live', { exact: true }).first().waitFor();
  assert.ok(sockets.length > 0 && sockets.every((path) => path.startsWith(`${PREFIX}/`)), sockets.join(' '));

  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('one-time link').waitFor();
  assert.deepEqual(troublesOf(page).errors, []);
});
