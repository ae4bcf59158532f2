import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STREAM_STOP_REASONS } from '../calls/state/call.ts';
import { billedSeconds, endOf, hashStreamToken, newStreamToken, streamUrl } from './rules.ts';

test('a stream without a client or with lost audio has failed, every other has stopped', () => {
  assert.deepEqual(
    STREAM_STOP_REASONS.map((reason) => [reason, endOf(reason)]),
    [
      ['api_request', 'stopped'],
      ['call_ended', 'stopped'],
      ['client_closed', 'stopped'],
      ['carrier_error', 'failed'],
      ['no_client', 'failed'],
    ],
  );
});

test('a started second counts', () => {
  assert.deepEqual([0, 1, 999, 1_000, 1_001].map(billedSeconds), [0, 1, 1, 1, 2]);
});

test('tokens differ, and only their hash is stored', () => {
  const [one, another] = [newStreamToken(), newStreamToken()];
  assert.notEqual(one, another);
  assert.match(one, /^svcst_[\w-]{43}$/);
  assert.ok(hashStreamToken(one).equals(hashStreamToken(one)));
  assert.ok(!hashStreamToken(one).equals(hashStreamToken(another)));
});

test('the address names the node that has the audio', () => {
  assert.equal(
    streamUrl('wss://media.example.com', 'node1', 'stm_1'),
    'wss://media.example.com/v1/streams/node1/stm_1',
  );
});
