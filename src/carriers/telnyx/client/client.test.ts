import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { now } from '../../../lib/time/time.ts';
import { createClient, outcomeOf } from './client.ts';

const KEY = 'KEY_of_the_account';
const NUMBER = '+14805550142';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The test server's replies, by path. */
const REPLIES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/good': (response) => response.writeHead(200, { ...JSON_TYPE, 'x-request-id': 'req_1' }).end('{"data":{"id":"1"}}'),
  '/gone': (response) => response.writeHead(204).end(),
  '/refused': (response) =>
    response.writeHead(422, JSON_TYPE).end('{"errors":[{"code":"40302","title":"Too long","detail":"Text too long"}]}'),
  '/registry': (response) =>
    response.writeHead(422, JSON_TYPE).end('{"detail":[{"loc":["ein"],"msg":"is missing","type":"missing"}]}'),
  '/busy': (response) => response.writeHead(429, { 'x-ratelimit-reset': '7' }).end('{}'),
  '/reset-at': (response) =>
    response.writeHead(429, { 'x-ratelimit-reset': `${Math.floor(now() / 1_000) - 60}` }).end('{}'),
  '/later': (response) => response.writeHead(429, { 'retry-after': '3', 'x-ratelimit-reset': '7' }).end('{}'),
  '/key': (response) => response.writeHead(401).end('{}'),
  '/failed': (response) => response.writeHead(500).end('{}'),
  '/slow-proxy': (response) => response.writeHead(408).end(),
  '/moved': (response) => response.writeHead(301, { location: '/good' }).end(),
  '/page': (response) => response.writeHead(200).end('<html>'),
  '/long': (response) => response.writeHead(200).end(`"${'x'.repeat(3_000_000)}"`),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    setImmediate(() => response.destroy());
  },
  '/silent': () => undefined,
};

const asked: { method: string; url: string; authorization: string | undefined }[] = [];
const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  asked.push({ method, url, authorization: headers.authorization });
  request.resume().on('end', () => (REPLIES[url.split('?')[0] ?? ''] ?? REPLIES['/gone'])?.(response));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const lines: string[] = [];
const log = pino(
  { level: 'debug' },
  new Writable({ write: (line, _encoding, done) => done(void lines.push(`${line}`)) }),
);
const open = (url: string, requestMs?: number) =>
  createClient({ url, key: KEY, connection: 'ccn_1', log, ...(requestMs !== undefined && { requestMs }) });
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = open(url);
closeAfterTests(() => {
  server.closeAllConnections();
  return server.close();
});
closeAfterTests(() => client.close());

for (const [path, expected] of [
  ['/good', { is: 'answered', body: { data: { id: '1' } } }],
  ['/gone', { is: 'answered', body: null }],
  ['/refused', { is: 'refused', status: 422, errors: [{ code: '40302', title: 'Too long', detail: 'Text too long' }] }],
  ['/registry', { is: 'refused', status: 422, errors: [{ code: 'missing', title: 'missing', detail: 'is missing' }] }],
  ['/busy', { is: 'busy', errors: [], retryAfterMs: 7_000 }],
  ['/reset-at', { is: 'busy', errors: [], retryAfterMs: 0 }],
  ['/later', { is: 'busy', errors: [], retryAfterMs: 3_000 }],
  ['/key', { is: 'locked_out' }],
  ['/failed', { is: 'unclear' }],
  ['/slow-proxy', { is: 'unclear' }],
  ['/moved', { is: 'unclear' }],
  ['/page', { is: 'unclear' }],
  ['/long', { is: 'unclear' }],
  ['/cut', { is: 'unclear' }],
] as const) {
  test(`the reply of ${path} is ${expected.is}`, async () => {
    const before = asked.length;
    assert.deepEqual(await client.ask({ method: 'POST', path, body: { to: NUMBER } }), expected);
    assert.equal(asked.length, before + 1, 'it is asked once');
  });
}

test('a request without a reply in time is unclear, one that no server takes is unreachable', async () => {
  const hasty = open(url, 1_000);
  assert.deepEqual(await hasty.ask({ method: 'GET', path: '/silent' }), { is: 'unclear' });
  await hasty.close();
  const nobody = open(`http://127.0.0.1:${await freePort()}`);
  assert.deepEqual(await nobody.ask({ method: 'GET', path: '/good' }), { is: 'unreachable' });
  await nobody.close();
});

test('only a request that may have been carried out is unknown', () => {
  assert.deepEqual(outcomeOf({ is: 'unclear' }), { outcome: 'unknown' });
  assert.deepEqual(outcomeOf({ is: 'busy', errors: [], retryAfterMs: 7 }), { outcome: 'unavailable', retryAfterMs: 7 });
  assert.deepEqual(outcomeOf({ is: 'locked_out' }), { outcome: 'unavailable', cause: 'unreachable' });
  assert.deepEqual(outcomeOf({ is: 'unreachable' }), { outcome: 'unavailable', cause: 'unreachable' });
});

test('names in a path and values of a query are escaped', async () => {
  await client.ask({
    method: 'GET',
    path: '/good/{number}',
    params: { number: '+1/?' },
    query: [['filter[name]', 'a b&c']],
  });
  assert.equal(asked.at(-1)?.url, '/good/%2B1%2F%3F?filter%5Bname%5D=a+b%26c');
  assert.equal(asked.at(-1)?.authorization, `Bearer ${KEY}`);
});

test('the log has the operation and the id of each request, and no number, key or body', async () => {
  lines.length = 0;
  await client.ask({ method: 'POST', path: '/good', params: { number: NUMBER }, body: { to: NUMBER } });
  await client.ask({ method: 'POST', path: '/refused', body: { to: NUMBER } });
  const [good, refused] = lines.map((line) => JSON.parse(line));
  assert.deepEqual([good.operation, good.answer, good.requestId], ['POST /good', 'answered', 'req_1']);
  assert.deepEqual([refused.status, refused.codes], [422, ['40302']]);
  for (const secret of [KEY, NUMBER, '4805550142', 'Text too long']) assert.ok(!lines.join('').includes(secret));
});
