import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { type Received, useReceiver } from '../../../test/support/receiver.ts';
import { webhooks } from '../src/index.ts';
import { clientOf, makeSender } from './support/sender.ts';

const SECRET = 'whsec_DNtU4ovYuODtpF+hSTsymXRPViAn/+H7MwT0t08ALuY=';
const OTHER = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const harness = await useHarness();
const client = clientOf(harness);
const receiver = await useReceiver();

type Changed = Record<string, string | undefined>;
const standardOnly = { 'service-signature': undefined };
const serviceOnly = { 'webhook-signature': undefined };
const headersOf = ({ headers }: Pick<Received, 'headers'>, changed: Changed = {}) => ({ ...headers, ...changed });

test('deliveries of the server are verified by each scheme, and are events by their type', async () => {
  const { number } = await makeSender(client);
  const { secret } = await client.webhookEndpoints.create({ url: receiver.url, enabled_events: ['message.received'] });
  await client.test.simulateInboundMessage({ from: '+16025550143', to: number.phone_number, body: 'Grüße 👋' });
  await receiver.arrived(1);
  const [delivery] = receiver.received as [Received];
  for (const changed of [{}, standardOnly, serviceOnly]) {
    for (const body of [delivery.body, new TextEncoder().encode(delivery.body)]) {
      const event = await webhooks.unwrap(body, headersOf(delivery, changed), secret);
      assert.equal(event.type, 'message.received');
      if (event.type === 'message.received') assert.equal(event.data.body, 'Grüße 👋');
    }
    const wrong = webhooks.unwrap(delivery.body, headersOf(delivery, changed), SECRET);
    await assert.rejects(wrong, { code: 'invalid_signature' });
  }
});

test('while a secret is rotated, a receiver with the old, the new or both accepts', async () => {
  const { number } = await makeSender(client);
  const endpoint = await client.webhookEndpoints.create({ url: receiver.url, enabled_events: ['message.received'] });
  const rotated = await client.webhookEndpoints.rotateSecret(endpoint.id);
  const before = receiver.received.length;
  const sent = await client.test.simulateInboundMessage({ from: '+16025550144', to: number.phone_number, body: 'Hi' });
  await receiver.arrived(before + 2);
  const signed = receiver.received.filter(({ event, headers }) => {
    return event.resource_id === sent.id && String(headers['service-signature']).split('v1=').length === 3;
  });
  const [delivery] = signed as [Received];
  for (const changed of [standardOnly, serviceOnly]) {
    for (const secrets of [
      endpoint.secret,
      rotated.secret,
      [endpoint.secret, rotated.secret],
      [SECRET, rotated.secret],
    ]) {
      const event = await webhooks.unwrap(delivery.body, headersOf(delivery, changed), secrets);
      assert.equal(event.resource_id, sent.id);
    }
  }
});

test('a changed body, id, time or signature is refused', async () => {
  const body = '{"type":"message.received"}';
  const headers: Changed = await webhooks.sign(body, SECRET);
  await webhooks.unwrap(body, headers, SECRET);
  const changes: [string, Changed][] = [
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': 'evt_other' }],
    [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
    [body, { ...headers, 'webhook-timestamp': '1e9' }],
    [body, { ...headers, 'webhook-signature': 'v1,' }],
    [body, { ...headers, 'webhook-signature': 'v1,%%%%' }],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,') }],
    [`${body} `, { ...headers, ...serviceOnly }],
    [body, { ...headers, ...serviceOnly, 'service-signature': headers['service-signature']?.replace(/t=\d/, 't=2') }],
    [body, { ...headers, ...serviceOnly, 'service-signature': 't=1' }],
  ];
  for (const [changedBody, changed] of changes) {
    await assert.rejects(webhooks.unwrap(changedBody, changed, SECRET), { code: 'invalid_signature' });
  }
});

test('a signature is accepted for five minutes, before and after', async () => {
  const headers = await webhooks.sign('{}', SECRET, { now: () => 1_800_000_000_000 });
  for (const changed of [standardOnly, serviceOnly]) {
    const at = (seconds: number, toleranceSeconds?: number) =>
      webhooks.unwrap('{}', { ...headers, ...changed }, SECRET, {
        now: () => (1_800_000_000 + seconds) * 1000,
        toleranceSeconds,
      });
    await at(300);
    await at(-300);
    await at(900, 1000);
    for (const seconds of [301, -301]) await assert.rejects(at(seconds), { code: 'expired_signature' });
  }
});

test('headers of fetch and of Node are read, in any case', async () => {
  const headers = await webhooks.sign('{}', SECRET);
  await webhooks.unwrap('{}', new Headers(headers), [undefined, OTHER, SECRET]);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  await webhooks.unwrap(new TextEncoder().encode('{}').buffer, upper, SECRET);
  await assert.rejects(webhooks.unwrap('{}', {}, SECRET), { code: 'missing_signature' });
});

test('a missing secret and a parsed body are refused, not accepted', async () => {
  const headers = await webhooks.sign('{}', SECRET);
  for (const secret of ['', 'whsec_', [], [SECRET, ''], undefined, [undefined], 'whsec_not base64 at all']) {
    await assert.rejects(webhooks.unwrap('{}', headers, secret), { code: 'invalid_argument' });
  }
  await assert.rejects(webhooks.unwrap({} as never, headers, SECRET), { code: 'invalid_argument' });
});
