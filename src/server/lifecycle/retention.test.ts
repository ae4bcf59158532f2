import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playParty } from '../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../test/support/events.ts';
import { sql } from '../../../test/support/jobs.ts';
import { arrive, newPerson, read, refusal, sendText, trySend } from '../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../test/support/numbers.ts';
import { leaveMessage, talk } from '../../../test/support/recordings.ts';
import { runLedgerDue } from '../../test-clock/run-due.ts';

const { harness } = await useLine({ startWorkers: false });
const { db, blobs } = harness.context;

const DAY_S = 86_400;
const LIMITS = { message_days: 30, recording_days: 400, voicemail_days: 10, transcript_days: 100 };
const statusOf = async (path: string) => (await harness.call('GET', `/v1${path}`)).status;
const setRetention = (tenantId: string, retention: object) =>
  harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { retention } });

/** Makes one item of each kind of content for a new tenant. */
async function contents() {
  const own = await makeLine(harness);
  const { voicemail_id } = await leaveMessage(harness, own, { message: { transcript: 'My card is lost.' } });
  const talked = await talk(harness, own, { record: true, transcribe: true });
  await playParty(harness, talked.id, 'speech', { speaker: 'customer', text: 'My card is lost.' });
  await harness.advance(30);
  const { id, recording_id } = await read(harness, `/calls/${talked.id}`);
  const text = await arrive(harness, newPerson(), own.number.phone_number, 'My card is lost.');
  const keys = await sql<{ blob_key: string }>(db, 'select blob_key from recordings where tenant_id = $1', [
    own.tenantId,
  ]);
  const paths = {
    message: `/messages/${text.id}`,
    recording: `/recordings/${recording_id}`,
    voicemail: `/voicemails/${voicemail_id}`,
    transcript: `/calls/${id}/transcript`,
  };
  return { own, callId: id, text, paths, keys: keys.map(({ blob_key }) => blob_key) };
}

async function kept(paths: Readonly<Record<string, string>>): Promise<string[]> {
  const all = await Promise.all(
    Object.entries(paths).map(async ([kind, path]) => ((await statusOf(path)) === 200 ? [kind] : [])),
  );
  return all.flat();
}

test('each kind of content is deleted after its own number of days by the ledger, and the rest stays', async () => {
  const { now: from } = await read(harness, '/test/clock');
  const { own, callId, text, paths, keys } = await contents();
  const other = await contents();
  const set = await setRetention(own.tenantId, LIMITS);
  assert.deepEqual([set.status, set.body.retention], [200, LIMITS]);
  const range = `start=${from}&end=${(await read(harness, '/test/clock')).now}`;
  const usage = await read(harness, `/usage?tenant_id=${own.tenantId}&${range}`);
  await harness.advance(9 * DAY_S);
  assert.deepEqual(await kept(paths), ['message', 'recording', 'voicemail', 'transcript']);
  await harness.advance(2 * DAY_S);
  assert.deepEqual(await kept(paths), ['message', 'recording', 'transcript']);
  await harness.advance(20 * DAY_S);
  assert.deepEqual(await kept(paths), ['recording', 'transcript']);
  await harness.advance(70 * DAY_S);
  assert.deepEqual(await kept(paths), ['recording']);
  await harness.advance(300 * DAY_S);
  assert.deepEqual(await kept(paths), []);
  await runLedgerDue(harness.workers.ledgerWork, 0);
  assert.equal(keys.length, 2);
  for (const key of keys) assert.equal(await blobs.size(key), undefined);
  for (const [table, column, id] of [
    ['messages', 'id', text.id],
    ['recordings', 'tenant_id', own.tenantId],
    ['voicemails', 'tenant_id', own.tenantId],
    ['transcript_segments', 'call_id', callId],
  ]) {
    assert.deepEqual(await sql(db, `select 1 from ${table} where ${column} = $1`, [id]), [], table);
  }
  assert.deepEqual(await read(harness, `/usage?tenant_id=${own.tenantId}&${range}`), usage);
  assert.equal((await read(harness, `/calls/${callId}`)).status, 'completed');
  assert.deepEqual(await kept(other.paths), ['message', 'recording', 'voicemail', 'transcript']);
});

test('events that are younger than their own retention lose the content with the resource', async () => {
  const { own, callId, text, paths } = await contents();
  await setRetention(own.tenantId, { message_days: 1, voicemail_days: 1, recording_days: 1, transcript_days: 1 });
  await harness.advance(2 * DAY_S);
  assert.deepEqual(await kept(paths), []);
  const voicemailId = paths.voicemail.split('/')[2] as string;
  const events = await Promise.all([text.id, callId, voicemailId].map((id: string) => listEvents(harness, id)));
  assert.doesNotMatch(JSON.stringify(events), /My card is lost/);
  assert.ok(events.flat().some(({ type, data }: Json) => type === 'message.received' && data.body === ''));
  const { last_message_preview } = await read(harness, `/conversations/${text.conversation_id}`);
  assert.equal(last_message_preview, '');
});

test('a text that waits for its time is kept until it has been sent', async () => {
  const own = await makeLine(harness);
  await setRetention(own.tenantId, { message_days: 1 });
  const { now } = await read(harness, '/test/clock');
  const send_at = new Date(Date.parse(now) + 5 * DAY_S * 1_000).toISOString();
  const { id } = (await trySend(harness, { from: own.number.id, to: newPerson(), body: 'Later', send_at })).body;
  await harness.advance(4 * DAY_S);
  assert.equal((await read(harness, `/messages/${id}`)).status, 'scheduled');
  await harness.advance(2 * DAY_S);
  assert.equal(await statusOf(`/messages/${id}`), 404);
});

test('a recording of a voicemail stays with its voicemail, and does not hold up the recordings after it', async () => {
  const { own, paths } = await contents();
  await setRetention(own.tenantId, { recording_days: 1 });
  await harness.advance(2 * DAY_S);
  assert.deepEqual(await kept(paths), ['message', 'voicemail', 'transcript']);
  assert.equal(await statusOf(`${paths.voicemail}/audio`), 200);
  const [progress] = await sql<Json>(db, 'select kind from retention_progress where tenant_id = $1', [own.tenantId]);
  assert.equal(progress?.kind, 'recording_days');
  await setRetention(own.tenantId, { voicemail_days: 1 });
  await harness.advance(1);
  assert.equal(await statusOf(paths.voicemail), 404);
});

test('a limit that is not given stays as it is; days out of range are refused by their field', async () => {
  const own = await makeLine(harness);
  const { retention } = await read(harness, `/tenants/${own.tenantId}`);
  assert.deepEqual(Object.values(retention), [null, null, null, null]);
  await setRetention(own.tenantId, { message_days: 7 });
  const both = await setRetention(own.tenantId, { recording_days: 8 });
  assert.deepEqual(both.body.retention, { ...retention, message_days: 7, recording_days: 8 });
  for (const days of [0, 3651, 1.5, '7']) {
    const reply = await setRetention(own.tenantId, { message_days: days });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', 'retention.message_days']);
  }
  await sendText(harness, own.number.id, newPerson());
  const unset = await setRetention(own.tenantId, { message_days: null, recording_days: null });
  assert.deepEqual(unset.body.retention, retention);
});
