import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertTalked, callIn, logOf, readCall, ringing, route, voicemail } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { type Line, makeLine } from '../../../../test/support/numbers.ts';
import { talk as talkOn } from '../../../../test/support/recordings.ts';
import { startStream } from '../../../../test/support/streams.ts';
import { place } from '../../../../test/support/voice.ts';
import { MAGIC } from '../../../carriers/simulated/magic-numbers.ts';
import { claimStream, closeStream, connectStream } from './connections.ts';

const harness = await useHarness({ startWorkers: false });

/** Places a click-to-call on a new number and returns its id when the parties are joined. */
const talk = async (fields: object = {}): Promise<string> =>
  (await talkOn(harness, await makeLine(harness), fields)).id;

const start = (callId: string, body: object = {}) => harness.call('POST', `/v1/calls/${callId}/streams`, { body });
const stop = (callId: string, id: string) => harness.call('DELETE', `/v1/calls/${callId}/streams/${id}`);
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body.error?.code];
const list = async (callId: string): Promise<Json[]> => (await read(harness, `/calls/${callId}/streams`)).data;

/** Connects a client, as the gateway does. */
async function connect({ id, token, url }: Json): Promise<void> {
  const { db } = harness.context;
  const nodeId = new URL(url).pathname.split('/')[3] as string;
  const claimed = await claimStream(db, { streamId: id, token, nodeId });
  assert.ok(typeof claimed === 'object', String(claimed));
  assert.equal(await connectStream(db, id), null);
}

async function minutesOf(streamId: string): Promise<number> {
  const rows = await sql<{ quantity: number }>(
    harness.context.db,
    `select quantity from usage_entries where kind = 'stream_minute' and reference = $1`,
    [`stream:${streamId}`],
  );
  return rows.reduce((sum, { quantity }) => sum + quantity, 0);
}

test('of the streams of a call the latest 100 are listed', async () => {
  const callId = await talk();
  const { id } = (await start(callId)).body;
  await sql(
    harness.context.db,
    `insert into media_streams (ledger_id, id, call_id, tenant_id, direction, track, status, url, node_id, token_hash,
       created_at)
     select ledger_id, 'stm_0' || to_char(n, 'FM000'), call_id, tenant_id, direction, track, 'stopped', url, node_id,
       token_hash, created_at from media_streams, generate_series(1, 120) n where id = $1`,
    [id],
  );
  const listed = await list(callId);
  assert.deepEqual([listed.length, listed[0].id, listed.at(-1).id], [100, id, 'stm_0022']);
});

describe('a media stream', () => {
  test('starts as a fork of both tracks, with an address that names the node and a token that is shown once', async () => {
    const callId = await talk();
    const reply = await start(callId);
    assert.equal(reply.status, 201);
    const { token, ...stream } = reply.body;
    const { id, tenant_id, url, created_at } = stream;
    assert.match(id, /^stm_/);
    assert.match(url, new RegExp(`^ws://localhost/v1/streams/[\\w-]+/${id}$`));
    assert.ok(token.length > 40);
    assert.deepEqual(stream, {
      ...{ id, object: 'media_stream', call_id: callId, tenant_id, direction: 'fork', track: 'both', url, created_at },
      ...{ connect_url: null, connect_error: null, dialect: 'native', parameters: {} },
      ...{ status: 'starting', stop_reason: null, started_at: null, stopped_at: null },
    });
    assert.deepEqual(await list(callId), [stream]);
    const [stored] = await sql<Json>(harness.context.db, 'select * from media_streams where id = $1', [id]);
    assert.ok(!JSON.stringify(stored).includes(token), 'the token is stored');
  });

  test('can be opened while the call rings', async () => {
    const { number } = await makeLine(harness);
    const { id } = await place(harness, number.id, { connect_to: MAGIC.neverAnswers });
    await harness.advance(1);
    assert.equal((await readCall(harness, id)).status, 'ringing');
    assert.equal((await startStream(harness, id)).status, 'starting');
  });

  test('cannot be opened on a call that is dialing, nor on one that has ended', async () => {
    const { number } = await makeLine(harness);
    const { id } = await place(harness, number.id);
    assert.deepEqual(refusal(await start(id)), [409, 'call_not_active']);
    await harness.call('POST', `/v1/calls/${id}/hangup`);
    assert.deepEqual(refusal(await start(id)), [409, 'call_not_active']);
  });

  test('is the only one of its call until it is over', async () => {
    const callId = await talk();
    const first = await startStream(harness, callId);
    assert.deepEqual(refusal(await start(callId)), [409, 'stream_already_active']);
    await connect(first);
    assert.deepEqual(refusal(await start(callId)), [409, 'stream_already_active']);
    await stop(callId, first.id);
    const second = await startStream(harness, callId);
    assert.deepEqual(
      (await list(callId)).map(({ id, status }) => [id, status]),
      [
        [second.id, 'starting'],
        [first.id, 'stopped'],
      ],
    );
  });

  test('of many concurrent requests one opens a stream', async () => {
    const callId = await talk();
    const replies = await Promise.all(Array.from({ length: 6 }, () => start(callId)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  });

  test('becomes active with its client, stops on request, and is billed per started minute in between', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await connect(stream);
    await harness.advance(61);
    const stopped = await stop(callId, stream.id);
    assert.equal(stopped.status, 200);
    assert.deepEqual([stopped.body.status, stopped.body.stop_reason], ['stopped', 'api_request']);
    const [started, ended, ...others] = await listEvents(harness, stream.id);
    assert.deepEqual(others, []);
    assert.equal(started.type, 'call.stream.started');
    assert.deepEqual([started.data.status, started.data.reason, started.data.billed_seconds], ['active', null, 0]);
    assert.equal(ended.type, 'call.stream.stopped');
    const { reason, billed_seconds, ...data } = ended.data;
    assert.deepEqual(data, stopped.body);
    assert.equal(reason, 'api_request');
    const openS = (Date.parse(data.stopped_at) - Date.parse(data.started_at)) / 1_000;
    assert.ok(openS >= 61 && Math.abs(billed_seconds - openS) <= 1, `${billed_seconds} s of ${openS}`);
    assert.equal(await minutesOf(stream.id), 2);
    const log = (await readCall(harness, callId)).events.filter((entry: Json) => entry.type.startsWith('stream_'));
    assert.deepEqual(
      log.map(({ type, detail }: Json) => [type, detail.stream_id]),
      [
        ['stream_started', stream.id],
        ['stream_stopped', stream.id],
      ],
    );
  });

  test('that is stopped again does not change', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await connect(stream);
    const first = await stop(callId, stream.id);
    await harness.advance(5);
    assert.deepEqual((await stop(callId, stream.id)).body, first.body);
    assert.equal((await listEvents(harness, stream.id)).length, 2);
    assert.equal(await minutesOf(stream.id), 1);
  });

  test('is billed by ledger time when its client closes, without the delay in reporting it', async () => {
    for (const [lateMs, minutes] of [
      [0, 2],
      [5_000, 1],
    ] as const) {
      const callId = await talk();
      const stream = await startStream(harness, callId);
      await connect(stream);
      await harness.advance(61);
      const ending = { reason: 'client_closed', lateMs } as const;
      await closeStream(harness.context.db, stream.id, ending);
      await closeStream(harness.context.db, stream.id, ending);
      const [, ended, ...others] = await listEvents(harness, stream.id);
      assert.deepEqual([ended.type, ended.data.reason, others], ['call.stream.stopped', 'client_closed', []]);
      const openMs = Date.parse(ended.data.stopped_at) - Date.parse(ended.data.started_at);
      assert.ok(openMs > 61_000, `${openMs} ms`);
      const billed = Math.ceil((openMs - lateMs) / 1_000);
      assert.ok(Math.abs(ended.data.billed_seconds - billed) <= 1, `${ended.data.billed_seconds} s`);
      assert.equal(await minutesOf(stream.id), minutes);
    }
  });

  test('without a client fails after 30 s, and costs nothing', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await harness.advance(15);
    assert.equal((await list(callId))[0]?.status, 'starting');
    await harness.advance(16);
    const [failed] = await list(callId);
    assert.deepEqual([failed?.status, failed?.stop_reason, failed?.started_at], ['failed', 'no_client', null]);
    assert.ok(Date.parse(failed?.stopped_at ?? '') - Date.parse(stream.created_at) >= 30_000);
    const [event, ...others] = await listEvents(harness, stream.id);
    assert.deepEqual(
      [event.type, event.data.reason, event.data.billed_seconds],
      ['call.stream.failed', 'no_client', 0],
    );
    assert.deepEqual(others, []);
    assert.equal(await minutesOf(stream.id), 0);
    assert.equal((await readCall(harness, callId)).status, 'in_progress');
  });

  test('ends with its call, and its end is logged before that of the call', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await connect(stream);
    await harness.call('POST', `/v1/calls/${callId}/hangup`);
    const [over] = await list(callId);
    assert.deepEqual([over?.status, over?.stop_reason], ['stopped', 'call_ended']);
    assert.deepEqual(
      (await listEvents(harness, stream.id)).map(({ type }) => type),
      ['call.stream.started', 'call.stream.stopped'],
    );
    assert.deepEqual(logOf(await readCall(harness, callId)).slice(-2), ['stream_stopped', 'hangup']);
    assert.equal(await minutesOf(stream.id), 1);
    assert.equal(await connectStream(harness.context.db, stream.id), 'call_ended');
  });

  test('of a call that ends before its client connects is stopped, and costs nothing', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await harness.call('POST', `/v1/calls/${callId}/hangup`);
    const [event] = await listEvents(harness, stream.id);
    assert.deepEqual([event.type, event.data.reason], ['call.stream.stopped', 'call_ended']);
    assert.equal(await minutesOf(stream.id), 0);
  });

  test('is not found on another call', async () => {
    const [one, other] = [await talk(), await talk()];
    const { id } = await startStream(harness, other);
    assert.deepEqual(refusal(await stop(one, id)), [404, 'stream_not_found']);
    assert.equal((await list(other))[0]?.status, 'starting');
  });
});

describe('+15005550008', () => {
  for (const party of ['to', 'connect_to']) {
    test(`as "${party}" of a call: the stream fails to start, and the call goes on`, async () => {
      const callId = await talk({ [party]: MAGIC.streamFails });
      const stream = await startStream(harness, callId);
      assert.equal(stream.status, 'starting');
      await harness.advance(1);
      const [event, ...others] = await listEvents(harness, stream.id);
      assert.deepEqual([event.type, event.data.reason], ['call.stream.failed', 'carrier_error']);
      assert.deepEqual([event.data.status, event.data.billed_seconds, others], ['failed', 0, []]);
      assert.equal((await readCall(harness, callId)).status, 'in_progress');
    });
  }

  test('as a customer who is dialled after the stream was opened', async () => {
    const { number } = await makeLine(harness);
    const { id } = await place(harness, number.id, { to: MAGIC.streamFails });
    await harness.advance(1);
    const stream = await startStream(harness, id);
    await harness.advance(2);
    const [event] = await listEvents(harness, stream.id);
    assert.deepEqual([event?.type, event?.data.reason], ['call.stream.failed', 'carrier_error']);
  });

  test('as a caller and as a ring target', async () => {
    for (const [from, target] of [
      [MAGIC.streamFails, newPerson()],
      [newPerson(), MAGIC.streamFails],
    ] as const) {
      const line: Line = await makeLine(harness);
      await route(harness, line, { open_behavior: ringing([target], { no_answer: voicemail }) });
      const { id } = await callIn(harness, line, { from });
      await harness.advance(3);
      const stream = await startStream(harness, id);
      await harness.advance(1);
      const [event] = await listEvents(harness, stream.id);
      assert.equal(event?.type, 'call.stream.failed', `${from} to ${target}`);
    }
  });
});

describe('the simulated customer', () => {
  test('stays while a stream is open, and leaves soon after it', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await connect(stream);
    await harness.advance(60);
    assert.equal((await readCall(harness, callId)).status, 'in_progress');
    await stop(callId, stream.id);
    await harness.advance(5);
    assert.equal((await readCall(harness, callId)).status, 'completed');
  });

  test('stays for five minutes at most', async () => {
    const callId = await talk();
    await connect(await startStream(harness, callId));
    await harness.advance(310);
    const call = await readCall(harness, callId);
    assert.equal(call.status, 'completed');
    assert.ok(call.duration_seconds > 290 && call.duration_seconds < 310, `${call.duration_seconds} s`);
    assert.equal((await list(callId))[0]?.stop_reason, 'call_ended');
  });

  test('has its usual 15 s if the stream ends earlier', async () => {
    const callId = await talk();
    const { id } = await startStream(harness, callId);
    await stop(callId, id);
    await harness.advance(20);
    assertTalked(await readCall(harness, callId), 15);
  });
});
