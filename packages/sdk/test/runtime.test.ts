import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dialplane, DialplaneError } from '../src/index.ts';
import { isBrowser, type RuntimeScope, takesNoStore } from '../src/runtime.ts';

const importScripts = () => undefined;

for (const [runtime, scope, expected] of [
  ['Workers of an early compatibility date', { importScripts }, false],
  ['Workers of a late compatibility date', {}, false],
  ['Workers with a polyfill of the document', { importScripts, document: {} }, false],
  ['Node with a document of jsdom', { process: { versions: { node: '26.0.0' } }, location: { origin: 'null' } }, false],
  ['a page', { document: {}, location: { origin: 'https://shop.example' } }, true],
  ['a page of a file', { document: {}, location: { origin: 'null' } }, true],
  ['a worker of a page', { importScripts, location: { origin: 'https://shop.example' } }, true],
] as [string, RuntimeScope & Record<string, unknown>, boolean][]) {
  test(`${runtime}: ${expected ? 'an API key is refused' : 'the client runs'}`, () => {
    assert.equal(isBrowser(scope), expected);
  });
}

/** Makes `run` see another global `process` and `location`, as in a page. */
function inPage(run: () => void): void {
  const before = ['process', 'location'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  try {
    Object.defineProperty(globalThis, 'process', { value: undefined, configurable: true });
    Object.defineProperty(globalThis, 'location', { value: { origin: 'https://shop.example' }, configurable: true });
    run();
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

test('allowBrowser switches the check off', () => {
  const options = { apiKey: 'svc_test_x', baseUrl: 'https://phone.example' };
  inPage(() => {
    assert.throws(() => new Dialplane(options), { code: 'api_key_in_browser' });
    assert.doesNotThrow(() => new Dialplane({ ...options, allowBrowser: true }));
  });
});

test('the option no-store is used only where a request takes it', () => {
  assert.equal(takesNoStore(), true);
  class Refusing {
    readonly cache = 'default';
    constructor() {
      throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
    }
  }
  class Ignoring {
    readonly cache = undefined;
  }
  assert.equal(takesNoStore(Refusing), false);
  assert.equal(takesNoStore(Ignoring), false);
});

test('a framework that caches GETs is asked for none; other requests are as before', async () => {
  const asked: [string | undefined, RequestCache | undefined][] = [];
  const fetch = async (_address: unknown, init: RequestInit = {}) => {
    asked.push([init.method, init.cache]);
    return Response.json({ id: 'ten_1' });
  };
  const client = new Dialplane({ apiKey: 'svc_test_x', baseUrl: 'https://phone.example', fetch });
  await client.tenants.get('ten_1');
  await client.tenants.create({ name: 'Cat Clinic' });
  assert.deepEqual(asked, [
    ['GET', 'no-store'],
    ['POST', undefined],
  ]);
});

for (const [what, headers, seconds] of [
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 7],
  [
    'a date that has passed',
    { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT', date: 'Thu, 01 Jan 2026 00:00:07 GMT' },
    0,
  ],
  ['a far date of a server without a clock', { 'retry-after': new Date(8.64e15).toUTCString() }, undefined],
  ['seconds', { 'retry-after': '7' }, 7],
  ['a date of an old form', { 'retry-after': 'Thursday, 01-Jan-26 00:00:07 GMT', date: 'Thu Jan  1 00:00:00 2026' }, 7],
  [
    'an old form without a zone',
    { 'retry-after': 'Thu Jan  1 00:00:07 2026', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    7,
  ],
  ['neither', { 'retry-after': 'soon' }, undefined],
  ['a fraction', { 'retry-after': '1.5' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['two values', { 'retry-after': '5, 6' }, undefined],
  ['a day alone', { 'retry-after': '2026-11-20' }, undefined],
] as const) {
  test(`Retry-After with ${what} is read`, async () => {
    const fetch = async () => new Response('', { status: 503, headers });
    const options = { apiKey: 'svc_test_x', baseUrl: 'https://phone.example', fetch, retriesMax: 0 };
    await assert.rejects(new Dialplane(options).tenants.get('ten_1'), (error) => {
      assert.ok(error instanceof DialplaneError);
      if (what.startsWith('a far')) assert.ok((error.retryAfterSeconds ?? 0) > 60);
      else assert.equal(error.retryAfterSeconds, seconds);
      return true;
    });
  });
}

test('a stream whose predecessor has just been closed by its socket is asked for again, twice at most', async () => {
  const codes: number[] = [];
  const refuse = (count: number) => async () => {
    const status = codes.length < count ? 409 : 201;
    codes.push(status);
    const error = { code: 'stream_already_active', message: 'This call has a media stream already.' };
    return Response.json(status === 409 ? { error } : { id: 'stm_1' }, { status });
  };
  const open = (count: number, retriesMax = 3) => {
    codes.length = 0;
    const options = { apiKey: 'svc_test_x', baseUrl: 'https://phone.example', fetch: refuse(count), retriesMax };
    return new Dialplane(options).mediaStreams.create('call_1', {});
  };
  assert.equal((await open(2)).id, 'stm_1');
  assert.deepEqual(codes, [409, 409, 201]);
  await assert.rejects(open(3), { code: 'stream_already_active' });
  assert.deepEqual(codes, [409, 409, 409]);
  await assert.rejects(open(1, 0), { code: 'stream_already_active' });
  assert.deepEqual(codes, [409]);
});
