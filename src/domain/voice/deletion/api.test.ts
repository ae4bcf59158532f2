import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { playParty } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { read, refusal } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { leaveMessage, talk } from '../../../../test/support/recordings.ts';
import { skip } from '../../../../test/support/stepping-time.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

const { harness, line } = await useLine({ startWorkers: false });
const { db, blobs } = harness.context;

const remove = async (path: string, key?: string) => {
  const reply = await harness.call('DELETE', `/v1${path}`, key === undefined ? {} : { key });
  assert.equal(reply.status, 204, JSON.stringify(reply.body));
};
const codeAt = async (path: string, method = 'GET') => refusal(await harness.call(method, `/v1${path}`)).slice(0, 2);
const usage = async () => (await read(harness, '/usage')).data;
const actions = async (resourceId: string): Promise<Json[]> =>
  (await read(harness, '/audit_log?limit=100')).data.filter((entry: Json) => entry.resource_id === resourceId);

async function blobOf(recordingId: string): Promise<string> {
  const [row] = await sql<{ blob_key: string }>(db, 'select blob_key from recordings where id = $1', [recordingId]);
  return row?.blob_key ?? assert.fail('the recording is not stored');
}

/** Checks that an event did not change, except for its data. */
function assertSame({ data: before, ...envelope }: Json, { data: after, ...redacted }: Json): [Json, Json] {
  assert.deepEqual(redacted, envelope);
  return [before, after];
}

describe('a deleted recording', () => {
  test('is gone with its audio and its place in lists; its event, the call and the usage stay', async () => {
    const { id } = await talk(harness, line, { record: true });
    await harness.advance(30);
    const { recording_id } = await read(harness, `/calls/${id}`);
    const [key, used] = [await blobOf(recording_id), await usage()];
    assert.ok(await blobs.size(key));
    const [event] = await listEvents(harness, recording_id);
    await remove(`/recordings/${recording_id}`);
    for (const path of [`/recordings/${recording_id}`, `/recordings/${recording_id}/audio`]) {
      assert.deepEqual(await codeAt(path), [404, 'recording_not_found']);
    }
    assert.deepEqual(await codeAt(`/recordings/${recording_id}`, 'DELETE'), [404, 'recording_not_found']);
    assert.deepEqual((await read(harness, `/recordings?call_id=${id}`)).data, []);
    await runLedgerDue(harness.workers.ledgerWork, 0);
    assert.equal(await blobs.size(key), undefined);
    const [before, { redacted_at, ...after }] = assertSame(event, (await listEvents(harness, recording_id))[0]);
    assert.deepEqual(after, before);
    assert.match(redacted_at, /^20/);
    assert.equal((await read(harness, `/calls/${id}`)).recording_id, recording_id);
    assert.deepEqual(await usage(), used);
  });

  test('is removed from the store also if the store fails at first, and its process ends before', async () => {
    const { id } = await talk(harness, line, { record: true });
    await harness.advance(30);
    const { recording_id } = await read(harness, `/calls/${id}`);
    const key = await blobOf(recording_id);
    const removeBlob = blobs.remove;
    let attempts = 0;
    blobs.remove = async () => {
      attempts++;
      throw new Error('the store does not answer');
    };
    try {
      await remove(`/recordings/${recording_id}`);
      await runLedgerDue(harness.workers.ledgerWork, 0);
      assert.ok(attempts > 0);
    } finally {
      blobs.remove = removeBlob;
    }
    assert.ok(await blobs.size(key));
    await skip(600_000);
    await runLedgerDue(harness.workers.ledgerWork, 0);
    assert.equal(await blobs.size(key), undefined);
  });

  test('is not made again by a repeated run of the job that kept it', async () => {
    const { id } = await talk(harness, line, { record: true });
    await harness.advance(30);
    const { recording_id } = await read(harness, `/calls/${id}`);
    await remove(`/recordings/${recording_id}`);
    const payload = JSON.stringify({
      callId: id,
      recordingId: recording_id,
      durationMs: 1_000,
      purpose: 'call',
      announced: true,
    });
    await sql(
      db,
      `insert into jobs (ledger_id, id, queue, kind, payload, run_at)
       select ledger_id, 'again', 'audio', 'keep-audio', $2, clock_timestamp() from calls where id = $1`,
      [id, payload],
    );
    await harness.advance(5);
    assert.deepEqual(await sql(db, `select 1 from jobs where id = 'again'`), []);
    assert.deepEqual(await codeAt(`/recordings/${recording_id}`), [404, 'recording_not_found']);
  });

  test('of a voicemail takes the voicemail with it', async () => {
    const { voicemail_id } = await leaveMessage(harness, line);
    const [{ data }] = (await listEvents(harness, voicemail_id)) as [Json];
    await remove(`/recordings/${data.recording_id}`);
    assert.deepEqual(await codeAt(`/voicemails/${voicemail_id}`), [404, 'voicemail_not_found']);
  });
});

test('a deleted voicemail is gone with its transcript and audio, and its event has no words', async () => {
  const { id, voicemail_id } = await leaveMessage(harness, line, { message: { transcript: 'My card is lost.' } });
  const [event] = await listEvents(harness, voicemail_id);
  assert.equal(event.data.transcript, 'My card is lost.');
  const key = await blobOf(event.data.recording_id);
  await remove(`/voicemails/${voicemail_id}`, await harness.tenantKey(line.tenantId));
  assert.deepEqual(await codeAt(`/voicemails/${voicemail_id}`), [404, 'voicemail_not_found']);
  assert.deepEqual(await codeAt(`/recordings/${event.data.recording_id}`), [404, 'recording_not_found']);
  const [before, after] = assertSame(event, (await listEvents(harness, voicemail_id))[0]);
  assert.deepEqual(after, { ...before, transcript: null, redacted_at: after.redacted_at });
  await runLedgerDue(harness.workers.ledgerWork, 0);
  assert.equal(await blobs.size(key), undefined);
  assert.equal((await read(harness, `/calls/${id}`)).voicemail_id, voicemail_id);
  const [entry] = await actions(voicemail_id);
  assert.deepEqual([entry.action, entry.actor.type], ['voicemail.deleted', 'key']);
  assert.deepEqual([entry.tenant_id, entry.details], [line.tenantId, {}]);
});

describe('a deleted transcript', () => {
  test('is not found, and its events and those of the summary have no words', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    await playParty(harness, id, 'speech', { speaker: 'customer', text: 'My card ends in 4242.' });
    await harness.advance(30);
    assert.ok((await read(harness, `/calls/${id}`)).summary);
    const before = await listEvents(harness, id);
    await remove(`/calls/${id}/transcript`);
    assert.deepEqual(await codeAt(`/calls/${id}/transcript`), [404, 'transcript_not_found']);
    assert.deepEqual(await codeAt(`/calls/${id}/transcript`, 'DELETE'), [404, 'transcript_not_found']);
    assert.equal((await read(harness, `/calls/${id}`)).summary, null);
    const after = await listEvents(harness, id);
    assert.equal(after.length, before.length);
    for (const [index, event] of after.entries()) assertSame(before[index], event);
    assert.doesNotMatch(JSON.stringify(after), /4242|Customer:/);
    assert.ok(after.some(({ type, data }) => type === 'call.transcript' && data.text === '' && data.redacted_at));
  });

  test('gets no words of the rest of the call, and no summary', async () => {
    const { id } = await talk(harness, line, { transcribe: true });
    await remove(`/calls/${id}/transcript`);
    await playParty(harness, id, 'speech', { speaker: 'customer', text: 'My card ends in 4242.' });
    await harness.advance(60);
    assert.equal((await read(harness, `/calls/${id}`)).status, 'completed');
    assert.deepEqual(await codeAt(`/calls/${id}/transcript`), [404, 'transcript_not_found']);
    assert.deepEqual(await sql(db, 'select 1 from transcript_segments where call_id = $1', [id]), []);
    assert.deepEqual(await sql(db, 'select 1 from call_utterances where call_id = $1', [id]), []);
    const types = (await listEvents(harness, id)).map(({ type }) => type);
    assert.deepEqual(
      types.filter((type) => type === 'call.transcript' || type === 'call.summary'),
      [],
    );
  });
});
