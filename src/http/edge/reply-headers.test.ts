import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';

const harness = await useHarness({ startWorkers: false });

/** Sends raw bytes, ends its side of the connection, and returns the head of the reply. */
async function headOf(bytes: string): Promise<Headers> {
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  socket.end(bytes);
  const [head = ''] = Buffer.concat(await socket.toArray())
    .toString()
    .split('\r\n\r\n');
  return new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
}

function assertProtected(headers: Headers, what: string): void {
  assert.match(headers.get('content-type') ?? '', /^application\/json/, what);
  assert.equal(headers.get('cache-control'), 'no-store', what);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
}

test('no cache keeps a reply in JSON, and no browser takes it for another type: results and refusals of every layer', async () => {
  const replies = {
    'a list': await harness.call('GET', '/v1/tenants'),
    'a new resource': await harness.call('POST', '/v1/tenants', { body: { name: 'Desert Dental' } }),
    'bad input': await harness.call('POST', '/v1/tenants', { body: { name: 7 } }),
    'no key': await harness.call('GET', '/v1/tenants', { key: null }),
    'no route': await harness.call('GET', '/v1/nothing'),
    'no resource': await harness.call('GET', '/v1/tenants/ten_none'),
    'a method without a route': await harness.call('DELETE', '/v1/tenants'),
    'a path that cannot be decoded': await harness.call('GET', '/v1/tenants/%zz'),
    'a probe': await harness.call('GET', '/readyz', { key: null }),
  };
  for (const [what, { headers }] of Object.entries(replies)) assertProtected(headers, what);
  assertProtected(await headOf('NONSENSE\r\n\r\n'), 'no HTTP');
  const expecting = 'GET /v1/tenants HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nConnection: close\r\n\r\n';
  assertProtected(await headOf(expecting), 'an expectation');
});

test('a 401 names the scheme of a key, and no other reply does', async () => {
  const schemeOf = async (headers: Record<string, string>, key: string | null = null) =>
    (await harness.call('GET', '/v1/tenants', { key, headers })).headers.get('www-authenticate');
  const scheme = 'Bearer realm="Dialplane"';
  assert.equal(await schemeOf({}), scheme);
  assert.equal(await schemeOf({ authorization: 'Basic c3ZjOng=' }), scheme);
  assert.equal(await schemeOf({ authorization: 'Bearer svc_test_short' }), scheme);
  assert.equal(await schemeOf({}, harness.account.test_key), null);
  const link = '/v1/recordings/rec_none/audio?expires=1&signature=altered';
  const { status, headers } = await harness.call('GET', link, { key: null });
  assert.deepEqual([status, headers.get('www-authenticate')], [401, scheme]);
});
