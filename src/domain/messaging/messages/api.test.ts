import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../test/support/jobs.ts';
import {
  arrive,
  countEverything,
  newPerson,
  read,
  refusal,
  sendText,
  trySend,
} from '../../../../test/support/messages.ts';
import { buyNumber, makeTenant, useLine } from '../../../../test/support/numbers.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });

/** Asserts that the send is refused in this way and changes nothing, and that the check returns the same error. */
async function assertRefused(body: object, expected: [number, string, string | undefined], key?: string) {
  const before = await countEverything(harness);
  const reply = await trySend(harness, body, key === undefined ? {} : { key });
  assert.deepEqual(refusal(reply), expected, JSON.stringify(reply.body));
  const check = await harness.call('POST', '/v1/messages/check', { body, ...(key && { key }) });
  if (check.status === 200) {
    assert.equal(check.body.accepted, false);
    const request_id = check.headers.get('request-id');
    assert.deepEqual(check.body.error, { ...reply.body.error, request_id });
  } else {
    assert.deepEqual(refusal(check), expected);
  }
  assert.deepEqual(await countEverything(harness), before);
}

test('a send is answered with the complete queued message', async () => {
  const to = newPerson();
  const metadata = { order: '17', z: 'last', a: 'first' };
  const reply = await trySend(harness, { from: number.id, to, body: 'Hello', metadata });
  assert.equal(reply.status, 201);
  const { id, conversation_id, created_at, ...rest } = reply.body;
  assert.match(id, /^msg_/);
  assert.match(conversation_id, /^cnv_/);
  assert.deepEqual(rest, {
    object: 'message',
    tenant_id: tenantId,
    direction: 'outbound',
    from: number.phone_number,
    to,
    group: false,
    other_recipients: [],
    body: 'Hello',
    media: [],
    redacted_at: null,
    status: 'queued',
    error_code: null,
    error_detail: null,
    segments: 1,
    metadata,
    send_at: null,
    status_history: [{ status: 'queued', at: created_at }],
  });
  assert.deepEqual(await read(harness, `/messages/${id}`), reply.body);
  assert.deepEqual(Object.keys(reply.body.metadata), ['order', 'z', 'a']);
});

test('the sender may be named by its E.164 number', async () => {
  const message = await sendText(harness, number.phone_number, newPerson());
  assert.equal(message.from, number.phone_number);
  assert.equal(message.tenant_id, tenantId);
});

test('sends from one number to one person share a conversation; other numbers have separate ones', async () => {
  const other = await buyNumber(harness, tenantId);
  const to = newPerson();
  const [first, second, third] = [
    await sendText(harness, number.id, to),
    await sendText(harness, number.phone_number, to),
    await sendText(harness, other.id, to),
  ];
  assert.equal(first.conversation_id, second.conversation_id);
  assert.notEqual(first.conversation_id, third.conversation_id);
});

test('the errors of a draft come in the documented order', async () => {
  const from = 'num_nobody';
  const long = 'x'.repeat(1601);
  const bad = ['http://10.0.0.1/a.png'];
  await assertRefused({ from, to: 'nonsense' }, [400, 'empty_message', 'body']);
  await assertRefused({ from, to: 'nonsense', body: ' \n ' }, [400, 'empty_message', 'body']);
  await assertRefused({ from, to: 'nonsense', body: '', media_urls: [] }, [400, 'empty_message', 'body']);
  await assertRefused({ from, to: 'nonsense', body: long, media_urls: bad }, [400, 'body_too_long', 'body']);
  await assertRefused({ from, to: 'nonsense', body: 'Hi', media_urls: bad }, [400, 'invalid_body', 'media_urls[0]']);
  for (const to of ['nonsense', '6025550143', '+0602555014', '+11235550143', '+16021550143', '+16025550143x']) {
    await assertRefused({ from, to, body: 'Hi' }, [400, 'invalid_to', 'to']);
  }
  await assertRefused({ from, to: newPerson(), body: 'Hi' }, [404, 'from_number_not_found', 'from']);
});

test('errors about the sending number come before destination_not_supported', async () => {
  const to = number.phone_number;
  await assertRefused({ from: 'num_nobody', to, body: 'Hi' }, [404, 'from_number_not_found', 'from']);
  await assertRefused({ from: 'x'.repeat(101), to, body: 'Hi' }, [404, 'from_number_not_found', 'from']);
  await assertRefused({ from: number.id, to, body: 'Hi' }, [400, 'invalid_to', 'to']);
});

test('premium numbers are closed to test calls but accept test texts', async () => {
  for (const to of ['+16054551234', '+19005550123']) {
    assert.equal((await trySend(harness, { from: number.id, to, body: 'Hi' })).status, 201, to);
    const check = await harness.call('POST', '/v1/messages/check', { body: { from: number.id, to, body: 'Hi' } });
    assert.equal(check.body.accepted, true, to);
  }
});

test('a voice-only number cannot text', async () => {
  const offer = await read(harness, '/phone_numbers/available?area_code=602&contains=0000&limit=20');
  const voice = offer.data.find((each: { phone_number: string }) => each.phone_number.endsWith('0000'));
  const bought = await harness.call('POST', '/v1/phone_numbers', {
    body: { tenant_id: tenantId, phone_number: voice.phone_number },
  });
  assert.deepEqual(bought.body.capabilities, ['voice']);
  await assertRefused({ from: bought.body.id, to: newPerson(), body: 'Hi' }, [422, 'number_not_sms_capable', 'from']);
});

test('an opted-out recipient is refused for every number of the tenant', async () => {
  const person = newPerson();
  const other = await buyNumber(harness, tenantId);
  await arrive(harness, person, number.phone_number, 'STOP');
  for (const from of [number.id, number.phone_number, other.id]) {
    await assertRefused({ from, to: person, body: 'Hi' }, [422, 'recipient_opted_out', 'to']);
  }
});

test('a released number cannot send, by id or by E.164', async () => {
  const released = await buyNumber(harness, tenantId);
  await harness.call('DELETE', `/v1/phone_numbers/${released.id}`);
  for (const from of [released.id, released.phone_number]) {
    await assertRefused({ from, to: newPerson(), body: 'Hi' }, [404, 'from_number_not_found', 'from']);
  }
});

test("another account's number is not found; another tenant's is refused for a tenant's key", async () => {
  const other = await makeTenant(harness);
  const key = await harness.tenantKey(other);
  await assertRefused({ from: number.id, to: newPerson(), body: 'Hi' }, [403, 'tenant_restricted_key', 'from'], key);
  const stranger = (await harness.secondAccount()).test_key;
  const wanted = { from: number.phone_number, to: newPerson(), body: 'Hi' };
  await assertRefused(wanted, [404, 'from_number_not_found', 'from'], stranger);
  const own = await harness.tenantKey(tenantId);
  assert.equal((await trySend(harness, wanted, { key: own })).status, 201);
});

test('a schema error names the field', async () => {
  const good = { from: number.id, to: newPerson(), body: 'Hi' };
  const urls = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}.png`);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v']));
  await assertRefused({ body: 'Hi' }, [400, 'missing_fields', 'from']);
  await assertRefused({ ...good, to: ' ' }, [400, 'missing_fields', 'to']);
  await assertRefused({ ...good, to: 16025550143 }, [400, 'invalid_to', 'to']);
  await assertRefused({ ...good, to: '+'.padEnd(101, '1') }, [400, 'invalid_to', 'to']);
  await assertRefused({ ...good, body: 7 }, [400, 'invalid_body', 'body']);
  await assertRefused({ ...good, media: [] }, [400, 'invalid_body', 'media']);
  await assertRefused({ ...good, media_urls: urls }, [400, 'invalid_body', 'media_urls']);
  await assertRefused({ ...good, media_urls: ['not a url'] }, [400, 'invalid_body', 'media_urls[0]']);
  await assertRefused({ ...good, metadata: { n: 1 } }, [400, 'invalid_body', 'metadata.n']);
  await assertRefused({ ...good, metadata: many }, [400, 'invalid_body', 'metadata']);
});

test('text that cannot be stored unchanged is refused', async () => {
  for (const body of ['a\0b', 'half a pair: \ud83d']) {
    await assertRefused({ from: number.id, to: newPerson(), body }, [400, 'invalid_body', 'body']);
  }
});

test('a number cannot text itself, by id or by E.164', async () => {
  for (const from of [number.id, number.phone_number]) {
    await assertRefused({ from, to: number.phone_number, body: 'Hi' }, [400, 'invalid_to', 'to']);
  }
  const self = await trySend(harness, { from: number.id, to: number.phone_number, body: 'Hi' });
  assert.equal(self.body.error.message, 'A number cannot text itself.');
  const other = await buyNumber(harness, tenantId);
  assert.equal((await trySend(harness, { from: number.id, to: other.phone_number, body: 'Hi' })).status, 201);
});

test('an error about the scheme of a media address names the accepted one', async () => {
  for (const url of ['ftp://example.com/a.png', 'http://example.com/a.png']) {
    const reply = await trySend(harness, { from: number.id, to: newPerson(), media_urls: [url] });
    assert.equal(reply.body.error.message, '"media_urls[0]" cannot be fetched: The URL must begin with https://.');
  }
});

test('media must be at public addresses, even if local webhooks are allowed', async () => {
  const wanted = (url: string) => ({
    from: number.id,
    to: newPerson(),
    media_urls: ['https://example.com/a.png', url],
  });
  for (const url of [
    'http://10.0.0.1/a.png',
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest',
    'https://[fd00::1]/a.png',
    'https://167772161/a.png',
    'ftp://example.com/a.png',
    'https://files/a.png',
    'http://files.internal/a.png',
    'https://nas.local/a.png',
    'https://nas.home.arpa/a.png',
    'http://localhost:8080/a.png',
    'https://127.0.0.1/a.png',
    'https://2130706433/a.png',
    'https://[::1]/a.png',
  ]) {
    await assertRefused(wanted(url), [400, 'invalid_body', 'media_urls[1]']);
  }
});

test('media without a body is a message of one segment', async () => {
  const media_urls = ['https://example.com/a.PNG?x=1', 'https://example.com/card.vcf', 'https://example.com/what'];
  const reply = await trySend(harness, { from: number.id, to: newPerson(), media_urls, body: '€'.repeat(400) });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  assert.equal(reply.body.segments, 1);
  assert.deepEqual(
    reply.body.media,
    media_urls.map((url, index) => ({ url, content_type: ['image/png', 'text/vcard', null][index] })),
  );
  const alone = await trySend(harness, { from: number.id, to: newPerson(), media_urls });
  assert.deepEqual([alone.status, alone.body.body, alone.body.segments], [201, '', 1]);
});

test('send and check count the same segments', async () => {
  for (const [body, segments, encoding] of [
    ['x'.repeat(160), 1, 'gsm7'],
    [`€${'x'.repeat(159)}`, 2, 'gsm7'],
    [']'.repeat(153), 3, 'gsm7'],
    ['😀'.repeat(35), 1, 'ucs2'],
    ['😀'.repeat(36), 2, 'ucs2'],
    ['😀'.repeat(1600), 49, 'ucs2'],
  ] as const) {
    const wanted = { from: number.id, to: newPerson(), body };
    const check = await harness.call('POST', '/v1/messages/check', { body: wanted });
    assert.deepEqual(check.body, { accepted: true, segments, encoding, send_at: null, error: null });
    assert.equal((await trySend(harness, wanted)).body.segments, segments);
  }
});

test('a check that passes changes nothing', async () => {
  const before = await countEverything(harness);
  const body = { from: number.id, to: newPerson(), body: 'Hi' };
  assert.equal((await harness.call('POST', '/v1/messages/check', { body })).body.accepted, true);
  assert.deepEqual(await countEverything(harness), before);
});

test('a live key without a carrier gets carrier_unavailable, for sends and checks', async () => {
  const key = harness.account.live_key;
  const live = await harness.call('POST', '/v1/tenants', { key, body: { name: 'Live' } });
  await sql(
    harness.context.db,
    `insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at)
     select ledger_id, 'num_live', id, '+16025550100', 'active', '{sms}', now() from tenants where id = $1`,
    [live.body.id],
  );
  for (const path of ['/v1/messages', '/v1/messages/check']) {
    const body = { from: 'num_live', to: newPerson(), body: 'Hi' };
    const reply = await harness.call('POST', path, { key, body });
    assert.deepEqual(refusal(reply), [503, 'carrier_unavailable', undefined]);
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
});

test("a message of another account or mode is not found, and another tenant's is refused", async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  const other = await harness.tenantKey(await makeTenant(harness));
  for (const [key, code] of [
    [harness.account.live_key, 'message_not_found'],
    [(await harness.secondAccount()).test_key, 'message_not_found'],
    [other, 'tenant_restricted_key'],
  ] as const) {
    assert.equal((await harness.call('GET', `/v1/messages/${id}`, { key })).body.error.code, code);
  }
});
