/** Notes that users of a tenant write to each other about a conversation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn, signInUser } from '../../../../test/support/console.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, refusal, sendText } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { completed, erase } from '../../../../test/support/person-history.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;

const DAY_S = 86_400;

async function startConversation() {
  const line = await makeLine(harness);
  const person = newPerson();
  const { conversation_id: id } = await sendText(harness, line.number.id, person, 'Hello');
  return { id: id as string, ...line, person };
}

const post = (id: string, body: object, more: object = {}) =>
  harness.call('POST', `/v1/conversations/${id}/notes`, { body, ...more });

async function write(id: string, body: string, author?: string): Promise<Json> {
  const reply = await post(id, { body, ...(author !== undefined && { author }) });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const bodiesOf = (page: Json): string[] => page.data.map((each: Json) => each.body);
const notesOf = async (id: string) => bodiesOf(await read(harness, `/conversations/${id}/notes`));

test('a note is shown in the list and in the timeline, and is sent to nobody', async () => {
  const { id, tenantId, person } = await startConversation();
  await harness.advance(5);
  const before = await read(harness, `/conversations/${id}`);
  const texts = await outboxOf(harness, person);
  const { created_at, ...note } = await write(id, 'Prefers mornings.', 'Ann');
  assert.match(note.id, /^nte_/);
  const fields = { id: note.id, object: 'note', tenant_id: tenantId, conversation_id: id };
  assert.deepEqual(note, { ...fields, body: 'Prefers mornings.', author: 'Ann' });
  await harness.advance(60);
  assert.deepEqual(await read(harness, `/conversations/${id}`), before);
  assert.deepEqual(await outboxOf(harness, person), texts);
  assert.deepEqual((await read(harness, `/conversations/${id}/notes`)).data, [{ ...note, created_at }]);
  const { data } = await read(harness, `/conversations/${id}/timeline`);
  assert.deepEqual(
    data.map(({ object, body }: Json) => [object, body]),
    [
      ['note', 'Prefers mornings.'],
      ['message', 'Hello'],
    ],
  );
  assert.deepEqual(data[0], { ...note, created_at });
});

test('a note that is written or deleted is an event of the conversation, which does not have the note', async () => {
  const { id, tenantId } = await startConversation();
  const { id: noteId } = await write(id, 'Prefers mornings.');
  await harness.call('DELETE', `/v1/conversations/${id}/notes/${noteId}`);
  await harness.call('DELETE', `/v1/conversations/${id}/notes/${noteId}`);
  const { data } = await read(harness, `/events?resource_id=${id}&type=conversation.updated`);
  const conversation = await read(harness, `/conversations/${id}`);
  const event = [tenantId, { ...conversation, changed: ['notes'] }];
  assert.deepEqual(
    data.map((each: Json) => [each.tenant_id, each.data]),
    [event, event],
  );
});

test('pages of the list and of the timeline have each note once while more are written', async () => {
  const { id, number, person } = await startConversation();
  await write(id, '1');
  await arrive(harness, person, number.phone_number, '2');
  await write(id, '3');
  await write(id, '4');
  for (const [path, expected] of [
    ['notes', ['4', '3', '1']],
    ['timeline', ['4', '3', '2', '1', 'Hello']],
  ] as const) {
    const seen: string[] = [];
    const later: string[] = [];
    let cursor = '';
    do {
      const page = await read(harness, `/conversations/${id}/${path}?limit=1${cursor}`);
      seen.push(...bodiesOf(page));
      later.push((await write(id, 'later')).id);
      cursor = page.has_more ? `&after=${page.next_cursor}` : '';
    } while (cursor !== '');
    assert.deepEqual(seen, expected);
    for (const note of later) await harness.call('DELETE', `/v1/conversations/${id}/notes/${note}`);
  }
});

test('the body has 1 to 4,000 characters and the author up to 100; nothing is written otherwise', async () => {
  const { id } = await startConversation();
  for (const [body, expected] of [
    [{}, [400, 'missing_fields', 'body']],
    [{ body: ' ' }, [400, 'missing_fields', 'body']],
    [{ body: 7 }, [400, 'invalid_body', 'body']],
    [{ body: 'x'.repeat(4_001) }, [400, 'invalid_body', 'body']],
    [{ body: 'x', author: 'x'.repeat(101) }, [400, 'invalid_body', 'author']],
    [{ body: 'x', to: '+16025550143' }, [400, 'invalid_body', 'to']],
  ] as const) {
    assert.deepEqual(refusal(await post(id, body)), expected, JSON.stringify(body).slice(0, 60));
  }
  assert.deepEqual(await notesOf(id), []);
  const longest = '💬'.repeat(4_000);
  assert.equal((await write(id, longest, 'é'.repeat(100))).body, longest);
  assert.equal((await write(id, 'x')).author, null);
});

test('a deleted note is gone, and the audit log says so without its words', async () => {
  const [{ id, tenantId }, other] = [await startConversation(), await startConversation()];
  const { id: noteId } = await write(id, 'A private matter');
  const remove = (conversation: string) => harness.call('DELETE', `/v1/conversations/${conversation}/notes/${noteId}`);
  assert.deepEqual(refusal(await remove(other.id)).slice(0, 2), [404, 'note_not_found']);
  assert.equal((await remove(id)).status, 204);
  assert.deepEqual(refusal(await remove(id)).slice(0, 2), [404, 'note_not_found']);
  assert.deepEqual(await notesOf(id), []);
  const { data } = await read(harness, '/audit_log?limit=100');
  const entries = data.filter(({ resource_id }: Json) => resource_id === noteId);
  assert.deepEqual(
    entries.map(({ action, tenant_id, details }: Json) => [action, tenant_id, details]),
    [['note.deleted', tenantId, { conversation_id: id }]],
  );
});

test('a conversation has at most 1,000 notes, also of requests at the same time', async () => {
  const { id } = await startConversation();
  await sql(
    db,
    `insert into conversation_notes (ledger_id, id, tenant_id, conversation_id, body, created_at)
     select ledger_id, 'nte_' || n || id, tenant_id, id, 'Note', now() from conversations, generate_series(1, 997) n
     where id = $1`,
    [id],
  );
  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => post(id, { body: `${n}` })));
  const refused = replies.filter(({ status }) => status !== 201).map((reply) => refusal(reply).slice(0, 2));
  assert.deepEqual(refused, Array(5).fill([409, 'too_many_notes']));
  const [{ count }] = await sql<Json>(db, 'select count(*)::int from conversation_notes where conversation_id = $1', [
    id,
  ]);
  assert.equal(count, 1_000);
});

test('a user of the console is the author, one who serves customers may write, and a key that reads may not', async () => {
  const { id } = await startConversation();
  const operator = await signIn(harness);
  const account_id = harness.account.id;
  const path = `/ledgers/${account_id}/test/v1/conversations/${id}/notes`;
  const writeAs = async (role: string) => {
    const email = `${role}-notes@example.com`;
    const user = await operator.call('POST', '/users', { body: { email, role, account_id } });
    assert.equal(user.status, 201, JSON.stringify(user.body));
    const browser = await signInUser(harness, operator, user.body.id);
    return (await browser.call('POST', path, { body: { body: `by ${role}` } })) as Json;
  };
  const supported = await writeAs('support');
  assert.deepEqual([supported.status, supported.body.author], [201, 'support-notes@example.com']);
  assert.equal((await writeAs('viewer')).status, 403);
  const { body } = await harness.call('POST', '/v1/api_keys', { body: { name: 'Reader', permissions: 'read' } });
  assert.deepEqual(refusal(await post(id, { body: 'x' }, { key: body.key })).slice(0, 2), [403, 'key_not_permitted']);
  assert.equal((await read(harness, `/conversations/${id}/notes`, body.key)).data.length, 1);
});

test('notes are deleted after the days of the texts, by the ledger, and those of other tenants stay', async () => {
  const [own, other] = [await startConversation(), await startConversation()];
  await write(own.id, 'old');
  await write(other.id, 'old');
  await harness.advance(2 * DAY_S);
  await write(own.id, 'young');
  await harness.call('PATCH', `/v1/tenants/${own.tenantId}`, { body: { retention: { message_days: 3 } } });
  await harness.advance(DAY_S - 60);
  assert.deepEqual(await notesOf(own.id), ['young', 'old']);
  await harness.advance(120);
  assert.deepEqual(await notesOf(own.id), ['young']);
  assert.deepEqual(await notesOf(other.id), ['old']);
});

test('an erasure deletes the notes about the person, and those of a stored reply; a younger one is kept', async () => {
  const own = await startConversation();
  const neighbour = await sendText(harness, own.number.id, newPerson());
  await write(neighbour.conversation_id, 'about another');
  const once = { headers: { 'idempotency-key': `note ${own.id}` } };
  const { id: noteId } = (await post(own.id, { body: 'about the person' }, once)).body;
  await write(own.id, 'more about the person');
  await harness.advance(5);
  const { id } = (await erase(harness, own, own.person)).body;
  await write(own.id, 'after the request');
  const { counts } = await completed(harness, id);
  assert.deepEqual([counts.notes, counts.conversations], [2, 0]);
  assert.deepEqual(await notesOf(own.id), ['after the request']);
  assert.deepEqual(await notesOf(neighbour.conversation_id), ['about another']);
  const repeated = await post(own.id, { body: 'about the person' }, once);
  assert.deepEqual([repeated.status, repeated.body.id, repeated.body.body], [201, noteId, '']);
  await harness.advance(5);
  const again = await completed(harness, (await erase(harness, own, own.person)).body.id);
  assert.deepEqual([again.counts.notes, again.counts.conversations], [1, 1]);
});
