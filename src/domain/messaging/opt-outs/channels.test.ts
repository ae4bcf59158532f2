/** The refusals after an opt-out of texts, of calls or of both, and the change of one into another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { arrive, newPerson, outboxOf, read, refusal, sendText, trySend } from '../../../../test/support/messages.ts';
import { eventsOf, useLine } from '../../../../test/support/numbers.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });

const BOTH = ['text', 'call'];
const create = (external_number: string, more: object = {}) =>
  harness.call('POST', '/v1/opt_outs', { body: { tenant_id: tenantId, external_number, ...more } });
const say = (person: string, body: string) => arrive(harness, person, number.phone_number, body);
const find = async (person: string): Promise<Json> =>
  (await read(harness, `/opt_outs?external_number=${encodeURIComponent(person)}`)).data[0];
const sendStatus = async (to: string) => (await trySend(harness, { from: number.id, to, body: 'Hello' })).status;

test('an opt-out is of both channels unless the API names one', async () => {
  const people = [newPerson(), newPerson(), newPerson(), newPerson()] as const;
  await say(people[0], 'STOP');
  await say(people[1], 'stop texting me');
  await create(people[2]);
  await create(people[3], { source: 'import' });
  for (const person of people) assert.deepEqual((await find(person)).channels, BOTH);
  for (const channel of BOTH) {
    const person = newPerson();
    assert.deepEqual((await create(person, { channels: [channel] })).body.channels, [channel]);
    assert.deepEqual((await find(person)).channels, [channel]);
  }
  assert.deepEqual((await create(newPerson(), { channels: ['call', 'text'] })).body.channels, BOTH);
});

test('an opt-out of calls alone refuses no text: at once, paced, scheduled, and in the flag of the conversation', async () => {
  const person = newPerson();
  const { conversation_id } = await sendText(harness, number.id, person);
  await create(person, { channels: ['call'] });
  assert.equal((await read(harness, `/conversations/${conversation_id}`)).opted_out, false);
  const flagged = await read(harness, `/conversations?opted_out=true&external_number=${encodeURIComponent(person)}`);
  assert.deepEqual(flagged.data, []);
  assert.equal(await sendStatus(person), 201);
  const later = new Date(Date.parse((await read(harness, '/test/clock')).now) + 120_000).toISOString();
  const body = { from: number.id, to: person, body: 'Later', send_at: later };
  assert.equal((await trySend(harness, body)).status, 201);
  await harness.advance(180);
  assert.deepEqual(
    (await outboxOf(harness, person)).map((text) => text.body),
    ['Later', 'Hello', 'Hello'],
  );
});

test('an opt-out of texts refuses the texts that wait when it is made', async () => {
  const person = newPerson();
  const text = await sendText(harness, number.id, person);
  await create(person, { channels: ['text'] });
  await harness.advance(2);
  assert.equal((await read(harness, `/messages/${text.id}`)).error_code, 'recipient_opted_out');
});

test('the API adds a channel to an opt-out, once and with an event; it takes none away', async () => {
  const person = newPerson();
  await create(person, { channels: ['call'] });
  assert.equal(await sendStatus(person), 201);
  const both = await create(person, { channels: ['text'] });
  assert.deepEqual([both.status, both.body.channels, both.body.source], [201, BOTH, 'api']);
  assert.equal(await sendStatus(person), 422);
  const again = await create(person, { channels: ['text'] });
  assert.deepEqual(again.body, both.body);
  const events = await eventsOf(harness, `${tenantId}:${person}`);
  assert.deepEqual(
    events.map(({ type, data }) => [type, (data as Json).channels]),
    [
      ['opt_out.created', ['call']],
      ['opt_out.created', BOTH],
    ],
  );
});

test('a refusal names the channel that the person has opted out of', async () => {
  const [reader, listener] = [newPerson(), newPerson()];
  await create(reader, { channels: ['text'] });
  await create(listener, { channels: ['call'] });
  const text = { from: number.id, to: reader, body: 'Hello' };
  const call = { from: number.id, to: listener, connect_to: 'application' };
  for (const [path, body, message] of [
    ['messages', text, 'The recipient has opted out of texts from this tenant.'],
    ['calls', call, /^The recipient has opted out of calls where software speaks, from this tenant\./],
  ] as const) {
    const { status, body: refused } = await harness.call('POST', `/v1/${path}`, { body });
    assert.deepEqual([status, refused.error.code], [422, 'recipient_opted_out']);
    assert.match(refused.error.message, new RegExp(message));
    const { body: checked } = await harness.call('POST', `/v1/${path}/check`, { body });
    assert.equal(checked.error.message, refused.error.message);
  }
});

test('a STOP after an opt-out of calls is of both and is confirmed; START lifts both', async () => {
  const person = newPerson();
  await create(person, { channels: ['call'] });
  await say(person, 'STOP');
  const { source, channels } = await find(person);
  assert.deepEqual([source, channels], ['stop_keyword', BOTH]);
  await say(person, 'START');
  assert.equal(await find(person), undefined);
  await harness.advance(2);
  assert.equal((await outboxOf(harness, person)).length, 2);
});

test('no channel, one twice, an unknown one and an import of one are refused, and nothing is stored', async () => {
  const person = newPerson();
  for (const [more, param] of [
    [{ channels: [] }, 'channels'],
    [{ channels: ['call', 'call'] }, 'channels'],
    [{ channels: ['fax'] }, 'channels[0]'],
    [{ channels: ['call'], source: 'import' }, 'channels'],
  ] as const) {
    assert.deepEqual(refusal(await create(person, more)), [400, 'invalid_body', param], JSON.stringify(more));
  }
  assert.equal(await find(person), undefined);
});
