/** Changes of a conversation by people of a tenant: its state, assignee, snooze, tags and contact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, ringing, route } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { arrive, newPerson, read, refusal, sendText } from '../../../../test/support/messages.ts';
import { makeLine, makeTenant } from '../../../../test/support/numbers.ts';

const harness = await useHarness();

const patch = (id: string, body: object) => harness.call('PATCH', `/v1/conversations/${id}`, { body });

async function change(id: string, body: object): Promise<Json> {
  const reply = await patch(id, body);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

/** Returns the fields that each event of a conversation names, oldest first. */
async function changesOf(id: string): Promise<string[][]> {
  const { data } = await read(harness, `/events?resource_id=${id}&type=conversation.updated`);
  return data.map((event: Json) => event.data.changed).reverse();
}

async function startConversation() {
  const line = await makeLine(harness);
  const person = newPerson();
  const { conversation_id: id } = await sendText(harness, line.number.id, person);
  return { id: id as string, ...line, line, person };
}

async function secondsAhead(seconds: number): Promise<string> {
  const { now } = await read(harness, '/test/clock');
  return new Date(Date.parse(now) + seconds * 1000).toISOString();
}

const stateOf = async (id: string) => {
  const { state, snoozed_until } = await read(harness, `/conversations/${id}`);
  return [state, snoozed_until];
};

test('a change is shown, and its event names the fields that differ', async () => {
  const { id } = await startConversation();
  const until = await secondsAhead(3600);
  const fields = { state: 'done', assignee: 'user-1', snoozed_until: until, tags: ['vip', 'late'] };
  const changed = await change(id, fields);
  const { state, assignee, snoozed_until, tags } = changed;
  assert.deepEqual({ state, assignee, snoozed_until, tags }, fields);
  assert.deepEqual(await read(harness, `/conversations/${id}`), changed);
  await change(id, { assignee: 'user-1', tags: ['vip'] });
  await change(id, { assignee: 'user-1' });
  await change(id, {});
  assert.deepEqual(await changesOf(id), [['state', 'assignee', 'snoozed_until', 'tags'], ['tags']]);
  const { data } = await read(harness, `/events?resource_id=${id}&type=conversation.updated&limit=1`);
  const { changed: _, ...shown } = data[0].data;
  assert.deepEqual(shown, { ...changed, tags: ['vip'] });
});

test('a snooze ends at its time in the ledger, once, and says so', async () => {
  const { id } = await startConversation();
  await change(id, { snoozed_until: await secondsAhead(3600) });
  // The second time replaces the first one, whether it is later or earlier.
  await change(id, { snoozed_until: await secondsAhead(7200) });
  await harness.advance(3700);
  await harness.settled();
  assert.notEqual((await stateOf(id))[1], null);
  await change(id, { snoozed_until: await secondsAhead(60) });
  await harness.advance(61);
  await harness.settled();
  assert.deepEqual(await stateOf(id), ['open', null]);
  await harness.advance(7200);
  await harness.settled();
  assert.deepEqual(await changesOf(id), Array(4).fill(['snoozed_until']));
});

test('a snooze that was ended by a request is over without an event of its time', async () => {
  const { id } = await startConversation();
  await change(id, { snoozed_until: await secondsAhead(60) });
  await change(id, { snoozed_until: null });
  await harness.advance(120);
  await harness.settled();
  assert.equal((await changesOf(id)).length, 2);
});

test('an inbound text opens the conversation and ends the snooze; a text of the tenant does not', async () => {
  const { id, number, person } = await startConversation();
  await change(id, { state: 'done', snoozed_until: await secondsAhead(60) });
  await sendText(harness, number.id, person);
  assert.equal((await stateOf(id))[0], 'done');
  await arrive(harness, person, number.phone_number, 'Hello?');
  assert.deepEqual(await stateOf(id), ['open', null]);
  await arrive(harness, person, number.phone_number, 'Hello??');
  await harness.advance(120);
  await harness.settled();
  assert.deepEqual(await changesOf(id), [
    ['state', 'snoozed_until'],
    ['state', 'snoozed_until'],
  ]);
});

test('a missed call and a voicemail open it; a call that arrives does not', async () => {
  const { id, line, person: from } = await startConversation();
  await route(harness, line, { open_behavior: ringing([newPerson()]), closed_behavior: ringing([newPerson()]) });
  await change(id, { state: 'done' });
  const missed = await callIn(harness, line, { from });
  assert.equal((await stateOf(id))[0], 'done');
  await playParty(harness, missed.id, 'hangup', { party: 'customer' });
  await harness.settled();
  assert.equal((await read(harness, `/calls/${missed.id}`)).outcome, 'missed');
  assert.equal((await stateOf(id))[0], 'open');
  const recorded = await callIn(harness, line, { from });
  await harness.advance(0);
  await playParty(harness, recorded.id, 'voicemail');
  await change(id, { state: 'done', snoozed_until: await secondsAhead(86_400) });
  await harness.advance(30);
  await harness.settled();
  assert.equal((await read(harness, `/conversations/${id}`)).last_message_preview.slice(0, 9), 'Voicemail');
  assert.deepEqual(await stateOf(id), ['open', null]);
  const both = ['state', 'snoozed_until'];
  assert.deepEqual(await changesOf(id), [['state'], ['state'], both, both]);
});

test('it has the contact of its number, or the one that was chosen until that is deleted', async () => {
  const { id, tenantId, person } = await startConversation();
  const contact = async (body: object): Promise<string> =>
    (await harness.call('POST', '/v1/contacts', { body: { tenant_id: tenantId, name: 'Sam', ...body } })).body.id;
  const contactOf = async () => (await read(harness, `/conversations/${id}`)).contact_id;
  assert.equal(await contactOf(), null);
  const ofNumber = await contact({ phone_numbers: [person] });
  assert.equal(await contactOf(), ofNumber);
  const chosen = await contact({});
  assert.equal((await change(id, { contact_id: chosen })).contact_id, chosen);
  await harness.call('DELETE', `/v1/contacts/${chosen}`);
  assert.equal(await contactOf(), ofNumber);
  assert.equal((await change(id, { contact_id: null })).contact_id, ofNumber);
  assert.deepEqual(await changesOf(id), [['contact_id']]);
});

test('what is wrong is refused with its field and changes nothing', async () => {
  const { id } = await startConversation();
  const elsewhere = await makeTenant(harness);
  const stranger = { tenant_id: elsewhere, name: 'Pat' };
  const { body: other } = await harness.call('POST', '/v1/contacts', { body: stranger });
  const before = await read(harness, `/conversations/${id}`);
  for (const [body, status, code, param] of [
    [{ state: 'closed' }, 400, 'invalid_body', 'state'],
    [{ assignee: 'none' }, 400, 'invalid_body', 'assignee'],
    [{ assignee: 'x'.repeat(101) }, 400, 'invalid_body', 'assignee'],
    [{ tags: Array.from({ length: 21 }, (_, n) => `${n}`) }, 400, 'invalid_body', 'tags'],
    [{ tags: ['x'.repeat(41)] }, 400, 'invalid_body', 'tags[0]'],
    [{ tags: ['x', 'x'] }, 400, 'invalid_body', 'tags'],
    [{ snoozed_until: await secondsAhead(-1) }, 400, 'invalid_body', 'snoozed_until'],
    [{ snoozed_until: await secondsAhead(367 * 86_400) }, 400, 'invalid_body', 'snoozed_until'],
    [{ snoozed_until: 'tomorrow' }, 400, 'invalid_body', 'snoozed_until'],
    [{ contact_id: other.id, state: 'done' }, 404, 'contact_not_found', 'contact_id'],
  ] as const) {
    assert.deepEqual(refusal(await patch(id, body)), [status, code, param], JSON.stringify(body));
  }
  assert.deepEqual(await read(harness, `/conversations/${id}`), before);
});

test('lists are filtered by state, assignee, tag and contact, each and together, also of a person', async () => {
  const line = await makeLine(harness);
  const other = await makeLine(harness);
  const people = [newPerson(), newPerson(), newPerson(), newPerson()];
  const start = async (on: typeof line, person: string, body: object) => {
    const { conversation_id: id } = await sendText(harness, on.number.id, person);
    await change(id, body);
    return id as string;
  };
  const contact = async (tenant_id: string, phone_numbers: string[]) =>
    (await harness.call('POST', '/v1/contacts', { body: { tenant_id, name: 'Sam', phone_numbers } })).body.id as string;
  const sam = await contact(line.tenantId, [people[0] as string]);
  const ids = [
    await start(line, people[0] as string, { assignee: 'ann/1', tags: ['vip', 'late'] }),
    await start(line, people[1] as string, { assignee: 'ann', tags: ['vip'], state: 'done', contact_id: sam }),
    await start(line, people[2] as string, { tags: ['late'] }),
    await start(line, people[3] as string, { state: 'done' }),
    await start(other, people[0] as string, { assignee: 'ann', tags: ['vip'] }),
  ];
  const own = { tenant_id: line.tenantId };
  const of = async (query: Record<string, string>) => {
    const { data } = await read(harness, `/conversations?${new URLSearchParams(query)}`);
    return data.map((each: Json) => ids.indexOf(each.id)).filter((place: number) => place >= 0);
  };
  const number = { phone_number_id: line.number.id };
  for (const [query, places] of [
    [{ ...own }, [3, 2, 1, 0]],
    [{ ...own, state: 'done' }, [3, 1]],
    [{ ...number, state: 'open' }, [2, 0]],
    [{ assignee: 'ann' }, [4, 1]],
    [{ ...own, assignee: 'ann' }, [1]],
    [{ assignee: 'ann/1' }, [0]],
    [{ ...own, assignee: 'none' }, [3, 2]],
    [{ ...number, assignee: 'none', state: 'open' }, [2]],
    [{ tag: 'vip' }, [4, 1, 0]],
    [{ ...own, tag: 'late' }, [2, 0]],
    [{ ...number, tag: 'vip', state: 'done' }, [1]],
    [{ tag: 'vip', assignee: 'ann' }, [4, 1]],
    [{ ...own, tag: 'late', assignee: 'none' }, [2]],
    [{ ...own, tag: 'late', assignee: 'none', state: 'done' }, []],
    [{ contact_id: sam }, [1, 0]],
    [{ contact_id: sam, state: 'done' }, [1]],
    [{ contact_id: sam, tag: 'late', assignee: 'ann/1' }, [0]],
    [{ contact_id: sam, assignee: 'none' }, []],
    [{ external_number: people[0] as string, tag: 'vip' }, [4, 0]],
    [{ external_number: people[0] as string, assignee: 'ann' }, [4]],
    [{ external_number: people[2] as string, assignee: 'none' }, [2]],
  ] as const) {
    assert.deepEqual(await of(query), places, JSON.stringify(query));
  }
  // A text changes the order of all lists. A change of the tags changes the lists by tag.
  await arrive(harness, people[0] as string, line.number.phone_number, 'Hello');
  await arrive(harness, people[1] as string, line.number.phone_number, 'Hello');
  assert.deepEqual(await of({ tag: 'vip', state: 'open' }), [1, 0, 4]);
  await change(ids[0] as string, { tags: [], assignee: null });
  assert.deepEqual(await of({ tag: 'vip' }), [1, 4]);
  assert.deepEqual(await of({ ...own, tag: 'late' }), [2]);
  assert.deepEqual(await of({ ...own, assignee: 'none', state: 'open' }), [0, 2]);
});
