/** Texts that may be opt-outs: which are listed, and how they are decided. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { classifyText, isDoubtful } from '../opt-outs/keywords.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });

const DOUBTFUL = 'Please stop the reminders at the weekends';
const say = (person: string, body: string, to = number.phone_number) => arrive(harness, person, to, body);
const list = async (query = `tenant_id=${tenantId}`): Promise<Json[]> =>
  (await read(harness, `/opt_outs/candidates?${query}`)).data;
const textsOf = async (person: string) =>
  (await list()).filter(({ external_number }) => external_number === person).map(({ body }) => body);
const dismiss = (messageId: string, key?: string) =>
  harness.call('DELETE', `/v1/opt_outs/candidates/${messageId}`, key === undefined ? {} : { key });

test('a doubtful text is ordinary and is listed, with what a person needs to decide', async () => {
  const person = newPerson();
  const text = await say(person, DOUBTFUL);
  const found = (await list()).find(({ message_id }) => message_id === text.id);
  assert.deepEqual(found, {
    object: 'opt_out_candidate',
    message_id: text.id,
    tenant_id: tenantId,
    external_number: person,
    body: DOUBTFUL,
    at: text.created_at,
  });
  assert.equal((await trySend(harness, { from: number.id, to: person, body: 'Hello' })).status, 201);
});

test('doubtful: the words of a request beside others, a keyword in the middle or in capitals', () => {
  for (const body of [
    DOUBTFUL,
    'Bus 12. Stop. Main St',
    'STOP 12345',
    'we have got to STOP this from getting worse',
    "don't stop the reminders, they help",
    'stop calling me',
    'do not call me',
    "don't text me at work",
    'How do I unsubscribe?',
    'Can I opt out of some of these?',
    'no me envíe mensajes los domingos',
    'Stop it now',
    'Please stop this',
    'Thanks but stop',
    'Please stop, I already cancelled',
    'stop, this is not dana',
    'Take me off',
    'no texts please',
    'no more',
    'enough with the reminders',
    'leave me alone',
    'block me',
    'Stopp',
    'STPO',
    'enough, stop',
    'no stop',
  ]) {
    assert.deepEqual([classifyText(body), isDoubtful(body)], [null, true], body);
  }
});

test('not doubtful: the words of other things', () => {
  for (const body of [
    'stop by at 3?',
    'Yes. Stop by at 3',
    'cancel my 3pm',
    'The pain will not stop. Help',
    "I can't stop laughing",
    'end of the week works',
    'quit smoking class please',
    'remove the stitches friday?',
    'SEE YOU AT THE BUS STOP AT NOON',
    'Leave me a message',
    'Liked “Reply STOP to opt out”',
    'Thanks!\n\nSent from my iPhone',
    '',
  ]) {
    assert.equal(isDoubtful(body), false, body);
  }
});

test('of hundreds of ordinary replies at most one in twenty is listed', () => {
  const file = readFileSync(new URL('../../../../test/texts/ordinary-replies.txt', import.meta.url), 'utf8');
  const replies = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const listed = replies.filter(isDoubtful);
  assert.ok(listed.length > 0 && listed.length * 20 <= replies.length, listed.join('\n'));
});

test('a revocation, a START, a short code and a hidden sender are not listed', async () => {
  const before = await list();
  const person = newPerson();
  for (const body of ['START', 'STOP', 'no more reminders']) await say(person, body);
  for (const sender of ['72345', 'anonymous']) await say(sender, DOUBTFUL);
  await say(person, DOUBTFUL);
  assert.deepEqual(await list(), before, 'the person is opted out already');
});

test('an opt-out by the API, a STOP and a START decide all texts of the person, of that tenant alone', async () => {
  const other = await makeLine(harness);
  for (const decide of [
    (person: string) =>
      harness.call('POST', '/v1/opt_outs', { body: { tenant_id: tenantId, external_number: person } }),
    (person: string) => say(person, 'STOP'),
    (person: string) => say(person, 'START'),
  ]) {
    const [person, bystander] = [newPerson(), newPerson()];
    await say(person, DOUBTFUL);
    await say(person, 'Bus 12. Stop. Main St');
    await say(bystander, DOUBTFUL);
    const elsewhere = await say(person, DOUBTFUL, other.number.phone_number);
    assert.equal((await textsOf(person)).length, 2);
    await decide(person);
    assert.deepEqual(await textsOf(person), []);
    assert.deepEqual(await textsOf(bystander), [DOUBTFUL]);
    const kept = await list(`tenant_id=${other.tenantId}`);
    assert.ok(kept.some(({ message_id }) => message_id === elsewhere.id));
  }
});

test('a dismissed text is off the list for good; the others of the person and the text itself stay', async () => {
  const person = newPerson();
  const [first, second] = [await say(person, DOUBTFUL), await say(person, 'Bus 12. Stop. Main St')];
  const stranger = await harness.tenantKey((await makeLine(harness)).tenantId);
  assert.deepEqual(refusal(await dismiss(first.id, stranger)).slice(0, 2), [403, 'tenant_restricted_key']);
  assert.deepEqual(refusal(await dismiss(first.id, harness.account.live_key)).slice(0, 2), [404, 'not_found']);
  assert.equal((await dismiss(first.id)).status, 204);
  assert.deepEqual(refusal(await dismiss(first.id)).slice(0, 2), [404, 'not_found']);
  assert.deepEqual(await textsOf(person), [second.body]);
  assert.equal((await read(harness, `/messages/${first.id}`)).body, DOUBTFUL);
  const optOuts = await read(harness, `/opt_outs?external_number=${encodeURIComponent(person)}`);
  assert.deepEqual(optOuts.data, []);
});

test('the pages are newest first without gaps while texts arrive, and of one tenant or of all', async () => {
  const own = await makeLine(harness);
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift((await say(newPerson(), DOUBTFUL, own.number.phone_number)).id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await read(harness, `/opt_outs/candidates?tenant_id=${own.tenantId}&limit=2${cursor}`);
    seen.push(...page.data.map(({ message_id }: Json) => message_id));
    await say(newPerson(), DOUBTFUL, own.number.phone_number);
    cursor = page.has_more ? `&after=${page.next_cursor}` : '';
  } while (cursor !== '');
  assert.deepEqual(seen, made);
  assert.ok((await list('limit=100')).some(({ message_id }) => message_id === made[0]));
  const reply = await harness.call('GET', '/v1/opt_outs/candidates?after=x');
  assert.deepEqual(refusal(reply), [400, 'invalid_cursor', 'after']);
});

test('a text waits for 30 days, is gone then, and with the text itself', async () => {
  const own = await makeLine(harness);
  const rows = async () =>
    await sql(harness.context.db, 'select message_id from opt_out_candidates where tenant_id = $1', [own.tenantId]);
  const [kept, deleted] = [
    await say(newPerson(), DOUBTFUL, own.number.phone_number),
    await say(newPerson(), DOUBTFUL, own.number.phone_number),
  ];
  await sql(harness.context.db, 'delete from messages where id = $1', [deleted.id]);
  assert.deepEqual(await rows(), [{ message_id: kept.id }]);
  const day = 86_400;
  await harness.advance(29 * day);
  assert.equal((await list(`tenant_id=${own.tenantId}`)).length, 1);
  await harness.advance(day + 60);
  assert.deepEqual(await list(`tenant_id=${own.tenantId}`), []);
  assert.deepEqual(refusal(await dismiss(kept.id)).slice(0, 2), [404, 'not_found']);
});
