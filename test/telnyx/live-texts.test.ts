/** Texts of a live key over the emulated Telnyx, which is 150 ms away and has the faults that a test sets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { newPerson, refusal, trySend } from '../support/messages.ts';
import { buyNumber, eventsOf, makeTenant } from '../support/numbers.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, connectionId, tenantId, number, get, text, untilStatus, handsetOf, withFaults } =
  await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;

const typesOf = async (id: string): Promise<string[]> => (await eventsOf(harness, id)).map(({ type }) => type);

const inboundOf = async (person: string): Promise<Json[]> =>
  (await get(`/messages?from=${encodeURIComponent(person)}&direction=inbound`)).data;

const optOutsOf = async (person: string): Promise<Json[]> =>
  (await get(`/opt_outs?external_number=${encodeURIComponent(person)}`)).data;

test('a text is queued, sent and delivered, with an event each, and the person has it once', async () => {
  const person = newPerson();
  const id = await text(person, 'Your keys are ready.');
  await untilStatus(id, 'delivered');
  assert.deepEqual(await handsetOf(person), ['Your keys are ready.']);
  assert.deepEqual(await typesOf(id), ['message.sent', 'message.delivered']);
});

test('the tenant has one messaging profile of its own, which its number is in', async () => {
  const made = await control.requests({ operation: 'POST /messaging_profiles' });
  assert.deepEqual(
    made.map(({ body }) => (body as { name: string }).name),
    [`dialplane ${connectionId} ${tenantId}`],
  );
  await buyNumber(harness, tenantId, key);
  assert.equal((await control.requests({ operation: 'POST /messaging_profiles' })).length, 1);
});

test('a text that fails has the reason of its code, and the code and title of Telnyx, as its event has', async () => {
  for (const [to, reason, code, title] of [
    ['+13035540004', 'carrier_rejected', '40004', 'Rejected by destination'],
    ['+13035540003', 'spam_blocked', '40003', 'Blocked as spam - permanent'],
    ['+13035540322', 'spam_blocked', '40322', 'Blocked due to content'],
    ['+13035540320', 'send_failed', '40320', "Temporarily unusable 'from' address"],
  ] as const) {
    const id = await text(to, 'Hello');
    await untilStatus(id, 'failed');
    const { error_code, error_detail } = await get(`/messages/${id}`);
    assert.deepEqual([error_code, error_detail], [reason, { carrier_code: code, title }]);
    const { data }: Json = (await get(`/events?type=message.failed&resource_id=${id}`)).data[0];
    assert.deepEqual([data.failure_reason, data.error_detail], [reason, error_detail]);
  }
});

for (const [last, reason] of [
  ['9006', 'recipient_opted_out'],
  ['9007', 'expired'],
  ['9008', 'expired'],
  ['9009', 'unreachable'],
]) {
  test(`a text with the final status of number …${last} fails as ${reason}`, async () => {
    const id = await text(`+1303554${last}`, 'Hello');
    await untilStatus(id, 'failed');
    assert.equal((await get(`/messages/${id}`)).error_code, reason);
    const isBlocked = reason === 'recipient_opted_out';
    assert.equal((await optOutsOf(`+1303554${last}`)).length, isBlocked ? 1 : 0, 'a block alone opts the person out');
  });
}

for (const [how, person] of [
  ['in a receipt', '+14155549006'],
  ['in a refusal', '+14155540300'],
] as const) {
  test(`a person whom Telnyx blocks, as it says ${how}, is opted out here too, until START`, async () => {
    const id = await text(person, 'Hello');
    await untilStatus(id, 'failed');
    assert.equal((await get(`/messages/${id}`)).error_code, 'recipient_opted_out');
    assert.deepEqual(
      (await optOutsOf(person)).map(({ source }) => source),
      ['carrier'],
    );
    assert.equal(
      refusal(await trySend(harness, { from: number.id, to: person, body: 'Hi' }, { key }))[1],
      'recipient_opted_out',
    );
    await control.textIn({ from: person, to: number.phone_number, text: 'START' });
    await until('it is lifted', async () => (await optOutsOf(person)).length === 0);
  });
}

for (const words of [
  ['STOP', 'START'],
  ['START', 'STOP'],
]) {
  test(`of ${words.join(' and ')} the later one counts, though it is reported first`, async () => {
    const person = newPerson();
    const [first = '', second = ''] = words;
    if (first === 'START') {
      await control.textIn({ from: person, to: number.phone_number, text: 'STOP' });
      await until('the person is opted out', async () => (await optOutsOf(person)).length === 1);
    }
    const before = (await inboundOf(person)).length;
    await withFaults([{ webhook: 'message.received', is: 'disorder', times: 1, delayMs: 3_000 }], async () => {
      await control.textIn({ from: person, to: number.phone_number, text: first });
      await until('its report is late', async () => (await control.struck({})) === 1);
      await control.textIn({ from: person, to: number.phone_number, text: second });
      await until('both are here', async () => (await inboundOf(person)).length === before + 2);
    });
    const [newest] = await inboundOf(person);
    assert.equal(newest?.body, first, 'the first one came last');
    await harness.settled();
    assert.equal((await optOutsOf(person)).length, second === 'STOP' ? 1 : 0);
    const sent = await trySend(harness, { from: number.id, to: person, body: 'Hi' }, { key });
    assert.equal(sent.status, second === 'STOP' ? 422 : 201);
  });
}

test("a person's text arrives with its file, which is kept here", async () => {
  const person = newPerson();
  const photo = { contentType: 'image/png', base64: Buffer.from('a photo').toString('base64') };
  await control.textIn({ from: person, to: number.phone_number, text: 'Look', media: [photo] });
  await until('it is here', async () => (await inboundOf(person)).length === 1);
  const [{ id, body }] = (await inboundOf(person)) as [Json];
  assert.equal(body, 'Look');
  const open = () => harness.call('GET', `/v1/messages/${id}/media/0`, { key });
  await until('it is kept', async () => (await open()).status === 200);
  assert.equal((await open()).headers.get('content-type'), 'image/png');
});

test('a text is of the same person in whatever form Telnyx writes the numbers', async () => {
  const person = newPerson();
  const [national, own] = [person.slice(2), number.phone_number.slice(2)];
  const forms = [person, national, `1${national}`, `001${national}`, `sip:${person}@sip.telnyx.com`];
  for (const [at, from] of forms.entries()) {
    await control.textIn({ from, to: number.phone_number, toWritten: own, text: `Text ${at}` });
  }
  await until('all are here', async () => (await inboundOf(person)).length === forms.length);
  const { data } = await get(`/conversations?external_number=${encodeURIComponent(person)}`);
  assert.equal(data.length, 1);
  assert.deepEqual(new Set((await inboundOf(person)).map(({ to }) => to)), new Set([number.phone_number]));
});

test('a text from a number that is withheld or cannot be texted back is kept without a conversation', async () => {
  for (const from of ['Anonymous', '+266696687', '7378742833', 'CVS', '']) {
    await control.textIn({ from, to: number.phone_number, text: `STOP, says ${from}` });
  }
  await until('all are here', async () => (await inboundOf('anonymous')).length === 5);
  const texts = await inboundOf('anonymous');
  assert.ok(texts.every(({ conversation_id }) => conversation_id === null));
  assert.deepEqual((await get('/conversations?external_number=anonymous')).data, []);
  assert.deepEqual((await get('/opt_outs?external_number=anonymous')).data, []);
});

for (const othersIn of ['cc', 'to'] as const) {
  test(`a text to a group, whose others are in ${othersIn}, arrives at our number and names them`, async () => {
    const [person, friend, other] = [newPerson(), newPerson(), newPerson()];
    const others = [friend, other.slice(2)];
    await control.textIn({ from: person, to: number.phone_number, others, othersIn, text: 'Lunch?' });
    await until('it is here', async () => (await inboundOf(person)).length === 1);
    const [{ id, to, group, other_recipients, conversation_id }] = (await inboundOf(person)) as [Json];
    assert.deepEqual([to, group, other_recipients], [number.phone_number, true, [friend, other]]);
    assert.equal((await get(`/conversations/${conversation_id}`)).external_number, person);
    const [received] = (await eventsOf(harness, id)).map(({ data }) => data as Json);
    assert.deepEqual([received.group, received.other_recipients], [true, [friend, other]]);
  });
}

test('a text to a group with numbers of two tenants is for the tenant whose profile reports it', async () => {
  const [person, otherTenant] = [newPerson(), await makeTenant(harness, key)];
  const theirs = await buyNumber(harness, otherTenant, key);
  const others = [number.phone_number];
  await control.textIn({ from: person, to: theirs.phone_number, others, othersIn: 'to', text: 'Lunch?' });
  await until('it is here', async () => (await inboundOf(person)).length === 1);
  const [{ to, tenant_id, other_recipients }] = (await inboundOf(person)) as [Json];
  assert.deepEqual([to, tenant_id, other_recipients], [theirs.phone_number, otherTenant, others]);
});

test('a STOP is recorded, is answered by Telnyx alone, and ends texts to the person until START', async () => {
  const person = newPerson();
  await control.textIn({ from: person, to: number.phone_number, text: 'Stop' });
  await until('it is recorded', async () => (await inboundOf(person)).length === 1);
  await control.settled({});
  assert.deepEqual(refusal(await trySend(harness, { from: number.id, to: person, body: 'Hi' }, { key })).slice(1, 2), [
    'recipient_opted_out',
  ]);
  assert.equal((await handsetOf(person)).length, 1, 'one confirmation');
  await control.textIn({ from: person, to: number.phone_number, text: 'START' });
  await until('it is recorded', async () => (await inboundOf(person)).length === 2);
  await untilStatus(await text(person, 'Welcome back'), 'delivered');
  const [stopped, started, ...ours] = await handsetOf(person);
  assert.match(`${stopped} ${started}`, /unsubscribed.*re-subscribed/);
  assert.deepEqual(ours, ['Welcome back'], 'Telnyx alone has confirmed');
});

test('a text whose answer was lost is not sent again, and its own report says what became of it', async () => {
  const person = newPerson();
  const before = (await control.requests({ operation: 'POST /messages' })).length;
  await withFaults([{ request: 'POST /messages', is: 'timeout_after_acceptance', times: 1 }], async () => {
    await untilStatus(await text(person, 'Once'), 'delivered');
  });
  assert.equal((await control.requests({ operation: 'POST /messages' })).length, before + 1);
  assert.deepEqual(await handsetOf(person), ['Once']);
});

test('a burst of 429s slows texts and loses none', async () => {
  const people = Array.from({ length: 12 }, newPerson);
  await withFaults([{ request: 'POST /messages', is: '429', times: 12 }], async () => {
    const ids = await Promise.all(people.map((person) => text(person, 'Soon')));
    for (const id of ids) await untilStatus(id, 'delivered');
  });
  for (const person of people) assert.deepEqual(await handsetOf(person), ['Soon']);
});

for (const is of ['duplicate', 'disorder', 'late', 'malformed'] as const) {
  test(`reports that are ${is} give each text one end`, async () => {
    const people = Array.from({ length: 6 }, newPerson);
    await withFaults([{ webhook: '*', is, share: 0.6, delayMs: 100 }], async () => {
      const ids = await Promise.all(people.map((person) => text(person, 'Hello')));
      for (const id of ids) await untilStatus(id, 'delivered');
      await control.settled({});
      for (const id of ids) {
        const types = await typesOf(id);
        assert.equal(types.filter((type) => type === 'message.delivered').length, 1);
      }
    });
  });
}

test('a receipt that never comes is asked for', async () => {
  let id = '';
  await withFaults([{ webhook: '*', is: 'lost' }], async () => {
    id = await text(newPerson(), 'Hello');
    await until('both reports are lost', async () => (await control.struck({})) === 2);
  });
  // The reports come before the answer to the request, and a text that is being submitted is not looked up.
  const submissions = `select 1 from jobs where kind like 'message.submit%'`;
  await until('the submission is over', async () => (await sql(db, submissions)).length === 0);
  assert.equal((await get(`/messages/${id}`)).status, 'queued');
  await sql(db, "update messages set created_at = created_at - interval '16 min' where id = $1", [id]);
  await runNow(db, 'sweep.lost_receipts');
  await untilStatus(id, 'delivered');
});

test('a report that was altered, is from another account or is repeated changes nothing', async () => {
  const person = newPerson();
  await control.textIn({ from: person, to: number.phone_number, text: 'Hello' });
  await until('it is here', async () => (await inboundOf(person)).length === 1);
  const report = (await control.webhooks({ type: 'message.received' })).at(-1);
  assert.ok(report !== undefined);
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${harness.url}/carrier/telnyx/${connectionId}`, { method: 'POST', body, headers });
  assert.equal((await post(report.body)).status, 401);
  assert.ok(await control.repeatWebhook({ id: report.id }));
  await control.settled({});
  assert.equal((await inboundOf(person)).length, 1);
});

/** Returns how often Telnyx did not take a text. */
async function refusalsOf(id: string): Promise<number> {
  const [row] = await sql<{ attempts: number }>(
    db,
    `select attempts from carrier_requests where operation = 'send' and ref = $1 and outcome = 'absent'`,
    [id],
  );
  return row?.attempts ?? 0;
}

// The last test: its text is still sent again while the file ends.
test('a text that finds the queue of Telnyx full is sent again', async () => {
  const id = await text('+13035540318', 'Hello');
  await until('it was refused', async () => (await refusalsOf(id)) === 1);
  assert.equal((await get(`/messages/${id}`)).status, 'queued');
  await until('it was sent again, and refused', async () => (await refusalsOf(id)) === 2, 120_000);
  assert.equal((await get(`/messages/${id}`)).status, 'queued');
});
