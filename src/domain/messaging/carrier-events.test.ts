import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../test/support/events.ts';
import { newPerson, read, sendText } from '../../../test/support/messages.ts';
import { eventsOf, useLine } from '../../../test/support/numbers.ts';
import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Ledger } from '../../lib/scope.ts';
import { applyMessagingEvents } from './carrier-events.ts';

const { harness, number } = await useLine({ startWorkers: false });
const ledger: Ledger = { ledgerId: await testLedger(harness), accountId: harness.account.id, mode: 'test' };

const report = (...events: CarrierEvent[]) =>
  harness.context.db.transaction((tx) => applyMessagingEvents(tx, ledger, events));

const receipt = (ref: string, status: 'sent' | 'delivered' | 'failed'): CarrierEvent => ({
  type: 'message.receipt',
  ref,
  status,
});

const text = (carrierMessageId: string, from: string, body: string): CarrierEvent => ({
  type: 'message.received',
  carrierMessageId,
  from,
  to: number.phone_number,
  body,
  mediaUrls: [],
});

test('sent and delivered reported together are both applied in order', async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  const other = await sendText(harness, number.id, newPerson());
  await report(receipt(id, 'sent'), receipt(other.id, 'failed'), receipt(id, 'delivered'), receipt(id, 'failed'));
  assert.deepEqual(
    (await eventsOf(harness, id)).map(({ type }) => type),
    ['message.sent', 'message.delivered'],
  );
  assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  assert.equal((await read(harness, `/messages/${other.id}`)).error_code, 'carrier_rejected');
});

test('concurrent receipts for one message end it once', async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => report(receipt(id, index % 2 === 0 ? 'delivered' : 'failed'))),
  );
  assert.equal((await eventsOf(harness, id)).length, 1);
  assert.equal((await read(harness, `/messages/${id}`)).status_history.length, 2);
});

test('a receipt for an unknown message changes nothing', async () => {
  await report(receipt('msg_unknown', 'delivered'));
  assert.deepEqual(await eventsOf(harness, 'msg_unknown'), []);
});

test('a text reported twice, also concurrently, is stored once', async () => {
  const from = newPerson();
  await Promise.all(Array.from({ length: 6 }, () => report(text('twice', from, 'Hi'), text('twice', from, 'Hi'))));
  const page = await read(harness, '/messages?direction=inbound&limit=100');
  assert.equal(page.data.filter((each: { from: string }) => each.from === from).length, 1);
});

test('an inbound text with characters that cannot be stored is stored without them', async () => {
  const from = newPerson();
  await report(text('poison', from, 'a\0b \ud83d'), text('after', from, 'fine'));
  const page = await read(harness, '/messages?direction=inbound&limit=100');
  const bodies = page.data
    .filter((each: { from: string }) => each.from === from)
    .map((each: { body: string }) => each.body);
  assert.deepEqual(bodies, ['fine', 'ab \ufffd']);
});

test('a text for a number the ledger does not own is dropped', async () => {
  await report({ ...text('foreign', newPerson(), 'Hi'), to: '+16025559999' } as CarrierEvent);
  const page = await read(harness, '/messages?direction=inbound&limit=100');
  assert.ok(page.data.every((each: { to: string }) => each.to === number.phone_number));
});
