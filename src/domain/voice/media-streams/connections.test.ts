/** The lifecycle of a stream. The test makes the calls that a gateway makes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { askedTimes } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { talk as talkOn } from '../../../../test/support/recordings.ts';
import { countStatements, listTransactionStatements } from '../../../../test/support/statement-counts.ts';
import { startStream } from '../../../../test/support/streams.ts';
import { place } from '../../../../test/support/voice.ts';
import { MAGIC } from '../../../carriers/simulated/magic-numbers.ts';
import { findOverStreams } from './connection-queries.ts';
import { claimStream, closeStream, connectStream, untilStreamRequested } from './connections.ts';

const harness = await useHarness({ startWorkers: false });

/** Places a click-to-call on a new number and returns its id when the parties are joined. */
const talk = async (fields: object = {}): Promise<string> =>
  (await talkOn(harness, await makeLine(harness), fields)).id;

const stop = (callId: string, id: string) => harness.call('DELETE', `/v1/calls/${callId}/streams/${id}`);
const list = async (callId: string): Promise<Json[]> => (await read(harness, `/calls/${callId}/streams`)).data;
const nodeOf = ({ url }: Json) => new URL(url).pathname.split('/')[3] as string;
const claim = (stream: Json, fields: object = {}) =>
  claimStream(harness.context.db, { streamId: stream.id, token: stream.token, nodeId: nodeOf(stream), ...fields });

async function connect(stream: Json): Promise<void> {
  assert.equal(typeof (await claim(stream)), 'object');
  assert.equal(await connectStream(harness.context.db, stream.id), null);
}

describe('a stream whose audio the carrier refuses', () => {
  test('never starts: an early client waits for the carrier’s refusal', async () => {
    const callId = await talk({ to: MAGIC.streamFails });
    const stream = await startStream(harness, callId);
    const { db } = harness.context;
    let hasWaited = false;
    const waiting = untilStreamRequested(db, stream.id).then(() => {
      hasWaited = true;
    });
    await askedTimes(db, 'media_streams_pending', 3);
    assert.equal(hasWaited, false);
    await harness.advance(0.001);
    await waiting;
    assert.equal(await claim(stream), 'no_stream');
    const events = await listEvents(harness, stream.id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['call.stream.failed'],
    );
  });

  test('does not delay the client of a stream whose customer is not dialled yet', async () => {
    const { number } = await makeLine(harness);
    const { id } = await place(harness, number.id, { connect_to: MAGIC.neverAnswers });
    await harness.advance(1);
    const stream = await startStream(harness, id);
    const { db } = harness.context;
    const statements = countStatements(db);
    await untilStreamRequested(db, stream.id);
    statements.stop();
    assert.equal(statements.take()['media_streams_pending'], 1);
  });
});

describe('the gateway', () => {
  test('a token opens its stream once, even for concurrent clients', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    assert.equal(await claim(stream, { token: `${stream.token}x` }), 'bad_token');
    assert.equal(await claim(stream, { nodeId: 'another' }), 'elsewhere');
    assert.equal(await claim(stream, { streamId: 'stm_none' }), 'no_stream');
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(stream)));
    assert.equal(claims.filter((claim) => typeof claim === 'object').length, 1);
    assert.equal(claims.filter((claim) => claim === 'bad_token').length, 7);
  });

  test('a stream that was stopped before its client connects is not found', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await stop(callId, stream.id);
    assert.equal(await claim(stream), 'no_stream');
  });

  test('a used token stays used after its client has left, the stream was stopped or the call has ended', async () => {
    const ends: readonly ((callId: string, id: string) => Promise<unknown>)[] = [
      (_, id) => closeStream(harness.context.db, id, { reason: 'client_closed' }),
      stop,
      (callId) => harness.call('POST', `/v1/calls/${callId}/hangup`),
    ];
    for (const end of ends) {
      const callId = await talk();
      const stream = await startStream(harness, callId);
      await connect(stream);
      await end(callId, stream.id);
      assert.notEqual((await list(callId))[0]?.stop_reason, null);
      assert.equal(await claim(stream), 'bad_token');
      assert.equal(await claim(stream, { nodeId: 'another' }), 'bad_token');
    }
  });

  test('a stream that is stopped while its client connects does not become active', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    const { id: streamId } = stream;
    await claim(stream);
    await stop(callId, streamId);
    assert.equal(await connectStream(harness.context.db, streamId), 'api_request');
    assert.deepEqual(
      (await listEvents(harness, streamId)).map(({ type }) => type),
      ['call.stream.stopped'],
    );
  });

  test('a client that waits for an announcement locks its call once, and is connected after the announcement', async () => {
    const callId = await talk({ listening_announcement: 'A machine listens to this call.' });
    const stream = await startStream(harness, callId);
    await claim(stream);
    const { db } = harness.context;
    const statements = listTransactionStatements(db);
    const connecting = connectStream(db, stream.id);
    await askedTimes(db, 'calls_read_state', 3);
    const locks = statements.take().filter((name) => name === 'calls_lock_state');
    statements.stop();
    assert.equal(locks.length, 1);
    await harness.advance(60);
    assert.equal(await connecting, null);
  });

  test('learns that a stream is over, even if it was deleted with its ledger', async () => {
    const callId = await talk();
    const stream = await startStream(harness, callId);
    const { db } = harness.context;
    assert.deepEqual(await findOverStreams(db, [stream.id]), []);
    await stop(callId, stream.id);
    const ids = [stream.id, 'stm_gone'];
    const over = new Map((await findOverStreams(db, ids)).map(({ streamId, reason }) => [streamId, reason]));
    assert.deepEqual(
      ids.map((id) => over.get(id)),
      ['api_request', 'call_ended'],
    );
  });
});
