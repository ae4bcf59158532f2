import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../test/support/events.ts';
import { newPerson, read, sendText } from '../../../test/support/messages.ts';
import { eventsOf, useLine } from '../../../test/support/numbers.ts';
import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Ledger } from '../../lib/scope.ts';
import { applyMessagingEvents } from './carrier-events.ts';
import type { InboundText } from './messages/receive-message.ts';

const { harness, number } = await useLine({ startWorkers: false });
const ledger: Ledger = { ledgerId: await testLedger(harness), accountId: harness.account.id, mode: 'test' };

const report = (...events: CarrierEvent[]) =>
  harness.context.db.transaction((tx) => applyMessagingEvents(tx, ledger, events));

const receipt = (ref: string, status: 'sent' | 'delivered' | 'failed'): CarrierEvent => ({
  type: 'message.receipt',
  ref,
  status,
});

const text = (carrierMessageId: string, from: string, body: string): InboundText => ({
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

test('a text keeps at most 10 media and 100 other recipients', async () => {
  const from = newPerson();
  const otherRecipients = Array.from({ length: 101 }, (_, index) => `+1480555${1000 + index}`);
  const mediaUrls = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}.png`);
  await report({ ...text('large', from, 'Hello all'), otherRecipients, mediaUrls });
  const { data } = await read(harness, `/messages?direction=inbound&from=${encodeURIComponent(from)}`);
  assert.deepEqual(data[0].other_recipients, otherRecipients.slice(0, 100));
  assert.deepEqual(
    data[0].media.map(({ url }: Json) => url),
    mediaUrls.slice(0, 10),
  );
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
  await report({ ...text('foreign', newPerson(), 'Hi'), to: '+16025559999' });
  const page = await read(harness, '/messages?direction=inbound&limit=100');
  assert.ok(page.data.every((each: { to: string }) => each.to === number.phone_number));
});

const optOutsOf = async (person: string) =>
  (await read(harness, `/opt_outs?tenant_id=${number.tenant_id}&limit=100`)).data
    .filter(({ external_number }: Json) => external_number === person)
    .map(({ source }: Json) => source);
const confirmationsTo = async (person: string) =>
  (await read(harness, `/messages?direction=outbound&to=${encodeURIComponent(person)}`)).data.length;

test('a STOP that the carrier has confirmed opts the person out, and no second confirmation goes out', async () => {
  const [plain, confirmed] = [newPerson(), newPerson()];
  await report(text('stop-plain', plain, 'STOP'), { ...text('stop-confirmed', confirmed, 'STOP'), isConfirmed: true });
  for (const person of [plain, confirmed]) assert.deepEqual(await optOutsOf(person), ['stop_keyword']);
  assert.deepEqual([await confirmationsTo(plain), await confirmationsTo(confirmed)], [1, 0]);
  await report({ ...text('start-confirmed', confirmed, 'START'), isConfirmed: true });
  await report({ ...text('help-confirmed', confirmed, 'HELP'), isConfirmed: true });
  assert.deepEqual([await optOutsOf(confirmed), await confirmationsTo(confirmed)], [[], 0]);
});

test('an opt-out that the carrier reports has the source carrier, and only a START lifts it', async () => {
  const person = newPerson();
  const reported: CarrierEvent = {
    type: 'opt_out.reported',
    phoneNumber: number.phone_number,
    externalNumber: person,
  };
  await report(reported, reported, { ...reported, phoneNumber: '+16025550999' });
  assert.deepEqual(await optOutsOf(person), ['carrier']);
  assert.equal(await confirmationsTo(person), 0);
  const resource = `${number.tenant_id}:${person}`;
  assert.deepEqual(
    (await eventsOf(harness, resource)).map(({ type, data }) => [type, (data as Json).source]),
    [['opt_out.created', 'carrier']],
  );
  const path = `/v1/opt_outs/${encodeURIComponent(person)}?tenant_id=${number.tenant_id}`;
  assert.equal((await harness.call('DELETE', path)).body.error.code, 'opt_out_not_removable');
  await report(text('start-after-carrier', person, 'START'));
  assert.deepEqual(await optOutsOf(person), []);
});
