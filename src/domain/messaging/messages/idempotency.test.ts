import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { buyNumber, useLine } from '../../../../test/support/numbers.ts';

let keys = 0;

const { harness, tenantId, number } = await useLine({ startWorkers: false });

const newKey = () => `key-${keys++}`;
const countTo = async (to: string) => {
  const rows = await sql<{ id: string }>(harness.context.db, 'select id from messages where "to" = $1', [to]);
  return rows.length;
};

test('a repeat gets the first reply, also after delivery, an opt-out and the release of the number', async () => {
  const to = newPerson();
  const own = await buyNumber(harness, tenantId);
  const once = newKey();
  const body = {
    from: own.id,
    to,
    body: 'Hi',
    metadata: { b: '1', a: '2' },
    media_urls: ['https://example.com/a.png'],
  };
  const first = await trySend(harness, body, { once });
  assert.equal(first.status, 201);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  const assertReplayed = async () => {
    const repeat = await trySend(harness, body, { once });
    assert.equal(repeat.status, 201);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal(JSON.stringify(repeat.body), JSON.stringify(first.body));
  };
  await assertReplayed();
  await harness.advance(2);
  assert.equal((await read(harness, `/messages/${first.body.id}`)).status, 'delivered');
  await assertReplayed();
  await arrive(harness, to, own.phone_number, 'STOP');
  await assertReplayed();
  await harness.call('DELETE', `/v1/phone_numbers/${own.id}`);
  await assertReplayed();
  await sql(harness.context.db, `insert into high_cost_prefixes values ('${to.slice(1)}')`);
  await assertReplayed();
  assert.equal((await outboxOf(harness, to)).filter((text) => text.body === 'Hi').length, 1);
});

test('64 concurrent repeats are one message', async () => {
  const to = newPerson();
  const once = newKey();
  const body = { from: number.id, to, body: 'Hi' };
  const replies = await Promise.all(Array.from({ length: 64 }, () => trySend(harness, body, { once })));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(replies.map((reply) => JSON.stringify(reply.body))).size, 1);
  assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  assert.equal(await countTo(to), 1);
});

test('a key used again with another body, or on another path, is refused', async () => {
  const once = newKey();
  const body = { from: number.id, to: newPerson(), body: 'Hi' };
  await trySend(harness, body, { once });
  const expected = [422, 'idempotency_key_reuse', 'Idempotency-Key'];
  assert.deepEqual(refusal(await trySend(harness, { ...body, body: 'Ho' }, { once })), expected);
  assert.deepEqual(refusal(await trySend(harness, { ...body, from: 'num_nobody' }, { once })), expected);
  // Malformed fields are refused before the key is looked up.
  for (const [bad, code, param] of [
    [{ body: '' }, 'empty_message', 'body'],
    [{ body: 'x'.repeat(1_601) }, 'body_too_long', 'body'],
    [{ to: 'nobody' }, 'invalid_to', 'to'],
    [{ media_urls: ['https://nas.local/a'] }, 'invalid_body', 'media_urls[0]'],
    [{ media_urls: 'https://example.com/a' }, 'invalid_body', 'media_urls'],
  ] as const) {
    assert.deepEqual(refusal(await trySend(harness, { ...body, ...bad }, { once })), [400, code, param]);
  }
  const tenant = { body: { name: 'T' }, headers: { 'idempotency-key': once } };
  assert.deepEqual(refusal(await harness.call('POST', '/v1/tenants', tenant)), expected);
  assert.equal(await countTo(body.to), 1);
});

test('a refusal is not stored: the key can be used for the corrected send', async () => {
  const once = newKey();
  const to = newPerson();
  assert.equal((await trySend(harness, { from: 'num_nobody', to, body: 'Hi' }, { once })).status, 404);
  assert.equal((await trySend(harness, { from: number.id, to, body: 'Hi' }, { once })).status, 201);
});

test('a key is valid for 24 hours of ledger time', async () => {
  const once = newKey();
  const body = { from: number.id, to: newPerson(), body: 'Hi' };
  const first = await trySend(harness, body, { once });
  await harness.advance(86_400 - 60);
  assert.equal((await trySend(harness, body, { once })).body.id, first.body.id);
  await harness.advance(120);
  const anew = await trySend(harness, body, { once });
  assert.equal(anew.status, 201);
  assert.notEqual(anew.body.id, first.body.id);
  assert.equal(anew.headers.get('idempotent-replayed'), null);
  assert.equal((await trySend(harness, body, { once })).body.id, anew.body.id);
});

test("idempotency keys of a tenant's API key, of another account and of the account are separate", async () => {
  const once = newKey();
  const to = newPerson();
  const body = { from: number.id, to, body: 'Hi' };
  const key = await harness.tenantKey(tenantId);
  const first = await trySend(harness, body, { once });
  const second = await trySend(harness, body, { once, key });
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.notEqual(first.body.id, second.body.id);
  const stranger = (await harness.secondAccount()).test_key;
  assert.equal((await trySend(harness, body, { once, key: stranger })).body.error.code, 'from_number_not_found');
});

test('sends with and without keys share a batch, each with its own result', async () => {
  const people = Array.from({ length: 40 }, newPerson);
  const once = newKey();
  const taken = { from: number.id, to: newPerson(), body: 'Taken' };
  const original = await trySend(harness, taken, { once });
  const [again, ...replies] = await Promise.all([
    trySend(harness, taken, { once }),
    ...people.map((to, index) =>
      trySend(harness, { from: number.id, to, body: 'Hi' }, index % 2 === 0 ? { once: `together-${index}` } : {}),
    ),
  ]);
  assert.equal(again.body.id, original.body.id);
  assert.deepEqual(
    replies.map(({ status, body }) => [status, body.to]),
    people.map((to) => [201, to]),
  );
  for (const to of people) assert.equal(await countTo(to), 1);
});

test('a key of over 255 characters, or an empty one, is refused', async () => {
  const body = { from: number.id, to: newPerson(), body: 'Hi' };
  assert.deepEqual(refusal(await trySend(harness, body, { once: 'k'.repeat(256) })), [
    400,
    'invalid_body',
    'Idempotency-Key',
  ]);
  assert.equal((await trySend(harness, body, { once: 'k'.repeat(255) })).status, 201);
});
