import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../lib/ids.ts';
import { packRefs, unpackRefs } from './event-refs.ts';

test('unpacking a message returns the packed references, grouped by ledger', () => {
  const refs = [1, 2, 1].map((ledgerId) => ({ ledgerId, id: newId('event') }));
  const [message = ''] = packRefs(refs);
  assert.deepEqual(unpackRefs(message), [refs[0], refs[2], refs[1]]);
});

test('a message stays within the limit of the bus, even if each event has a ledger of its own', () => {
  const refs = Array.from({ length: 1_000 }, (_, n) => ({ ledgerId: 2_147_483_647 - n, id: newId('event') }));
  const messages = packRefs(refs);
  for (const message of messages) assert.ok(JSON.stringify(['events', message]).length <= 7_400);
  assert.deepEqual(messages.flatMap(unpackRefs), refs);
});
