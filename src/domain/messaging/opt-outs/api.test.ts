import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { arrive, newPerson, outboxOf, read, refusal, sendText, trySend } from '../../../../test/support/messages.ts';
import { buyNumber, eventsOf, makeLine, useLine } from '../../../../test/support/numbers.ts';
import { writeCursor } from '../../../http/schemas/pagination.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });

const say = (person: string, body: string) => arrive(harness, person, number.phone_number, body);
const optOutsOf = async (person: string, tenant = tenantId): Promise<Json[]> =>
  (await read(harness, `/opt_outs?tenant_id=${tenant}&limit=100`)).data.filter(
    (each: Json) => each.external_number === person,
  );
const eventsAbout = async (person: string, tenant = tenantId) => eventsOf(harness, `${tenant}:${person}`);
const sendCode = async (person: string, from = number.id) => {
  const reply = await trySend(harness, { from, to: person, body: 'Hello' });
  return reply.status === 201 ? 'accepted' : reply.body.error.code;
};
const create = (body: object) => harness.call('POST', '/v1/opt_outs', { body: { tenant_id: tenantId, ...body } });
const lift = (person: string, query = `?tenant_id=${tenantId}`) =>
  harness.call('DELETE', `/v1/opt_outs/${encodeURIComponent(person)}${query}`);

async function repliesTo(person: string): Promise<string[]> {
  await harness.advance(2);
  return (await outboxOf(harness, person)).map((text) => text.body);
}

test('every keyword stops texts and is confirmed once', async () => {
  for (const keyword of [
    ...['STOP', 'StopAll', 'stop all', 'UNSUBSCRIBE', 'Cancel.', 'END', 'quit!', 'REVOKE', 'OPTOUT', 'opt out'],
    ...['OPT-OUT', 'Remove', 'ARRET', 'arrêt', ' stop \n', 'S T O P', 's. t. o. p.'],
  ]) {
    const person = newPerson();
    const text = await say(person, keyword);
    assert.deepEqual([text.direction, text.status, text.body], ['inbound', 'received', keyword]);
    assert.deepEqual(
      (await optOutsOf(person)).map(({ source }) => source),
      ['stop_keyword'],
      keyword,
    );
    assert.equal(await sendCode(person), 'recipient_opted_out');
    assert.equal((await repliesTo(person)).length, 1);
  }
});

test('an explicit request in words is a stop_phrase', async () => {
  for (const phrase of [
    ...['stop texting me', 'Do not text me!', 'please unsubscribe me', 'Remove me from your list', 'opt me out'],
  ]) {
    const person = newPerson();
    await say(person, phrase);
    assert.deepEqual(
      (await optOutsOf(person)).map(({ source }) => source),
      ['stop_phrase'],
      phrase,
    );
    assert.equal(await sendCode(person), 'recipient_opted_out');
  }
});

test('an opt-out stops the texts of its tenant, and not those of another', async () => {
  const [person, other] = [newPerson(), await makeLine(harness)];
  await say(person, 'STOP');
  assert.deepEqual(
    [await sendCode(person), await sendCode(person, other.number.id)],
    ['recipient_opted_out', 'accepted'],
  );
  assert.deepEqual(await optOutsOf(person, other.tenantId), []);
});

test('creating an opt-out that a STOP has set returns the STOP; after its removal a new one is created', async () => {
  const person = newPerson();
  await say(person, 'STOP');
  const kept = await create({ external_number: person });
  assert.deepEqual([kept.status, kept.body.source], [201, 'stop_keyword']);
  const other = newPerson();
  assert.equal((await create({ external_number: other })).status, 201);
  await lift(other);
  assert.equal((await create({ external_number: other })).status, 201);
});

test('creating an opt-out again returns the first one, with or without an Idempotency-Key', async () => {
  const body = { tenant_id: tenantId, external_number: newPerson() };
  const once = { headers: { 'idempotency-key': `note-${body.external_number}` } };
  const first = await harness.call('POST', '/v1/opt_outs', { body, ...once });
  const again = await harness.call('POST', '/v1/opt_outs', { body, ...once });
  assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const second = await harness.call('POST', '/v1/opt_outs', { body });
  assert.deepEqual([second.status, second.body], [201, first.body]);
});

test('ordinary messages that contain such words stop nothing and are not answered', async () => {
  for (const body of ['cancel my 3pm', 'stop by at 3?', 'YES', 'Please start without me', 'help me find it']) {
    const person = newPerson();
    await say(person, body);
    assert.deepEqual(await optOutsOf(person), [], body);
    assert.deepEqual(await repliesTo(person), []);
    assert.equal(await sendCode(person), 'accepted');
  }
});

test('a second STOP gets no confirmation and no event; a START removes the opt-out with one event', async () => {
  const person = newPerson();
  for (const body of ['STOP', 'stop', 'stop texting me']) await say(person, body);
  assert.equal((await repliesTo(person)).length, 1);
  const [before] = await optOutsOf(person);
  assert.equal(before.source, 'stop_keyword');
  for (const body of ['START', 'unstop']) await say(person, body);
  assert.equal(await sendCode(person), 'accepted');
  const replies = await repliesTo(person);
  assert.equal(replies.length, 3, 'two confirmations and the text');
  await say(person, 'QUIT');
  const events = await eventsAbout(person);
  assert.deepEqual(
    events.map(({ type, tenant_id }) => [type, tenant_id]),
    ['opt_out.created', 'opt_out.removed', 'opt_out.created'].map((type) => [type, tenantId]),
  );
  assert.deepEqual(events[0]?.data, before);
  const feed = await listEvents(harness, `${tenantId}:${person}`);
  assert.deepEqual(
    feed.map(({ resource_id, sequence }: Json) => [resource_id, sequence]),
    [1, 2, 3].map((sequence) => [`${tenantId}:${person}`, sequence]),
  );
});

test('concurrent STOPs are confirmed once', async () => {
  const person = newPerson();
  await Promise.all(Array.from({ length: 8 }, () => say(person, 'STOP')));
  assert.equal((await repliesTo(person)).length, 1);
  assert.equal((await eventsAbout(person)).length, 1);
});

test('HELP is answered every time, also to a person who has opted out, and changes nothing', async () => {
  const person = newPerson();
  await say(person, 'HELP');
  await say(person, 'Stop');
  await say(person, 'info');
  const replies = await repliesTo(person);
  assert.equal(replies.length, 3);
  assert.equal((await optOutsOf(person)).length, 1);
});

test("the replies name the tenant's sender, and the one to HELP its support contact", async () => {
  const line = await makeLine(harness);
  const body = { sender_name: 'Dr. Reyes', support_contact: 'help@reyes.example' };
  assert.equal((await harness.call('PATCH', `/v1/tenants/${line.tenantId}`, { body })).status, 200);
  const person = newPerson();
  for (const word of ['STOP', 'START', 'HELP']) await arrive(harness, person, line.number.phone_number, word);
  const [help, start, stop] = (await repliesTo(person)).sort();
  assert.match(help ?? '', /^Dr\. Reyes: Contact help@reyes\.example for help\..*STOP/);
  assert.match(start ?? '', /^Dr\. Reyes: You are subscribed again/);
  assert.match(stop ?? '', /^Dr\. Reyes: You are unsubscribed/);
});

test('keyword texts are in the conversation and emit message.received; so is the confirmation', async () => {
  const person = newPerson();
  const { conversation_id } = await sendText(harness, number.id, person);
  const stop = await say(person, 'STOP');
  assert.equal(stop.conversation_id, conversation_id);
  assert.deepEqual(
    (await eventsOf(harness, stop.id)).map(({ type }) => type),
    ['message.received'],
  );
  await harness.advance(2);
  const timeline = await read(harness, `/conversations/${conversation_id}/timeline`);
  const [confirmation, received, sent] = timeline.data;
  assert.deepEqual([received.id, sent.body], [stop.id, 'Hello']);
  assert.deepEqual([confirmation.direction, confirmation.to, confirmation.status], ['outbound', person, 'delivered']);
  const thread = await read(harness, `/conversations/${conversation_id}`);
  assert.equal(thread.opted_out, true);
  assert.equal(thread.last_message_preview, confirmation.body);
});

test('a STOP applies to all numbers of the tenant and to no other tenant', async () => {
  const person = newPerson();
  const second = await buyNumber(harness, tenantId);
  const other = await makeLine(harness);
  await say(person, 'STOP');
  assert.equal(await sendCode(person, second.id), 'recipient_opted_out');
  assert.equal(await sendCode(person, other.number.id), 'accepted');
  await arrive(harness, person, second.phone_number, 'START');
  assert.equal(await sendCode(person), 'accepted');
});

test('the API may remove an opt-out that it set; only the person removes a STOP', async () => {
  const person = newPerson();
  const noted = await create({ external_number: person });
  assert.equal(noted.status, 201);
  assert.equal(noted.status, 201);
  assert.deepEqual(
    { ...noted.body, opted_out_at: '' },
    {
      object: 'opt_out',
      tenant_id: tenantId,
      external_number: person,
      opted_out_at: '',
      source: 'api',
      channels: ['text', 'call'],
    },
  );
  const repeated = await create({ external_number: person, source: 'import' });
  assert.deepEqual([repeated.status, repeated.body], [201, noted.body], 'nothing was created');
  assert.equal(await sendCode(person), 'recipient_opted_out');
  assert.equal((await lift(person)).status, 204);
  assert.deepEqual(refusal(await lift(person)).slice(0, 2), [404, 'not_found']);
  assert.equal(await sendCode(person), 'accepted');
  assert.equal((await create({ external_number: person, source: 'import' })).body.source, 'import');
  await say(person, 'STOP');
  assert.deepEqual(
    (await optOutsOf(person)).map(({ source }) => source),
    ['stop_keyword'],
    "the person's own word stands from now on",
  );
  assert.deepEqual(refusal(await lift(person)).slice(0, 2), [409, 'opt_out_not_removable']);
  await create({ external_number: person });
  assert.deepEqual(refusal(await lift(person)).slice(0, 2), [409, 'opt_out_not_removable']);
  await say(person, 'START');
  assert.equal(await sendCode(person), 'accepted');
  assert.deepEqual(
    (await eventsAbout(person)).map(({ type }) => type.slice('opt_out.'.length)),
    ['created', 'removed', 'created', 'created', 'removed'],
  );
});

test('no text is sent when the API creates or removes an opt-out', async () => {
  const person = newPerson();
  await create({ external_number: person });
  await lift(person);
  assert.deepEqual(await repliesTo(person), []);
});

test('a number that cannot be called can be opted out, because texts can come from it', async () => {
  const created = await create({ external_number: '+15551234567' });
  assert.equal(created.status, 201);
  assert.equal((await lift('+15551234567')).status, 204);
});

test('an invalid creation or removal is refused with its field', async () => {
  const person = newPerson();
  assert.deepEqual(refusal(await create({ external_number: '6025550143' })), [400, 'invalid_phone', 'external_number']);
  assert.deepEqual(refusal(await create({ external_number: person, source: 'stop_keyword' })), [
    400,
    'invalid_body',
    'source',
  ]);
  assert.deepEqual(refusal(await create({})), [400, 'missing_fields', 'external_number']);
  const unknown = { tenant_id: 'tnt_x', external_number: person };
  assert.deepEqual(refusal(await create(unknown)), [404, 'tenant_not_found', 'tenant_id']);
  assert.deepEqual(refusal(await lift(person, '')), [400, 'missing_fields', 'tenant_id']);
  const other = await makeLine(harness);
  const key = await harness.tenantKey(other.tenantId);
  const body = { tenant_id: tenantId, external_number: person };
  const refused = await harness.call('POST', '/v1/opt_outs', { key, body });
  assert.deepEqual(refusal(refused), [403, 'tenant_restricted_key', 'tenant_id']);
  const own = await harness.call('POST', '/v1/opt_outs', { key, body: { ...body, tenant_id: other.tenantId } });
  assert.equal(own.status, 201);
  const lifted = await harness.call('DELETE', `/v1/opt_outs/${encodeURIComponent(person)}`, { key });
  assert.equal(lifted.status, 204, "a tenant's key need not name its tenant");
});

test("a short code's text is stored and applied but not answered; a hidden sender's text is only stored", async () => {
  for (const sender of ['72345', 'anonymous']) {
    const text = await say(sender, 'STOP');
    assert.equal(text.from, sender);
    await say(sender, 'HELP');
    assert.deepEqual(await repliesTo(sender), []);
    const { data } = await read(harness, `/conversations?external_number=${sender}`);
    if (sender === 'anonymous') assert.deepEqual([text.conversation_id, data], [null, []]);
    else assert.deepEqual([text.conversation_id, data[0].opted_out], [data[0].id, true]);
    const listed = await read(harness, `/messages?from=${sender}&tenant_id=${text.tenant_id}`);
    assert.deepEqual(
      listed.data.map(({ body }: Json) => body),
      ['HELP', 'STOP'],
    );
  }
});

test('the pages of opt-outs have no gaps while others are added', async () => {
  const own = await makeLine(harness);
  const people = Array.from({ length: 5 }, newPerson);
  for (const external_number of people) await create({ tenant_id: own.tenantId, external_number });
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await read(harness, `/opt_outs?tenant_id=${own.tenantId}&limit=2${cursor}`);
    seen.push(...page.data.map((each: Json) => each.external_number));
    await create({ tenant_id: own.tenantId, external_number: newPerson() });
    cursor = page.has_more ? `&after=${page.next_cursor}` : '';
  } while (cursor !== '');
  assert.deepEqual(seen, people.reverse());
});

test('the opt-outs of a person are listed, of all tenants or of one', async () => {
  const [first, second] = [await makeLine(harness), await makeLine(harness)];
  const [ann, bob] = [newPerson(), newPerson()];
  for (const { tenantId } of [first, second]) await create({ tenant_id: tenantId, external_number: ann });
  await create({ tenant_id: first.tenantId, external_number: bob });
  const tenantsOf = async (query: Record<string, string>) => {
    const { data } = await read(harness, `/opt_outs?${new URLSearchParams(query)}`);
    return data.map(({ tenant_id, external_number }: Json) => [tenant_id, external_number]);
  };
  const inFirst = [first.tenantId, ann];
  const inSecond = [second.tenantId, ann];
  assert.deepEqual(await tenantsOf({ external_number: ann }), [inSecond, inFirst]);
  assert.deepEqual(await tenantsOf({ external_number: ann, tenant_id: first.tenantId }), [inFirst]);
  assert.deepEqual(await tenantsOf({ external_number: bob, tenant_id: second.tenantId }), []);
  const stranger = (await harness.secondAccount()).test_key;
  const reply = await harness.call('GET', `/v1/opt_outs?external_number=${encodeURIComponent(ann)}`, { key: stranger });
  assert.deepEqual(reply.body.data, []);
});

test('a changed cursor is refused', async () => {
  for (const parts of [
    ['opt_outs', 'x', 'y', 'z'],
    ['opt_outs', '2026-02-30T00:00:00.000000Z', 'y', 'z'],
    ['opt_outs', '0000-01-01T00:00:00.000000Z', 'y', 'z'],
    ['opt_outs', '2026-02-28T00:00:00.000000Z', 'y'],
  ]) {
    const after = writeCursor(parts);
    assert.deepEqual(refusal(await harness.call('GET', `/v1/opt_outs?after=${after}`)), [
      400,
      'invalid_cursor',
      'after',
    ]);
  }
});
