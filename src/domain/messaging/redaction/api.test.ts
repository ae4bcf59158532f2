import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deliveriesOf, type Json, listEvents, register } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, refusal, sendText, trySend } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

const { harness, line, number } = await useLine({ startWorkers: false });
const { db, blobs } = harness.context;
const receiver = await useReceiver();

const WORDS = 'The test came back positive';
const redact = (id: string, key?: string) =>
  harness.call('POST', `/v1/messages/${id}/redact`, key === undefined ? {} : { key });

async function stored(id: string): Promise<Json> {
  const [row] = await sql<Json>(db, 'select body, media::text from messages where id = $1', [id]);
  return row;
}

describe('a redacted text', () => {
  test('has no body and no media; its status, times, numbers and usage stay', async () => {
    const sent = await sendText(harness, number.id, newPerson(), WORDS);
    await harness.advance(5);
    const [before, usage] = [await read(harness, `/messages/${sent.id}`), (await read(harness, '/usage')).data];
    const reply = await redact(sent.id, await harness.tenantKey(line.tenantId));
    assert.equal(reply.status, 200);
    const { redacted_at, ...rest } = reply.body;
    assert.deepEqual({ ...rest, redacted_at: null }, { ...before, body: '', media: [] });
    assert.deepEqual(await read(harness, `/messages/${sent.id}`), reply.body);
    assert.deepEqual((await redact(sent.id)).body, reply.body);
    assert.deepEqual(await stored(sent.id), { body: '', media: '[]' });
    const { last_message_preview } = await read(harness, `/conversations/${sent.conversation_id}`);
    assert.equal(last_message_preview, '');
    assert.deepEqual((await read(harness, '/usage')).data, usage);
    const [entry] = (await read(harness, '/audit_log')).data;
    assert.deepEqual(
      [entry.action, entry.resource_id, entry.tenant_id, entry.details],
      ['message.redacted', sent.id, line.tenantId, {}],
    );
  });

  test('is no longer the preview of its conversation in the stored events of that', async () => {
    const person = newPerson();
    const { id, conversation_id } = await arrive(harness, person, number.phone_number, WORDS);
    const change = { body: { state: 'done' } };
    assert.equal((await harness.call('PATCH', `/v1/conversations/${conversation_id}`, change)).status, 200);
    await arrive(harness, person, number.phone_number, 'Thanks');
    await redact(id);
    const shown = (await listEvents(harness, conversation_id)).map(({ data }: Json) => data.last_message_preview);
    assert.deepEqual(shown.toSorted(), ['', 'Thanks']);
  });

  test('is redacted in its stored events, in resends and replays, and in stored replies of receivers', async () => {
    const endpoint = await register(harness, { url: `${receiver.url}` });
    receiver.answer(({ body }) => ({ body }));
    const { id } = await arrive(harness, newPerson(), number.phone_number, WORDS);
    await harness.advance(1);
    const [{ data: before, ...envelope }] = (await listEvents(harness, id)) as [Json];
    assert.match(JSON.stringify(await deliveriesOf(harness, endpoint.id)), new RegExp(WORDS));
    await redact(id);
    const [{ data, ...redacted }] = (await listEvents(harness, id)) as [Json];
    assert.deepEqual(redacted, envelope);
    assert.deepEqual(data, { ...before, body: '', redacted_at: data.redacted_at });
    assert.doesNotMatch(JSON.stringify(await deliveriesOf(harness, endpoint.id)), new RegExp(WORDS));
    const seen = receiver.received.length;
    assert.equal((await harness.call('POST', `/v1/events/${envelope.id}/resend`, { body: {} })).status, 200);
    await harness.call('POST', `/v1/webhook_endpoints/${endpoint.id}/replays`, { body: { start: '2026-01-01' } });
    await harness.advance(5);
    const again = receiver.received.slice(seen).flatMap(({ event }) => (event.id === envelope.id ? [event] : []));
    assert.ok(again.length >= 2, `${again.length} deliveries`);
    for (const event of again) assert.equal(event.data['body'], '');
  });

  test('that was sent with an Idempotency-Key is replayed without its body', async () => {
    const body = { from: number.id, to: newPerson(), body: WORDS };
    const { id } = (await trySend(harness, body, { once: 'redacted' })).body;
    await harness.advance(5);
    await redact(id);
    const again = await trySend(harness, body, { once: 'redacted' });
    assert.deepEqual([again.body.id, again.body.body, again.headers.get('idempotent-replayed')], [id, '', 'true']);
  });

  test('loses the files of an inbound text', async () => {
    const { id } = await arrive(harness, newPerson(), number.phone_number, 'Look');
    const key = `${(await sql<Json>(db, 'select ledger_id from messages where id = $1', [id]))[0].ledger_id}/media/look`;
    await blobs.put(key, Buffer.from('a picture'), { contentType: 'image/png' });
    await sql(
      db,
      `insert into message_media (ledger_id, message_id, position, carrier_ref, blob_key, content_type, created_at)
       select ledger_id, id, 0, 'one', $2, 'image/png', now() from messages where id = $1`,
      [id, key],
    );
    await redact(id);
    await runLedgerDue(harness.workers.ledgerWork, 0);
    assert.equal(await blobs.size(key), undefined);
    assert.deepEqual(refusal(await harness.call('GET', `/v1/messages/${id}/media/0`)).slice(0, 2), [
      404,
      'media_not_found',
    ]);
  });

  test('that is still to be sent is sent as it was written, and then loses its content', async () => {
    const to = newPerson();
    const { now } = await read(harness, '/test/clock');
    const send_at = new Date(Date.parse(now) + 3_600_000).toISOString();
    const { id, conversation_id } = (await trySend(harness, { from: number.id, to, body: WORDS, send_at })).body;
    assert.equal((await redact(id)).body.body, '');
    assert.equal((await stored(id)).body, WORDS);
    const waiting = await sql<Json>(db, `select id from jobs where kind = 'message.redact'`);
    await sql(
      db,
      `update jobs set run_at = run_at + interval '2 hours', due_at = due_at + interval '2 hours' where id = $1`,
      [waiting[0].id],
    );
    await harness.advance(3_700);
    assert.deepEqual(
      (await outboxOf(harness, to)).map(({ body }) => body),
      [WORDS],
    );
    assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
    await harness.advance(7_200);
    assert.deepEqual(await stored(id), { body: '', media: '[]' });
    assert.deepEqual(
      (await outboxOf(harness, to)).map(({ body }) => body),
      [''],
    );
    assert.doesNotMatch(JSON.stringify(await listEvents(harness, id)), new RegExp(WORDS));
    assert.equal((await read(harness, `/conversations/${conversation_id}`)).last_message_preview, '');
  });
});
