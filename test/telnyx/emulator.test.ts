import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { time } from '../support/emulator-time.ts';
import type { Received } from '../support/receiver.ts';
import { type Answer, useTelnyxApi } from './telnyx-api.ts';

const { telnyx, receiver, control, call } = await useTelnyxApi();

const PERSON = '+13035550142';

/** Returns the numbers that a search offers. */
async function search(areaCode = '303'): Promise<string[]> {
  const { data } = await call('GET', `/available_phone_numbers?filter[national_destination_code]=${areaCode}`);
  return (data as { phone_number: string }[]).map((each) => each.phone_number);
}

/** Buys a number in a new messaging profile. */
async function buy(areaCode?: string): Promise<{ profileId: string; number: string }> {
  const profile = { name: 'acme', whitelisted_destinations: ['US'], webhook_url: receiver.url };
  const { id } = (await call('POST', '/messaging_profiles', profile)).data as { id: string };
  const [number = ''] = await search(areaCode);
  await call('POST', '/number_orders', { phone_numbers: [{ phone_number: number }], messaging_profile_id: id });
  return { profileId: id, number };
}

function send(from: string, more: object = {}): Promise<Answer> {
  return call('POST', '/messages', { from, to: PERSON, text: 'Hello', webhook_url: receiver.url, ...more });
}

type TelnyxEvent = {
  readonly id: string;
  readonly event_type: string;
  readonly payload: {
    readonly id: string;
    readonly to: readonly { readonly status: string }[];
    readonly errors: readonly { readonly code: string }[];
    readonly autoresponse_type?: string;
    readonly media: readonly { readonly url: string }[];
  };
};

function eventOf({ body }: Received): TelnyxEvent {
  return JSON.parse(body).data;
}

/** Waits until nothing is under way, and returns the events that arrived. */
async function events(): Promise<TelnyxEvent[]> {
  await control.settled({});
  return receiver.received.map(eventOf);
}

test('a text is queued, sent and delivered, and its own address hears of it', async () => {
  const { number } = await buy();
  const url = `${receiver.url}/msg_1`;
  const sent = await send(number, { webhook_url: url, use_profile_webhooks: false });
  const { id, parts, to } = sent.data as { id: string; parts: number; to: { status: string }[] };
  assert.deepEqual([sent.status, parts, to[0]?.status], [200, 1, 'queued']);
  assert.ok(sent.headers.get('x-request-id'));
  const seen = (await events()).map(({ event_type, payload }) => [event_type, payload.id, payload.to[0]?.status]);
  assert.deepEqual(seen, [
    ['message.sent', id, 'sent'],
    ['message.finalized', id, 'delivered'],
  ]);
  const posted = await control.webhooks({});
  assert.deepEqual(
    posted.map((each) => [each.url, each.status, each.attempt]),
    [
      [url, 200, 1],
      [url, 200, 1],
    ],
  );
  const { data } = await call('GET', `/messages/${id}`);
  assert.equal((data as { to: { status: string }[] }).to[0]?.status, 'delivered');
  const handset = await control.handset({ phoneNumber: PERSON });
  assert.deepEqual(
    handset.map((text) => [text.from, text.text, text.message_id]),
    [[number, 'Hello', id]],
  );
});

test('a webhook is signed over its time stamp and its body', async () => {
  const { number } = await buy();
  await control.textIn({ from: PERSON, to: number, text: 'Hi' });
  await events();
  const [{ headers, body } = assert.fail('nothing arrived')] = receiver.received;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(telnyx.publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const signature = Buffer.from(`${headers['telnyx-signature-ed25519']}`, 'base64');
  const isSigned = (text: string) =>
    verify(null, Buffer.from(`${headers['telnyx-timestamp']}|${text}`), key, signature);
  assert.equal(isSigned(body), true);
  assert.equal(isSigned(body.replace('Hi', 'Ho')), false);
  assert.ok(Math.abs(Number(headers['telnyx-timestamp']) - time.now() / 1000) < 10);
});

test('a webhook is posted three times to each address until one takes it', async () => {
  const { number } = await buy();
  receiver.answer({ status: 404 });
  const backup = `${receiver.url}/backup`;
  await send(number, { to: '+13035549004', webhook_failover_url: backup, use_profile_webhooks: false });
  const ids = (await events()).map(({ id }) => id);
  assert.equal(new Set(ids).size, 1);
  const urls = (await control.webhooks({})).map(({ url, attempt }) => [url, attempt]);
  assert.deepEqual(
    urls,
    [receiver.url, backup].flatMap((url) => [1, 2, 3].map((attempt) => [url, attempt])),
  );
});

test('the number that a text is sent to decides what becomes of it', async () => {
  const { number } = await buy();
  assert.equal((await send(number, { to: '+13035540310' })).code, '40310');
  const ends = { '49001': 'sending_failed 40008', '49002': 'delivery_unconfirmed', '49003': 'expired' };
  for (const [digits, end] of Object.entries({ ...ends, '40002': 'delivery_failed 40002' })) {
    receiver.received.length = 0;
    await send(number, { to: `+130355${digits}` });
    const last = (await events()).at(-1)?.payload;
    assert.equal([last?.to[0]?.status, ...(last?.errors ?? []).map(({ code }) => code)].join(' '), end);
  }
});

test('a text that cannot be sent is refused by its code', async () => {
  const { number } = await buy();
  const codes = [
    (await send('+13035550100')).code,
    (await send(number, { to: '3035550142' })).code,
    (await send(number, { text: '' })).code,
    (await send(number, { text: 'x'.repeat(1531) })).code,
    (await send(number, { text: '🙂'.repeat(336) })).code,
    (await send(number, { to: '+442079460018' })).code,
  ];
  assert.deepEqual(codes, ['40305', '40310', '40316', '40302', '40302', '40309']);
  const { parts } = (await send(number, { text: 'x'.repeat(1530) })).data as { parts: number };
  assert.equal(parts, 10);
});

test('STOP blocks the whole profile until START, and Telnyx itself answers', async () => {
  const { number, profileId } = await buy();
  await control.textIn({ from: PERSON, to: number, text: ' Stop ' });
  assert.deepEqual(
    (await events()).map(({ payload }) => payload.autoresponse_type),
    ['STOP'],
  );
  const refused = await send(number);
  assert.deepEqual([refused.status, refused.code], [403, '40300']);
  const blocked = await call('GET', `/messaging_optouts?filter[messaging_profile_id]=${profileId}`);
  assert.deepEqual(
    (blocked.data as { to: string; keyword: string }[]).map(({ to, keyword }) => [to, keyword]),
    [[PERSON, 'STOP']],
  );
  await control.textIn({ from: PERSON, to: number, text: 'please stop' });
  await control.textIn({ from: PERSON, to: number, text: 'START' });
  assert.deepEqual(
    (await events()).map(({ payload }) => payload.autoresponse_type),
    ['STOP', undefined, 'START'],
  );
  assert.equal((await send(number)).status, 200);
  assert.equal((await control.handset({ phoneNumber: PERSON })).filter((text) => text.message_id === null).length, 2);
});

test('the files of an inbound text can be fetched for a while', async () => {
  const { number } = await buy();
  const media = [{ contentType: 'image/png', base64: Buffer.from('picture').toString('base64') }];
  await control.textIn({ from: PERSON, to: number, text: '', media });
  await control.set({ mediaLifeMs: -1 });
  await control.textIn({ from: PERSON, to: number, text: '', media });
  await control.set({ mediaLifeMs: 60_000 });
  const files = (await events()).map(({ payload }) => `${payload.media[0]?.url}`);
  const [fresh, expired] = await Promise.all(files.map((url) => fetch(url)));
  assert.deepEqual(
    [fresh?.status, fresh?.headers.get('content-type'), await fresh?.text()],
    [200, 'image/png', 'picture'],
  );
  assert.equal(expired?.status, 403);
});

test('a number is sold once, and only after a search has offered it', async () => {
  const order = (number: string) =>
    call('POST', '/number_orders', { phone_numbers: [{ phone_number: number }], customer_reference: 'pn_1' });
  const [number = ''] = await search();
  assert.equal((await order('+13035550100')).code, '85000');
  const answers = await Promise.all([order(number), order(number), order(number)]);
  assert.deepEqual(answers.map(({ code }) => code ?? 'sold').sort(), ['85001', '85001', 'sold']);
  const orders = await call('GET', '/number_orders?filter[customer_reference]=pn_1');
  assert.equal((orders.data as unknown[]).length, 1);
  assert.ok(!(await search()).includes(number));
});

test('an order is pending as long as a control keeps it so', async () => {
  await control.pendOrders({ pend: true });
  const [number = ''] = await search();
  const placed = await call('POST', '/number_orders', { phone_numbers: [{ phone_number: number }] });
  const { id, status } = placed.data as { id: string; status: string };
  assert.equal(status, 'pending');
  const statusOf = async () => {
    const { data } = await call('GET', `/phone_numbers?filter[phone_number]=${encodeURIComponent(number)}`);
    return (data as { status: string }[])[0]?.status;
  };
  assert.equal(await statusOf(), 'purchase-pending');
  await control.completeOrder({ id, status: 'success' });
  assert.equal(await statusOf(), 'active');
});

test('a locked number is not released, a released one is gone', async () => {
  const { number } = await buy();
  const { data } = await call('GET', `/phone_numbers?filter[phone_number]=${encodeURIComponent(number)}`);
  const [{ id } = assert.fail('the number is missing')] = data as { id: string }[];
  await control.setNumber({ phoneNumber: number, deletionLock: true });
  assert.equal((await call('DELETE', `/phone_numbers/${id}`)).status, 422);
  await control.setNumber({ phoneNumber: number, deletionLock: false });
  assert.equal((await call('DELETE', `/phone_numbers/${id}`)).status, 200);
  assert.equal((await call('GET', `/phone_numbers/${id}`)).code, '10005');
  assert.equal((await send(number)).code, '40305');
});

test('a wrong key, an unknown field and an unknown filter are refused', async () => {
  const wrong = await fetch(`${telnyx.url}/messaging_profiles`, { headers: { authorization: 'Bearer no' } });
  assert.equal(wrong.status, 401);
  const { errors } = (await wrong.json()) as { errors: { code: string }[] };
  assert.equal(errors[0]?.code, '10009');
  assert.equal((await send('+13035550100', { client_ref: 'x' })).status, 422);
  assert.equal((await call('GET', '/phone_numbers?filter[color]=red')).status, 422);
});

test('500 and 429 are not carried out', async () => {
  const { number } = await buy();
  const rules = [
    { request: 'POST /messages', is: '500', times: 1 },
    { request: 'POST /messages', is: '429', times: 1, retryAfterS: 3 },
  ] as const;
  await control.faults({ rules });
  assert.equal((await send(number)).status, 500);
  const limited = await send(number);
  assert.deepEqual([limited.status, limited.code, limited.headers.get('x-ratelimit-reset')], [429, '10011', '3']);
  assert.deepEqual(await control.requests({ operation: 'POST /messages' }), []);
  assert.equal((await send(number)).status, 200);
  assert.equal(await control.struck({}), 2);
});

test('a request without an answer may have been carried out', async () => {
  const { number } = await buy();
  const carriedOut = async (is: 'timeout_before_acceptance' | 'timeout_after_acceptance' | 'malformed') => {
    await control.faults({ rules: [{ request: 'POST /messages', is, times: 1 }] });
    const before = (await control.requests({ operation: 'POST /messages' })).length;
    const error = is === 'malformed' ? SyntaxError : { name: 'TimeoutError' };
    await assert.rejects(call('POST', '/messages', { from: number, to: PERSON, text: 'Hello' }, 500), error);
    return (await control.requests({ operation: 'POST /messages' })).length - before;
  };
  assert.equal(await carriedOut('timeout_before_acceptance'), 0);
  assert.equal(await carriedOut('timeout_after_acceptance'), 1);
  assert.equal(await carriedOut('malformed'), 1);
});

test('webhooks are doubled, overtaken, lost and cut by faults', async () => {
  const { number } = await buy();
  const seen = async (is: 'duplicate' | 'disorder' | 'late' | 'lost' | 'malformed') => {
    receiver.received.length = 0;
    await control.faults({ rules: [{ webhook: 'message.sent', is, times: 1, delayMs: 100 }] });
    await send(number, { use_profile_webhooks: false });
    return (await events()).map(({ event_type }) => event_type.slice('message.'.length));
  };
  assert.deepEqual(await seen('duplicate'), ['sent', 'sent', 'finalized']);
  assert.deepEqual(await seen('disorder'), ['finalized', 'sent']);
  assert.deepEqual(await seen('late'), ['sent', 'finalized']);
  assert.deepEqual(await seen('lost'), ['finalized']);
  assert.deepEqual(await seen('malformed'), ['sent', 'finalized']);
  assert.equal((await control.webhooks({})).filter(({ isWhole }) => !isWhole).length, 1);
  const [last = assert.fail('nothing arrived')] = (await events()).slice(-1);
  assert.equal(await control.repeatWebhook({ id: last.id }), true);
  assert.deepEqual((await events()).filter(({ id }) => id === last.id).length, 2);
});

test('a watched request is reported although its reply never comes', async () => {
  const { number } = await buy();
  await control.faults({ rules: [{ request: 'POST /messages', is: 'timeout_after_acceptance' }] });
  let hasCome: boolean | undefined;
  const watched = control.nextRequest({ operation: 'POST /messages', withinMs: 5_000 }).then((come) => {
    hasCome = come;
  });
  // The first text may arrive before the emulator watches.
  const text = { from: number, to: PERSON, text: 'Hello' };
  while (hasCome === undefined) await assert.rejects(call('POST', '/messages', text, 100), { name: 'TimeoutError' });
  await watched;
  assert.equal(hasCome, true);
  assert.equal(await control.nextRequest({ operation: 'DELETE /phone_numbers/{id}', withinMs: 1 }), false);
});

test('a toll-free number calls, and texts neither by itself nor under a campaign', async () => {
  const { number } = await buy('844');
  const sent = await send(number);
  assert.deepEqual([sent.status, sent.code], [400, '40329']);
  const assignment = { phoneNumber: number, campaignId: 'C1' };
  const { status, body } = await call('POST', '/10dlc/phone_number_campaigns', assignment);
  const { detail } = body as { readonly detail: readonly { readonly loc: readonly string[] }[] };
  assert.deepEqual([status, detail[0]?.loc], [422, ['body', 'phoneNumber']]);
});
