import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Json, listEvents, testLedger } from '../../../../test/support/events.ts';
import { keepNode } from '../../../../test/support/gateway-nodes.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { talk as talkOn } from '../../../../test/support/recordings.ts';
import { startStream } from '../../../../test/support/streams.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { claimJobs } from '../../../queue/jobs/worker-claims.ts';
import { planSweeps } from '../../../queue/worker/sweep.ts';
import { connectStream } from './connections.ts';
import { streamSweeps } from './jobs.ts';
import { endAudio } from './leg-audio.ts';
import { chooseNode, chooseNodeNow, findLeftCalls } from './node-queries.ts';
import { audioLeftOf } from './stream-signal.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startHarness({ startWorkers: false, serveMedia: false });
});
afterEach(() => harness.close());

/** Places a click-to-call on a new number and returns its id when the parties are joined. */
const talk = async (): Promise<string> => (await talkOn(harness, await makeLine(harness))).id;

const run = (text: string, values: readonly unknown[] = []) => sql<Json>(harness.context.db, text, values);
const see = (nodeId: string, isDraining = false) => keepNode(harness.context.db, nodeId, isDraining);
/** Moves the last heartbeat of a node into the past. */
const unsee = (nodeId: string, seconds: number) =>
  run(`update gateway_nodes set seen_at = clock_timestamp() - make_interval(secs => $2) where node_id = $1`, [
    nodeId,
    seconds,
  ]);

describe('the node of a call’s audio', () => {
  const choose = async (callId: string) =>
    chooseNodeNow(harness.context.db, { ledgerId: await testLedger(harness) }, { callId });

  test('stays the same while it is up, for any load of the others', async () => {
    const callId = await talk();
    assert.equal(await choose(callId), undefined);
    await see('one');
    assert.equal(await choose(callId), 'one');
    await see('another');
    const other = await talk();
    await startStream(harness, callId);
    assert.equal(await choose(other), 'another');
    await run(`update media_streams set status = 'stopped'`);
    assert.deepEqual(await Promise.all([callId, other, callId].map(choose)), ['one', 'another', 'one']);
    await unsee('one', 11);
    assert.equal(await choose(callId), 'another');
    await see('one');
    assert.equal(await choose(callId), 'another');
  });

  const nodeOf = async (callId: string) =>
    (await run(`select node_id from call_audio_nodes where call_id = $1`, [callId]))[0]?.node_id;

  test('is another once it drains; without another one the call stays, and takes no new stream', async () => {
    await see('one');
    const callId = await talk();
    assert.equal(await choose(callId), 'one');
    await see('one', true);
    assert.equal(await choose(callId), undefined);
    const reply = await harness.call('POST', `/v1/calls/${callId}/streams`, { body: {} });
    assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
    assert.equal(await nodeOf(callId), 'one');
    await see('another');
    assert.deepEqual(await Promise.all([callId, callId].map(choose)), ['another', 'another']);
    assert.equal(await nodeOf(callId), 'another');
    await see('one');
    assert.equal(await choose(callId), 'another');
  });

  test('that drains keeps a call with an open stream; other calls get another node', async () => {
    await see('one');
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await see('another');
    await see('one', true);
    assert.equal(await choose(callId), undefined);
    assert.equal(await choose(await talk()), 'another');
    assert.equal(await nodeOf(callId), 'one');
    await run(`update media_streams set status = 'stopped' where id = $1`, [stream.id]);
    assert.equal(await choose(callId), 'another');
  });

  test('that drains keeps a call whose stream is being opened at that moment', async () => {
    await see('one');
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await run(`update media_streams set status = 'stopped' where id = $1`, [stream.id]);
    await see('another');
    const ledgerId = await testLedger(harness);
    const [opened, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const opening = harness.context.db.transaction(async (tx) => {
      assert.equal(await chooseNode(tx, { ledgerId }, { callId }), 'one');
      await sql(tx, `update media_streams set status = 'active' where id = $1`, [stream.id]);
      opened.resolve();
      await committed.promise;
    });
    await opened.promise;
    await see('one', true);
    const chosen = choose(callId);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until('the choice waits', async () => (await run(waits)).length > 0);
    committed.resolve();
    await opening;
    assert.equal(await chosen, undefined);
    assert.equal(await nodeOf(callId), 'one');
  });

  test('is not left by a call that has an open stream there, although it has another node since an outage', async () => {
    await see('one');
    const callId = await talk();
    const stream = await startStream(harness, callId);
    await see('another');
    await unsee('one', 11);
    assert.equal(await choose(callId), 'another');
    const ledgerId = await testLedger(harness);
    const left = () => findLeftCalls(harness.context.db, { ledgerId }, { nodeId: 'one', callIds: [callId] });
    assert.deepEqual(await left(), []);
    await run(`update media_streams set status = 'stopped' where id = $1`, [stream.id]);
    assert.deepEqual(await left(), [callId]);
  });

  test('that a call has left ends no stream at the new one when its carrier sockets are lost', async () => {
    await see('one');
    const callId = await talk();
    await choose(callId);
    await see('another');
    await see('one', true);
    const stream = await startStream(harness, callId);
    const { db } = harness.context;
    const ledgerId = await testLedger(harness);
    const statusOf = async () => (await run('select status from media_streams where id = $1', [stream.id]))[0]?.status;
    await endAudio(db, { ledgerId, callId, nodeId: 'one' }, 'lost');
    assert.equal(await statusOf(), 'starting');
    await endAudio(db, { ledgerId, callId, nodeId: 'another' }, 'lost');
    assert.equal(await statusOf(), 'failed');
  });

  test('that drains gets a signal for a call that leaves it, and for no other', async () => {
    const left: string[] = [];
    harness.context.db.onSignal((signal) => {
      const named = audioLeftOf(signal)?.nodeId;
      if (named !== undefined) left.push(named);
    });
    await see('one');
    const callId = await talk();
    await choose(callId);
    await see('another');
    await see('one', true);
    await choose(await talk());
    assert.deepEqual(left, []);
    await choose(callId);
    await choose(callId);
    assert.deepEqual(left, ['one']);
  });

  test('that a call has left asks the carrier again at once when the audio there ends', async () => {
    await see('one');
    const callId = await talk();
    await choose(callId);
    const { db } = harness.context;
    await run(`update calls set state = jsonb_set(state, '{transcription}', '"on"') where id = $1`, [callId]);
    await run(`update call_audio_nodes set asked_ref = 'cmd', asked_node = node_id where call_id = $1`, [callId]);
    const end = async () => endAudio(db, { ledgerId: await testLedger(harness), callId, nodeId: 'one' }, 'ended');
    const commands = () =>
      run(`select position from call_commands where call_id = $1 and command ->> 'do' = 'start_transcription'`, [
        callId,
      ]);
    const before = (await commands()).length;
    await end();
    assert.equal((await commands()).length, before, 'the carrier has ended it');
    await run(`update call_audio_nodes set asked_ref = 'cmd', asked_node = node_id where call_id = $1`, [callId]);
    await see('another');
    await see('one', true);
    await choose(callId);
    await end();
    assert.equal((await commands()).length, before + 1);
    await end();
    assert.equal((await commands()).length, before + 1);
  });

  test('that counted as missing ends no stream at the new one when its carrier sockets are lost', async () => {
    await see('one');
    const callId = await talk();
    await choose(callId);
    await unsee('one', 11);
    await see('another');
    const stream = await startStream(harness, callId);
    const statusOf = async () => (await run('select status from media_streams where id = $1', [stream.id]))[0]?.status;
    const ledgerId = await testLedger(harness);
    await endAudio(harness.context.db, { ledgerId, callId, nodeId: 'one' }, 'lost');
    assert.equal(await statusOf(), 'starting');
    await endAudio(harness.context.db, { ledgerId, callId, nodeId: 'another' }, 'lost');
    assert.equal(await statusOf(), 'failed');
  });

  test('is one for concurrent requests', async () => {
    for (const nodeId of ['a', 'b', 'c']) await see(nodeId);
    const callId = await talk();
    const start = () => harness.call('POST', `/v1/calls/${callId}/streams`, { body: {} });
    const starts = Array.from({ length: 4 }, start);
    const chosen = await Promise.all(Array.from({ length: 4 }, () => choose(callId)));
    const started = (await Promise.all(starts)).filter(({ status }) => status === 201);
    assert.equal(started.length, 1);
    const node = new URL(started[0]?.body.url).pathname.split('/')[3];
    assert.deepEqual(new Set(chosen), new Set([node]));
  });

  test('is none for an unknown call', async () => {
    await see('one');
    assert.equal(await choose('call_none'), undefined);
  });
});

describe('the sweep for lost gateways', () => {
  /** Runs the sweep once, as a worker does. */
  async function look(): Promise<void> {
    const { db } = harness.context;
    const [sweep] = streamSweeps(harness.context);
    assert.ok(sweep);
    await run('delete from jobs where id = $1', [sweep.handler.kind]);
    await planSweeps(db, [sweep]);
    const kinds = [sweep.handler.kind];
    const { jobs } = await claimJobs(db, 'default', { kinds, leaseMs: 30_000, leaseToken: 'look', jobsMax: 1 });
    assert.equal(jobs.length, 1);
    await sweep.handler.run(jobs as readonly Job[]);
  }

  const laterOn = () => run(`update gateway_nodes set missed_at = missed_at - interval '5 s'`);

  async function openStream(): Promise<Json> {
    const stream = await startStream(harness, await talk());
    await connectStream(harness.context.db, stream.id);
    return stream;
  }
  const typesOf = async ({ id }: Json) => (await listEvents(harness, id)).map(({ type }) => type);

  test('ends streams in its second run, and no stream of a node that is seen again before it', async () => {
    await see('gone');
    const lost = await openStream();
    await unsee('gone', 60);
    await see('back');
    const living = await openStream();
    await unsee('back', 60);
    for (let n = 0; n < 2; n++) await look();
    assert.deepEqual(await typesOf(lost), ['call.stream.started']);
    await see('back');
    await laterOn();
    await look();
    assert.deepEqual(await typesOf(living), ['call.stream.started']);
    assert.deepEqual(await typesOf(lost), ['call.stream.started', 'call.stream.failed']);
    await unsee('back', 60);
    await look();
    assert.deepEqual(await typesOf(living), ['call.stream.started'], 'each absence has its two looks');
  });

  test('ends the others if one call cannot be stepped, and fails afterwards', async () => {
    await see('gone');
    const streams = [await openStream(), await openStream(), await openStream()];
    const broken = streams.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
    await run(`update calls set state = '{}' where id = $1`, [broken.call_id]);
    await unsee('gone', 60);
    await look();
    await laterOn();
    await assert.rejects(look(), AggregateError);
    for (const stream of streams) {
      const ends = stream === broken ? [] : ['call.stream.failed'];
      assert.deepEqual(await typesOf(stream), ['call.stream.started', ...ends]);
    }
  });
});
