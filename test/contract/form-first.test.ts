/**
 * A mistake in the request itself is reported first, even if a repeat or an unknown id in the path would get another
 * answer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../support/harness.ts';

const harness = await useHarness({ startWorkers: false, injects: true });

const REFUSED: readonly [path: string, body: Record<string, unknown>, code: string][] = [
  ['POST /v1/tenants', { name: 'A', timezone: 'Mars/Olympus' }, 'invalid_timezone'],
  ['PATCH /v1/tenants/tnt_none', { timezone: 'Mars/Olympus' }, 'invalid_timezone'],
  [
    'POST /v1/opt_outs',
    { tenant_id: 'tnt_none', external_number: '+16025550101', source: 'import', channels: ['call'] },
    'invalid_body',
  ],
  ['POST /v1/phone_numbers', { tenant_id: 'tnt_none', phone_number: '+10000000000' }, 'invalid_phone'],
  ['POST /v1/calls', { from: 'num_none', to: '+1', connect_to: '+16025550101' }, 'invalid_to_number'],
  ['POST /v1/calls', { from: 'num_none', to: '+16025550101', connect_to: '+1' }, 'invalid_connect_to'],
  ['POST /v1/webhook_endpoints', { url: 'http://10.0.0.1/' }, 'invalid_url'],
  ['PATCH /v1/webhook_endpoints/whe_none', { url: 'http://10.0.0.1/' }, 'invalid_url'],
  ['POST /v1/calls/call_none/streams', { connect_url: 'wss://10.0.0.1/' }, 'invalid_url'],
  ['POST /v1/webhook_endpoints/whe_none/test', { event_type: 'x' }, 'unknown_event_type'],
];
for (const [route, body, code] of REFUSED) {
  test(`${route} is ${code} before the rest of the request is judged`, async () => {
    const headers = { 'idempotency-key': 'used for something else' };
    const first = await harness.call('POST', '/v1/tenants', { body: { name: 'First' }, headers });
    assert.equal(first.status, 201);
    const [method = '', path = ''] = route.split(' ');
    const reply = await harness.call(method, path, { body, headers });
    assert.deepEqual([reply.status, reply.body.error?.code], [400, code]);
  });
}
