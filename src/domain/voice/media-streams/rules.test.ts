import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STREAM_STOP_REASONS } from '../calls/call.ts';
import { billedSeconds, endOf, hashStreamToken, newStreamToken, streamUrls } from './rules.ts';

test('a stream that nobody came to or whose audio is lost has failed, every other has stopped', () => {
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

test('a second that has begun counts', () => {
  assert.deepEqual([0, 1, 999, 1_000, 1_001].map(billedSeconds), [0, 1, 1, 1, 2]);
});

test('tokens are different each time, and known by their hash alone', () => {
  const [one, another] = [newStreamToken(), newStreamToken()];
  assert.notEqual(one, another);
  assert.match(one, /^svcst_[\w-]{43}$/);
  assert.ok(hashStreamToken(one).equals(hashStreamToken(one)));
  assert.ok(!hashStreamToken(one).equals(hashStreamToken(another)));
});

test('the address names the node that holds the audio', () => {
  assert.deepEqual(streamUrls('wss://media.example.com', 'node1', 'stm_1'), {
    client: 'wss://media.example.com/v1/streams/node1/stm_1',
    ingest: 'wss://media.example.com/v1/ingest/node1/stm_1',
  });
});
