import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Json, listEvents, testLedger } from '../../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { talk as talkOn } from '../../../../test/support/recordings.ts';
import { startStream } from '../../../../test/support/streams.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { claimJobs } from '../../../queue/jobs/worker-claims.ts';
import { planSweeps } from '../../../queue/worker/sweep.ts';
import { connectStream } from './connections.ts';
import { streamSweeps } from './jobs.ts';
import { endAudio } from './leg-audio.ts';
import { chooseNode, seeNode } from './node-queries.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startHarness({ startWorkers: false, serveMedia: false });
});
afterEach(() => harness.close());

/** Places a click-to-call on a new number and returns its id when the parties are joined. */
const talk = async (): Promise<string> => (await talkOn(harness, await makeLine(harness))).id;

const run = (text: string, values: readonly unknown[] = []) => sql<Json>(harness.context.db, text, values);
const see = (nodeId: string, isDraining = false) =>
  seeNode(harness.context.db, { nodeId, url: 'ws://127.0.0.1:1', isDraining });
/** Moves the last heartbeat of a node into the past. */
const unsee = (nodeId: string, seconds: number) =>
  run(`update gateway_nodes set seen_at = clock_timestamp() - make_interval(secs => $2) where node_id = $1`, [
    nodeId,
    seconds,
  ]);

describe('the node of a call’s audio', () => {
  const choose = async (callId: string) =>
    chooseNode(harness.context.db, { ledgerId: await testLedger(harness) }, { callId });

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

  test('that drains keeps the call and takes no new stream; other calls get another node', async () => {
    await see('one');
    const callId = await talk();
    assert.equal(await choose(callId), 'one');
    await see('another');
    await see('one', true);
    assert.equal(await choose(callId), undefined);
    const reply = await harness.call('POST', `/v1/calls/${callId}/streams`, { body: {} });
    assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
    assert.equal(await choose(await talk()), 'another');
    assert.deepEqual(await run(`select node_id from call_audio_nodes where call_id = $1`, [callId]), [
      { node_id: 'one' },
    ]);
    await unsee('one', 11);
    assert.equal(await choose(callId), 'another');
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
