import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../test/support/events.ts';
import {
  arrive,
  countEverything,
  newPerson,
  outboxOf,
  read,
  refusal,
  sendText,
} from '../../../test/support/messages.ts';
import { eventsOf, makeLine, useLine } from '../../../test/support/numbers.ts';
import { skippedBy } from '../../../test/support/stepping-time.ts';
import type { PhoneNumber } from '../../domain/numbers/index.ts';
import { MESSAGE_FAILURES } from '../ports/messaging.ts';
import { MAGIC } from './magic-numbers.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });

const force = (id: string, body: object) => harness.call('POST', `/v1/test/messages/${id}/receipt`, { body });
const inbound = (body: object) => harness.call('POST', '/v1/test/inbound_messages', { body });

/** Buys a voice-only number. */
async function buyVoiceOnly(areaCode: string): Promise<PhoneNumber> {
  const available = await read(harness, `/phone_numbers/available?area_code=${areaCode}&contains=0000&limit=20`);
  const { phone_number } = available.data.find((number: PhoneNumber) => number.phone_number.endsWith('0000'));
  const bought = await harness.call('POST', '/v1/phone_numbers', { body: { tenant_id: tenantId, phone_number } });
  assert.deepEqual([bought.status, bought.body.capabilities], [201, ['voice']]);
  return bought.body;
}

test('a text or a call to a number that nobody owns names the field', async () => {
  const parties = { from: newPerson(), to: '+14155550143' };
  const expected = [404, 'phone_number_not_found', 'to'];
  assert.deepEqual(refusal(await inbound({ ...parties, body: 'Hi' })), expected);
  assert.deepEqual(refusal(await harness.call('POST', '/v1/test/inbound_calls', { body: parties })), expected);
});

test('an inbound text takes no receipt', async () => {
  const text = await arrive(harness, newPerson(), number.phone_number, 'Hi');
  for (const status of ['sent', 'delivered', 'failed']) {
    assert.deepEqual(refusal(await force(text.id, { status })), [400, 'invalid_body', 'message_id']);
  }
  assert.deepEqual(await read(harness, `/messages/${text.id}`), text);
});

test('a text to a group names the others, and is in the conversation of its sender', async () => {
  const [from, other] = [newPerson(), newPerson()];
  const { status, body } = await inbound({ from, to: number.phone_number, other_recipients: [other], body: 'Lunch?' });
  assert.deepEqual([status, body.group, body.other_recipients], [201, true, [other]]);
  assert.deepEqual(await read(harness, `/messages/${body.id}`), body);
  assert.equal((await read(harness, `/conversations/${body.conversation_id}`)).external_number, from);
  const [event] = await eventsOf(harness, body.id);
  assert.deepEqual((event as Json).data, body);
  const single = await inbound({ from, to: number.phone_number, body: 'Hello' });
  assert.deepEqual([single.body.group, single.body.other_recipients], [false, []]);
});

test('a failure reason is accepted with a failure only', async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  for (const status of ['sent', 'delivered']) {
    const reply = await force(id, { status, failure_reason: 'unreachable' });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', 'failure_reason']);
  }
  assert.equal((await read(harness, `/messages/${id}`)).status, 'queued');
  assert.equal((await force(id, { status: 'sent', failure_reason: null })).status, 200);
  const failed = await force(id, { status: 'failed', failure_reason: 'unreachable' });
  assert.deepEqual([failed.status, failed.body.error_code], [200, 'unreachable']);
});

test('a failure can have each of the failure reasons', async () => {
  for (const failure_reason of MESSAGE_FAILURES) {
    const { id } = await sendText(harness, number.id, newPerson());
    await harness.advance(0);
    const failed = await force(id, { status: 'failed', failure_reason });
    assert.deepEqual([failed.status, failed.body.error_code], [200, failure_reason]);
    const [event] = await eventsOf(harness, id);
    assert.deepEqual([event?.type, (event as Json).data.failure_reason], ['message.failed', failure_reason]);
  }
});

test('the outbox filters by a number, with its plus sign encoded or not, and refuses anything else', async () => {
  const to = newPerson();
  await sendText(harness, number.id, to, 'Hello');
  await harness.advance(2);
  for (const query of [`%2B${to.slice(1)}`, to, `%20${to.slice(1)}`]) {
    const { data } = await read(harness, `/test/outbox?to=${query}`);
    assert.deepEqual(
      data.map((text: { body: string }) => text.body),
      ['Hello'],
      query,
    );
  }
  assert.deepEqual(refusal(await harness.call('GET', '/v1/test/outbox?to=nobody')), [400, 'invalid_body', 'to']);
});

test('a forced receipt, however early, takes effect after its text is sent', async () => {
  const to = newPerson();
  const before = await read(harness, '/usage');
  const { id } = await sendText(harness, number.id, to, 'Hello');
  const forcing = force(id, { status: 'delivered' });
  await harness.advance(0);
  assert.equal((await forcing).body.status, 'delivered');
  await harness.advance(5);
  assert.equal((await outboxOf(harness, to)).length, 1);
  assert.deepEqual(
    (await eventsOf(harness, id)).map(({ type }) => type),
    ['message.delivered'],
  );
  assert.notDeepEqual(await read(harness, '/usage'), before, 'it is charged');
});

test('a forced receipt for a text that cannot be sent does not wait for it', async () => {
  const { id } = await sendText(harness, number.id, MAGIC.sendFails);
  const forcing = force(id, { status: 'failed' });
  assert.ok((await skippedBy(forcing)) < 10_000);
  assert.equal((await forcing).status, 200);
});

test('an inbound text that is too long is refused', async () => {
  const [from, to] = [newPerson(), number.phone_number];
  const before = await countEverything(harness);
  const long = await inbound({ from, to, body: 'x'.repeat(1601) });
  assert.deepEqual(refusal(long), [400, 'body_too_long', 'body']);
  assert.deepEqual(await countEverything(harness), before);
  assert.equal((await inbound({ from, to, body: '😀'.repeat(1600) })).status, 201);
});

test('an inbound text without body and media is refused', async () => {
  const to = number.phone_number;
  const before = await countEverything(harness);
  for (const body of [{}, { body: '' }, { media_urls: [] }, { body: '', media_urls: [] }]) {
    assert.deepEqual(refusal(await inbound({ from: newPerson(), to, ...body })), [400, 'empty_message', 'body']);
  }
  assert.deepEqual(await countEverything(harness), before);
  const picture = await inbound({ from: newPerson(), to, media_urls: ['https://example.com/a.png'] });
  assert.deepEqual([picture.status, picture.body.body], [201, '']);
});

test('an inbound text to a voice-only number is refused', async () => {
  const voice = await buyVoiceOnly('480');
  const before = await countEverything(harness);
  const reply = await inbound({ from: newPerson(), to: voice.phone_number, body: 'Hi' });
  assert.deepEqual(refusal(reply), [422, 'number_not_sms_capable', 'to']);
  assert.deepEqual(await countEverything(harness), before);
});

test('a text to a voice-only number of the ledger fails as unreachable and is not received', async () => {
  const voice = await buyVoiceOnly('623');
  const { id } = await sendText(harness, number.id, voice.phone_number);
  await harness.advance(0);
  assert.deepEqual(await outboxOf(harness, voice.phone_number), [], 'not in the outbox before its receipt either');
  await harness.advance(2);
  const message = await read(harness, `/messages/${id}`);
  assert.deepEqual([message.status, message.error_code], ['failed', 'unreachable']);
  assert.deepEqual(
    (await eventsOf(harness, id)).map(({ type }) => type),
    ['message.failed'],
  );
  const arrived = await read(harness, `/messages?direction=inbound&limit=100`);
  assert.ok(arrived.data.every((each: { to: string }) => each.to !== voice.phone_number));
  assert.deepEqual(await outboxOf(harness, voice.phone_number), []);
});

test('a text to a number of the ledger that takes texts is received there', async () => {
  const other = await makeLine(harness);
  const { id } = await sendText(harness, number.id, other.number.phone_number, 'Hello, neighbour');
  await harness.advance(2);
  assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  const [arrived] = (await read(harness, `/messages?tenant_id=${other.tenantId}&direction=inbound`)).data;
  assert.equal(arrived?.body, 'Hello, neighbour');
});

test('the error of a reused Idempotency-Key comes after errors of fields and before all others', async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  const send = (path: string, once: string, body: object) =>
    harness.call('POST', `/v1/test/${path}`, { body, headers: { 'idempotency-key': once } });
  const reused = [422, 'idempotency_key_reuse', 'Idempotency-Key'];
  const text = { from: newPerson(), to: number.phone_number, body: 'Hi' };
  assert.equal((await send('inbound_messages', 'arrives', text)).status, 201);
  const empty = await send('inbound_messages', 'arrives', { ...text, body: '' });
  assert.deepEqual(refusal(empty), [400, 'empty_message', 'body']);
  assert.deepEqual(refusal(await send('inbound_messages', 'arrives', { ...text, to: newPerson() })), reused);
  const receipt = `messages/${id}/receipt`;
  assert.equal((await send(receipt, 'receipt', { status: 'sent' })).status, 200);
  const bad = { status: 'sent', failure_reason: 'unreachable' };
  assert.deepEqual(refusal(await send(receipt, 'receipt', bad)), reused);
});
