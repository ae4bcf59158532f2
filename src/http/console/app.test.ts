/** Requests the console's app as a browser does. A small folder replaces the build. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { signIn } from '../../../test/support/console.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { makeScratch } from '../../../test/support/scratch.ts';

const scratch = makeScratch('console-app');
after(() => scratch.remove());
const folder = join(scratch.path, 'dist');
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))})`;
const INDEX = `<!doctype html><head><!--base--><meta property="csp-nonce" nonce="__CSP_NONCE__"></head>
<script type="module" src="./assets/index-4f2a.js"></script><style nonce="__CSP_NONCE__"></style>`;

mkdirSync(join(folder, 'assets'), { recursive: true });
writeFileSync(join(folder, 'index.html'), INDEX);
writeFileSync(join(folder, 'assets/index-4f2a.js'), SCRIPT);
writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(folder, '.sources'), 'a hash');
writeFileSync(join(scratch.path, 'secret.txt'), 'beside the build');
symlinkSync(join(scratch.path, 'secret.txt'), join(folder, 'linked.txt'));

const missing = () => ({ isBuilding: true, text: 'The console is being built.' });
const harness = await useHarness({ startWorkers: false, consoleApp: { folder, missing } });
const proxied = await useHarness({
  ...{ startWorkers: false, consoleApp: { folder, missing } },
  settings: { publicUrl: 'https://phone.example/apps/dial', mediaUrl: 'wss://media.example' },
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${harness.url}${path}`, { method, headers });

/** Sends the path unchanged. fetch would resolve its dots. */
function getRaw(path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(harness.url, { path }, async (reply) => {
      let text = '';
      for await (const chunk of reply.setEncoding('utf8')) text += chunk;
      resolve({ status: reply.statusCode as number, text });
    });
    sent.once('error', reject).end();
  });
}

describe('the page', () => {
  for (const path of ['/console', '/console/', '/console/test/acct_1/tenants', '/console/sign-in', '/console/apix']) {
    test(`is the same at ${path}`, async () => {
      const reply = await get(path);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(reply.headers.get('cache-control'), 'no-cache');
      assert.match(await reply.text(), /<head><base href="\/console\/">/);
    });
  }

  test('loads from this server alone, and styles with a nonce that no other page has', async () => {
    const nonces = new Set<string>();
    for (let n = 0; n < 2; n++) {
      const reply = await get('/console');
      const policy = reply.headers.get('content-security-policy') as string;
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
      assert.equal(
        policy,
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
          "media-src 'self' blob:; font-src 'self'; connect-src 'self' ws://localhost; worker-src 'self' blob:; " +
          "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
      );
      const text = await reply.text();
      assert.equal(text.split(`nonce="${nonce}"`).length, 3);
      assert.ok(!text.includes('__CSP_NONCE__'));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 2);
  });

  test('has the prefix and the sockets of the public address', async () => {
    const reply = await fetch(`${proxied.url}/console/x`);
    assert.match(await reply.text(), /<base href="\/apps\/dial\/console\/">/);
    const policy = reply.headers.get('content-security-policy') as string;
    assert.match(policy, /connect-src 'self' wss:\/\/phone\.example wss:\/\/media\.example;/);
  });

  test('a request for its head has no body', async () => {
    const reply = await get('/console', {}, 'HEAD');
    assert.equal(reply.status, 200);
    assert.equal(await reply.text(), '');
  });

  test('no other site can set its sign-in or read its files', async () => {
    const reply = await get('/console');
    assert.equal(reply.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(reply.headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(reply.headers.get('set-cookie'), null);
  });
});

describe('a file', () => {
  test('with a hash in its name is kept for good, and compressed', async () => {
    const { status, headers, text } = await new Promise<{ status: number; headers: object; text: string }>(
      (resolve) => {
        const options = { path: '/console/assets/index-4f2a.js', headers: { 'accept-encoding': 'br, gzip' } };
        request(harness.url, options, async (reply) => {
          const chunks: Buffer[] = [];
          for await (const chunk of reply) chunks.push(chunk as Buffer);
          const content = gunzipSync(Buffer.concat(chunks)).toString();
          resolve({ status: reply.statusCode as number, headers: reply.headers, text: content });
        }).end();
      },
    );
    assert.equal(status, 200);
    assert.equal(text, SCRIPT);
    const { 'content-type': type, 'cache-control': cache, 'x-content-type-options': sniff } = headers as never;
    assert.deepEqual(
      [type, cache, sniff],
      ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 'nosniff'],
    );
  });

  test('is sent as it is to a client that does not unpack', async () => {
    for (const encoding of ['identity', 'gzip;q=0']) {
      const reply = await get('/console/assets/index-4f2a.js', { 'accept-encoding': encoding });
      assert.equal(reply.headers.get('content-encoding'), null);
      assert.equal(await reply.text(), SCRIPT);
    }
  });

  test('without a hash in its name is asked for again', async () => {
    const reply = await get('/console/icon.svg');
    assert.equal(reply.headers.get('cache-control'), 'no-cache');
    const etag = reply.headers.get('etag') as string;
    assert.equal((await get('/console/icon.svg', { 'if-none-match': etag })).status, 304);
  });

  test('that is missing is not found, in place of the page', async () => {
    for (const path of ['/console/assets/none', '/console/assets/old-1111.js', '/console/none.css']) {
      const reply = await get(path);
      assert.deepEqual(
        [reply.status, ((await reply.json()) as { error: { code: string } }).error.code],
        [404, 'not_found'],
      );
    }
  });

  test('outside of the build is never sent', async () => {
    for (const path of [
      '/console/../secret.txt',
      '/console/..%2fsecret.txt',
      '/console/%2e%2e/secret.txt',
      '/console/assets/../../secret.txt',
      '/console/assets/..%2f..%2fsecret.txt',
      '/console/..\\secret.txt',
      '/console/%00secret.txt',
      '/console//secret.txt',
      '/console/.sources',
      '/console/linked.txt',
      `/console/${join(scratch.path, 'secret.txt')}`,
    ]) {
      const { text } = await getRaw(path);
      assert.ok(!text.includes('beside the build') && !text.includes('a hash'), path);
    }
  });

  test('of a new build is found without a restart', async () => {
    writeFileSync(join(folder, 'assets/index-5b5b.js'), 'new');
    writeFileSync(join(folder, 'index.html'), INDEX.replace('4f2a', '5b5b'));
    assert.match(await (await get('/console')).text(), /index-5b5b/);
    assert.equal(await (await get('/console/assets/index-5b5b.js')).text(), 'new');
  });
});

test('until the app is built a page says so and reloads itself', async () => {
  const empty = await useHarness({ startWorkers: false, consoleApp: { folder: join(scratch.path, 'none'), missing } });
  const reply = await fetch(`${empty.url}/console/test/acct_1`);
  assert.equal(reply.status, 503);
  assert.equal(reply.headers.get('retry-after'), '2');
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  const text = await reply.text();
  assert.match(text, /The console is being built\./);
  assert.match(text, /http-equiv="refresh" content="2"/);
  mkdirSync(join(scratch.path, 'none'));
  writeFileSync(join(scratch.path, 'none/index.html'), INDEX);
  assert.equal((await fetch(`${empty.url}/console`)).status, 200);
  rmSync(join(scratch.path, 'none'), { recursive: true });
  assert.equal((await fetch(`${empty.url}/console`)).status, 503);
});

test('behind TLS and a prefix the cookie is Secure and of the prefix, and the origin is the public one', async () => {
  const { setCookie, call } = await signIn(proxied);
  assert.match(setCookie, /; Path=\/apps\/dial\/console; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
  assert.equal((await call('GET', '/session', { headers: { origin: 'https://phone.example' } })).status, 200);
  assert.equal((await call('GET', '/session', { headers: { origin: proxied.url } })).status, 403);
});

test('a process without the console has neither its pages nor its API', async () => {
  const without = await useHarness({ startWorkers: false, consoleApp: null });
  for (const path of [
    '/console',
    '/console/x',
    '/console/api/session',
    `/console/api/ledgers/${without.account.id}/test/v1/tenants`,
  ]) {
    assert.equal((await fetch(`${without.url}${path}`)).status, 404, path);
  }
});
