import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logOf } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { leaveMessage, listen, stretch, talk } from '../../../../test/support/recordings.ts';
import { powerAt } from '../../../../test/support/tone-power.ts';
import { writeCursor } from '../../../http/schemas/pagination.ts';
import { updateAccountStatus } from '../../accounts/index.ts';

const { harness, line } = await useLine({ startWorkers: false });

/** Places a recorded call and returns it after its end. */
async function recorded(fields: object = {}) {
  const { id } = await talk(harness, line, { record: true, ...fields });
  await harness.advance(30);
  const call = await read(harness, `/calls/${id}`);
  assert.equal(call.status, 'completed');
  assert.ok(call.recording_id, JSON.stringify(call.events));
  return call;
}

/** Returns the starts (ms) of the 100 ms parts that contain both tones of a DTMF digit most loudly. */
function digitMs(pcm: Int16Array, [lowHz, highHz]: readonly [number, number]): number {
  const powers = Array.from({ length: Math.floor((pcm.length - 800) / 40) }, (_, index) => {
    const tone = { start: index * 40, length: 800 };
    return Math.min(powerAt(pcm, lowHz, tone), powerAt(pcm, highHz, tone));
  });
  const loudest = Math.max(...powers);
  assert.ok(loudest > 1_000_000, `no ${lowHz} and ${highHz} Hz: ${loudest}`);
  return powers.indexOf(loudest) * 5;
}

/** Returns the time (ms) of the digits that the simulated carrier played into the recording. */
async function playedAtMs(callId: string): Promise<number> {
  const [row] = await sql<{ ms: number }>(
    harness.context.db,
    `select (extract(epoch from s.starts_at - r.starts_at) * 1000)::float8 as ms
     from simulated_sounds s join simulated_recordings r using (ledger_id, call_ref)
     where s.call_ref = $1 and s.kind = 'digits'`,
    [callId],
  );
  return row?.ms ?? Number.NaN;
}

describe('the recording of a click-to-call', () => {
  test('has one event, can be read, and shows that the recording was announced', async () => {
    const call = await recorded();
    const [created, ...more] = await listEvents(harness, call.recording_id);
    assert.deepEqual(more, []);
    assert.equal(created.type, 'recording.created');
    assert.equal(created.tenant_id, line.tenantId);
    const recording = await read(harness, `/recordings/${call.recording_id}`);
    const { audio_url, ...rest } = recording;
    assert.deepEqual(created.data, { ...rest, audio_url: `/v1/recordings/${call.recording_id}/audio` });
    assert.equal(recording.object, 'recording');
    assert.equal(recording.call_id, call.id);
    assert.equal(recording.tenant_id, line.tenantId);
    assert.equal(recording.consent_announced, true);
    assert.match(audio_url, /^http:\/\/localhost\/v1\/recordings\/rec_\w+\/audio\?expires=\d+&signature=/);
  });

  test('has both parties, mixed, and lasts as long as it says', async () => {
    const call = await recorded();
    const recording = await read(harness, `/recordings/${call.recording_id}`);
    const pcm = await listen(harness, `/v1/recordings/${call.recording_id}/audio`);
    assert.ok(Math.abs(pcm.length / 8_000 - recording.duration_seconds) <= 0.5);
    assert.ok(recording.duration_seconds >= 10, `${recording.duration_seconds} s`);
    for (const hz of [440, 620]) {
      const power = powerAt(pcm, hz);
      assert.ok(power > 100 * Math.max(powerAt(pcm, hz + 90), powerAt(pcm, hz - 70)), `${hz} Hz: ${power}`);
    }
    // Both sounds play at the same time, not one after the other.
    const seconds = Math.floor(pcm.length / 8_000);
    const both = [...new Array(seconds - 1).keys()].filter((second) =>
      [440, 620].every((hz) => powerAt(pcm, hz, stretch(second * 1_000, second * 1_000 + 1_000)) > 1_000),
    );
    assert.ok(both.length >= seconds - 3, `both in ${both.length} of ${seconds} seconds`);
  });

  test('has digits that the API sent at the time they were played, to 20 ms', async () => {
    const { id } = await talk(harness, line, { record: true });
    await harness.advance(4);
    const sent = await harness.call('POST', `/v1/calls/${id}/dtmf`, { body: { digits: '5w9' } });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    await harness.advance(30);
    const call = await read(harness, `/calls/${id}`);
    const pcm = await listen(harness, `/v1/recordings/${call.recording_id}/audio`);
    const heardMs = digitMs(pcm, [770, 1_336]);
    const playedMs = await playedAtMs(id);
    assert.ok(Math.abs(heardMs - playedMs) <= 20, `heard at ${heardMs}, played at ${playedMs} ms`);
    // The log has the time of the request. The carrier plays the digits shortly after it.
    const at = (type: string) => Date.parse(call.events.find((each: { type: string }) => each.type === type).at);
    const loggedMs = at('dtmf') - at('recording_started');
    assert.ok(
      heardMs >= loggedMs - 500 && heardMs <= loggedMs + 5_000,
      `heard at ${heardMs}, logged at ${loggedMs} ms`,
    );
    // Each digit lasts 100 ms, with 100 ms of silence after it. Half a second lies between the digits.
    assert.ok(Math.abs(digitMs(pcm, [852, 1_477]) - heardMs - 700) <= 20);
  });

  test('does not have the announcement, which comes before it', async () => {
    const call = await recorded();
    const log = logOf(call);
    assert.ok(log.indexOf('announcement_played') < log.indexOf('recording_started'));
  });

  test('is not made unless it is requested', async () => {
    const { id } = await talk(harness, line);
    await harness.advance(30);
    const call = await read(harness, `/calls/${id}`);
    assert.equal(call.recording_id, null);
    assert.deepEqual((await read(harness, `/recordings?call_id=${id}`)).data, []);
  });
});

describe('the audio of a recording', () => {
  test('is served by its link without a key, in parts too', async () => {
    const { recording_id } = await recorded();
    const { audio_url } = await read(harness, `/recordings/${recording_id}`);
    const url = harness.url + audio_url.slice('http://localhost'.length);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const part = await fetch(url, { headers: { range: 'bytes=44-143' } });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(44, 144));
  });

  test('is not served by an altered link', async () => {
    const [{ recording_id }, other] = [await recorded(), await recorded()];
    const { audio_url } = await read(harness, `/recordings/${recording_id}`);
    const path = audio_url.slice('http://localhost'.length).replace(recording_id, other.recording_id);
    assert.deepEqual(refusal(await harness.call('GET', path, { key: null }))[1], 'invalid_api_key');
  });

  test('is not served to other keys', async () => {
    const { recording_id } = await recorded();
    const path = `/v1/recordings/${recording_id}/audio`;
    const stranger = await harness.secondAccount();
    assert.equal(refusal(await harness.call('GET', path, { key: stranger.test_key }))[1], 'recording_not_found');
    const other = await makeLine(harness);
    const key = await harness.tenantKey(other.tenantId);
    assert.equal(refusal(await harness.call('GET', path, { key }))[1], 'tenant_restricted_key');
    assert.ok((await listen(harness, path, await harness.tenantKey(line.tenantId))).length > 0);
  });
});

describe('recordings', () => {
  test('are listed newest first, by tenant, by call and by time', async () => {
    const own = await makeLine(harness);
    const record = async () => {
      const { id } = await talk(harness, own, { record: true });
      await harness.advance(30);
      return (await read(harness, `/calls/${id}`)) as { id: string; recording_id: string };
    };
    const [first, second] = [await record(), await record()];
    const list = async (query: string) =>
      (await read(harness, `/recordings?${query}`)).data.map((row: { id: string }) => row.id);
    assert.deepEqual(await list(`tenant_id=${own.tenantId}`), [second.recording_id, first.recording_id]);
    assert.deepEqual(await list(`call_id=${first.id}`), [first.recording_id]);
    const { created_at } = await read(harness, `/recordings/${second.recording_id}`);
    assert.deepEqual(await list(`tenant_id=${own.tenantId}&start=${created_at}`), [second.recording_id]);
    assert.deepEqual(await list(`tenant_id=${own.tenantId}&end=${created_at}`), [first.recording_id]);
    const page = await read(harness, `/recordings?tenant_id=${own.tenantId}&limit=1`);
    assert.deepEqual([page.data[0].id, page.has_more], [second.recording_id, true]);
    assert.deepEqual(await list(`tenant_id=${own.tenantId}&limit=1&after=${page.next_cursor}`), [first.recording_id]);
  });

  test('are listed by the time their audio was kept, not by the start of their calls', async () => {
    const own = await makeLine(harness);
    const [long, short] = [await talk(harness, own, { record: true }), await talk(harness, own, { record: true })];
    await harness.advance(4);
    await harness.call('POST', `/v1/calls/${short.id}/hangup`);
    await harness.advance(1);
    await harness.advance(30);
    const { data } = await read(harness, `/recordings?tenant_id=${own.tenantId}`);
    const callsOf = (rows: Json[]) => rows.map((row) => row.call_id);
    assert.deepEqual(callsOf(data), [long.id, short.id]);
    assert.ok(data[0].created_at > data[1].created_at);
    const first = await read(harness, `/recordings?limit=1`);
    assert.deepEqual(callsOf(first.data), [long.id]);
    const rest = await read(harness, `/recordings?limit=1&after=${first.next_cursor}`);
    assert.deepEqual(callsOf(rest.data), [short.id]);
    const idCursor = writeCursor(['recordings', data[0].id]);
    const refused = refusal(await harness.call('GET', `/v1/recordings?after=${idCursor}`));
    assert.deepEqual(refused, [400, 'invalid_cursor', 'after']);
  });

  test('that do not exist are not found', async () => {
    for (const path of ['/v1/recordings/rec_none', '/v1/recordings/rec_none/audio']) {
      assert.deepEqual(refusal(await harness.call('GET', path)).slice(0, 2), [404, 'recording_not_found']);
    }
    for (const call_id of ['call_none', '%00']) {
      const reply = await harness.call('GET', `/v1/recordings?call_id=${call_id}`);
      assert.deepEqual(refusal(reply), [404, 'call_not_found', 'call_id']);
    }
  });
});

test('emptying the ledger removes the audio', async () => {
  const own = await startHarness({ startWorkers: true });
  try {
    const caller = await makeLine(own);
    const { id } = await talk(own, caller, { record: true, to: newPerson() });
    await own.advance(30);
    const { recording_id } = await read(own, `/calls/${id}`);
    const [row] = await own.context.db.query<{ blob_key: string }>(
      { name: '', text: 'select blob_key from recordings where id = $1' },
      [recording_id],
    );
    const key = row?.blob_key as string;
    assert.ok(await own.context.blobs.size(key));
    assert.equal((await own.call('POST', '/v1/test/reset')).status, 200);
    await until('the audio is removed', async () => (await own.context.blobs.size(key)) === undefined);
  } finally {
    await own.close();
  }
});

test('links to audio that were signed before a suspension of the account do not open it any more', async () => {
  const { voicemail_id } = await leaveMessage(harness, line);
  const { recording_id } = await recorded();
  const links = [
    (await read(harness, `/voicemails/${voicemail_id}`)).audio_url,
    (await read(harness, `/recordings/${recording_id}`)).audio_url,
  ].map((url: string) => new URL(new URL(url).pathname + new URL(url).search, harness.url));
  const statuses = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
  assert.deepEqual(await statuses(), [200, 200]);
  await updateAccountStatus(harness.context.db, harness.account.id, 'suspended');
  try {
    assert.deepEqual(await statuses(), [403, 403]);
  } finally {
    await updateAccountStatus(harness.context.db, harness.account.id, 'active');
  }
});
