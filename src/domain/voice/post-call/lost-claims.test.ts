/** Writes of a worker for a job whose claim it has lost, and for a job that is not about a call of its ledger. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listEvents, testLedger } from '../../../../test/support/events.ts';
import { gate, sql } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { statement } from '../../../db/statement.ts';
import { newId } from '../../../lib/ids.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import { lockCall } from '../calls/queries.ts';
import { keepCallRecording } from '../recordings/queries.ts';
import { writeSummary } from '../transcripts/summary-queries.ts';

const { harness, line } = await useLine({ startWorkers: false });
const { db } = harness.context;
const ledgerId = await testLedger(harness);
const call = await talk(harness, line);
const { tenant_id: tenantId } = call;
const before = await read(harness, `/calls/${call.id}`);

/** Stores a job that a worker has claimed. */
async function claimedJob(ofLedger = ledgerId): Promise<Job> {
  const job = {
    ledgerId: ofLedger,
    id: newId('call'),
    kind: 'test',
    payload: {},
    attempt: 1,
    leaseToken: newId('call'),
  };
  await sql(
    db,
    `insert into jobs (ledger_id, id, queue, kind, payload, due_at, run_at, lease_token)
     values ($1, $2, 'audio', 'test', '{}', now(), now() + interval '1 hour', $3)`,
    [job.ledgerId, job.id, job.leaseToken],
  );
  return job;
}

const isStored = async ({ id }: Job) => (await sql(db, 'select 1 from jobs where id = $1', [id])).length > 0;
const lost = (job: Job): Job => ({ ...job, leaseToken: 'another' });

const newRecording = () => {
  const id = newId('recording');
  return { id, callId: call.id, durationMs: 2_500, consentAnnounced: true, blobKey: `${ledgerId}/${id}.wav` };
};
const write = (job: Job, changes: { segments?: number; callId?: string } = {}) => {
  const made = { callId: call.id, tenantId, summary: 'Short.', segments: 0, ...changes };
  return db.transaction(async (tx) => {
    await lockCall(tx, { ledgerId }, call.id);
    return writeSummary(tx, job, made);
  });
};
const unchanged = async () => assert.deepEqual(await read(harness, `/calls/${call.id}`), before);

const [{ id: otherLedger }] = (await sql<{ id: number }>(db, 'select id from ledgers where id <> $1 limit 1', [
  ledgerId,
])) as [{ id: number }];

describe('the recording of a job', () => {
  test('whose claim is lost is not kept, has no event, and its call does not name it', async () => {
    const job = await claimedJob();
    const recording = newRecording();
    await assert.rejects(keepCallRecording(db, lost(job), tenantId, recording), LeaseLostError);
    assert.deepEqual(await listEvents(harness, recording.id), []);
    assert.equal((await sql(db, 'select 1 from recordings where id = $1', [recording.id])).length, 0);
    assert.ok(await isStored(job));
    await unchanged();
  });

  test('of another ledger is not kept, and nothing is completed', async () => {
    const job = await claimedJob(otherLedger);
    const recording = newRecording();
    assert.equal(await keepCallRecording(db, job, tenantId, recording), false);
    assert.equal((await sql(db, 'select 1 from recordings where id = $1', [recording.id])).length, 0);
    assert.ok(await isStored(job));
    await unchanged();
  });

  test('waits for a writer of the call, then is kept, and a second job changes nothing', async () => {
    const [changed, mayEnd] = [gate(), gate()];
    const CHANGE = statement('test_change_call', 'update calls set record = true where id = $1');
    const writer = db.transaction(async (tx) => {
      await tx.query(CHANGE, [call.id]);
      changed.open();
      await mayEnd.opened;
    });
    await changed.opened;
    const [job, again] = [await claimedJob(), await claimedJob()];
    const recording = newRecording();
    const kept = keepCallRecording(db, job, tenantId, recording);
    mayEnd.open();
    await writer;
    assert.equal(await kept, true);
    assert.equal(await keepCallRecording(db, again, tenantId, { ...recording, durationMs: 9_000 }), true);
    assert.deepEqual([await isStored(job), await isStored(again)], [false, false]);
    const { recording_id, record } = await read(harness, `/calls/${call.id}`);
    assert.deepEqual([recording_id, record], [recording.id, true]);
    const events = await listEvents(harness, recording.id);
    const { audio_url: _, ...stored } = await read(harness, `/recordings/${recording.id}`);
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ ...stored, audio_url: `/v1/recordings/${recording.id}/audio` }],
    );
    assert.equal(stored.duration_seconds, 3);
    await sql(db, 'update calls set record = false, recording_id = null where id = $1', [call.id]);
  });
});

describe('the summary of a job', () => {
  test('whose claim is lost is not written and has no event', async () => {
    const job = await claimedJob();
    await assert.rejects(write(lost(job)), LeaseLostError);
    assert.ok(await isStored(job));
    await unchanged();
    assert.ok((await listEvents(harness, call.id)).every(({ type }) => type !== 'call.summary'));
  });

  test('of another ledger is not written', async () => {
    const job = await claimedJob(otherLedger);
    assert.equal(await write(job), false);
    assert.ok(await isStored(job));
    await unchanged();
  });

  test('that leaves out a segment, or an utterance that waits for its text, is not written', async () => {
    const job = await claimedJob();
    assert.equal(await write(job, { segments: 1 }), false);
    await sql(
      db,
      `insert into call_utterances (ledger_id, call_id, ref, speaker, text, ended_at)
       values ($1, $2, 'late', 'agent', null, now())`,
      [ledgerId, call.id],
    );
    assert.equal(await write(job), false);
    await sql(db, 'delete from call_utterances where call_id = $1', [call.id]);
    assert.ok(await isStored(job));
    await unchanged();
  });

  test('is written with its event, which shows it, and with the end of the job', async () => {
    const job = await claimedJob();
    assert.equal(await write(job), true);
    assert.equal(await isStored(job), false);
    const shown = await read(harness, `/calls/${call.id}`);
    assert.equal(shown.summary, 'Short.');
    const last = (await listEvents(harness, call.id)).at(-1);
    assert.deepEqual([last?.type, last?.data], ['call.summary', shown]);
  });
});
