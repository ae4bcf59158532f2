import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, logOf, playParty, readCall, ringing, route, voicemail } from '../../../../test/support/calls.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { leaveMessage } from '../../../../test/support/recordings.ts';
import { sleep } from '../../../../test/support/stepping-time.ts';
import { logIn, makeWebClient } from '../../../../test/support/web-clients.ts';

const { harness, line } = await useLine({ startWorkers: false });

/** Makes a call whose caller started to leave its message less than half a second ago. */
async function speakAfterTone(): Promise<string> {
  const greeting = { ...voicemail, greeting_text: 'Hello.' };
  await route(harness, line, {
    closed_behavior: greeting,
    open_behavior: ringing([newPerson()], { no_answer: greeting }),
  });
  const { id } = await callIn(harness, line, { script: 'ring 0.1, decline' });
  for (let step = 0; step < 40; step++) {
    await harness.advance(0.25);
    if (logOf(await readCall(harness, id)).includes('voicemail_started')) return id;
  }
  return assert.fail('there was no tone');
}

async function messageOf(id: string) {
  await harness.advance(30);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
  return read(harness, `/voicemails/${call.voicemail_id}`);
}

test('a message that a test asks for after the tone replaces the message that the caller is leaving', async () => {
  const id = await speakAfterTone();
  await playParty(harness, id, 'voicemail', { seconds: 6, transcript: 'It is about Tuesday.' });
  const { duration_seconds, transcript } = await messageOf(id);
  assert.deepEqual([duration_seconds, transcript], [6, 'It is about Tuesday.']);
});

test('a message keeps its length, however late the worker is that ends it', async () => {
  const id = await speakAfterTone();
  await harness.advance(1.5);
  // No worker runs, but the ledger's clock advances.
  await sleep(2_500);
  const { context } = harness;
  const [recording] = await context.db.query<{ recording_ref: string }>(
    { name: '', text: 'select recording_ref from simulated_recordings where call_ref = $1 and ended_at is null' },
    [id],
  );
  assert.ok(recording !== undefined, 'it is still being recorded');
  await messageOf(id);
  const [ended] = await context.db.query<{ ms: number }>(
    {
      name: '',
      text: `select extract(epoch from ended_at - starts_at)::float8 * 1000 as ms from simulated_recordings
             where recording_ref = $1`,
    },
    [recording.recording_ref],
  );
  assert.equal(ended?.ms, 3_000);
});

test('a caller that is sent to the voicemail leaves the message that the test asked for', async () => {
  const call = await leaveMessage(harness, line, { message: { seconds: 5, transcript: 'Later.' } });
  assert.equal((await read(harness, `/voicemails/${call.voicemail_id}`)).duration_seconds, 5);
});

test('a web client that is dialled after the caller was sent to the voicemail does not ring', async () => {
  const { id: webClientId } = await makeWebClient(harness, line.tenantId);
  const webClient = await logIn(harness, webClientId);
  await route(harness, line, { open_behavior: ringing([webClientId]) });
  const { id } = await callIn(harness, line);
  await playParty(harness, id, 'voicemail');
  await harness.advance(30);
  await webClient.close();
  assert.ok(!webClient.messages.some(({ type }) => type === 'incoming'), 'the web client is not told of the call');
  const call = await readCall(harness, id);
  assert.deepEqual([call.outcome, logOf(call).includes('target_ringing')], ['voicemail', false]);
});
