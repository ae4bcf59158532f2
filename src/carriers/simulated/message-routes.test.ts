import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import {
  arrive,
  countEverything,
  makeSender,
  newPerson,
  outboxOf,
  read,
  refusal,
  sendText,
} from '../../../test/support/messages.ts';
import { eventsOf } from '../../../test/support/numbers.ts';
import type { PhoneNumber } from '../../domain/numbers/index.ts';

let harness: Harness;
let tenantId: string;
let number: PhoneNumber;

before(async () => {
  harness = await startHarness({ startWorkers: false });
  ({ tenantId, number } = await makeSender(harness));
});
after(() => harness.close());

const force = (id: string, body: object) => harness.call('POST', `/v1/test/messages/${id}/receipt`, { body });
const inbound = (body: object) => harness.call('POST', '/v1/test/inbound_messages', { body });

/** A number that only takes calls. */
async function buyVoiceOnly(areaCode: string): Promise<PhoneNumber> {
  const offer = await read(harness, `/phone_numbers/available?area_code=${areaCode}&contains=0000&limit=20`);
  const { phone_number } = offer.data.find((each: PhoneNumber) => each.phone_number.endsWith('0000'));
  const bought = await harness.call('POST', '/v1/phone_numbers', { body: { tenant_id: tenantId, phone_number } });
  assert.deepEqual([bought.status, bought.body.capabilities], [201, ['voice']]);
  return bought.body;
}

test('an inbound text takes no receipt', async () => {
  const text = await arrive(harness, newPerson(), number.phone_number, 'Hi');
  for (const status of ['sent', 'delivered', 'failed']) {
    assert.deepEqual(refusal(await force(text.id, { status })), [400, 'invalid_body', 'message_id']);
  }
  assert.deepEqual(await read(harness, `/messages/${text.id}`), text);
});

test('a reason goes with a failure only', async () => {
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

test('a text with nothing in it does not arrive', async () => {
  const to = number.phone_number;
  const before = await countEverything(harness);
  for (const body of [{}, { body: '' }, { media_urls: [] }, { body: '', media_urls: [] }]) {
    assert.deepEqual(refusal(await inbound({ from: newPerson(), to, ...body })), [400, 'empty_message', 'body']);
  }
  assert.deepEqual(await countEverything(harness), before);
  const picture = await inbound({ from: newPerson(), to, media_urls: ['https://example.com/a.png'] });
  assert.deepEqual([picture.status, picture.body.body], [201, '']);
});

test('nobody can text a voice-only number', async () => {
  const voice = await buyVoiceOnly('480');
  const before = await countEverything(harness);
  const reply = await inbound({ from: newPerson(), to: voice.phone_number, body: 'Hi' });
  assert.deepEqual(refusal(reply), [422, 'number_not_sms_capable', 'to']);
  assert.deepEqual(await countEverything(harness), before);
});

test('a text to a voice-only number of the ledger fails as unreachable and arrives nowhere', async () => {
  const voice = await buyVoiceOnly('623');
  const { id } = await sendText(harness, number.id, voice.phone_number);
  await harness.advance(0);
  assert.deepEqual(await outboxOf(harness, voice.phone_number), [], 'not even on its way');
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

test('a text to a number of the ledger that takes texts arrives there', async () => {
  const other = await makeSender(harness);
  const { id } = await sendText(harness, number.id, other.number.phone_number, 'Hello, neighbour');
  await harness.advance(2);
  assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  const [arrived] = (await read(harness, `/messages?tenant_id=${other.tenantId}&direction=inbound`)).data;
  assert.equal(arrived?.body, 'Hello, neighbour');
});
