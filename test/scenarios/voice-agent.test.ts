/** The voice agent example as its own process, against the product in test mode. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { callIn, logOf, readCall, ringing, route } from '../support/calls.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { newPerson, read } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';
import { freePort } from '../support/ports.ts';
import { listen } from '../support/recordings.ts';
import { likeness, speakText, useRecognizer } from '../support/sentence-recognizer.ts';
import { GREETING, useVoiceAgent } from '../support/voice-agent-example.ts';

const LIMIT_MS = 30_000;
const WISH = 'I would like to talk to a person please';
const PERSON = newPerson();

const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });
const recognizer = await useRecognizer([WISH, 'When are you open tomorrow?', 'Can I leave a message?']);

/** Makes a number whose calls the application answers. */
async function makeDesk(fields: object = {}) {
  const line = await makeLine(harness);
  await route(harness, line, { open_behavior: ringing(['application']), ...fields });
  return line;
}

test('the agent speaks to the caller, is interrupted, understands a sentence and transfers to a person', async (context) => {
  const line = await makeDesk({ recording: { enabled: true, consent_announcement: false } });
  const agent = await useVoiceAgent(context, { harness, line }, { PERSON, SPEECH_URL: recognizer.url });
  const { id } = await callIn(harness, line, { script: `wait 3, say "${WISH}"` });
  await agent.printed('call.transfer.completed');
  assert.deepEqual(recognizer.found, [WISH]);
  const said = agent
    .text()
    .split(`${id} `)
    .map((each) => each.trim());
  const steps = [`agent: ${GREETING}`, 'interrupted', `caller: ${WISH}`, `transfer to ${PERSON}`];
  assert.deepEqual(
    said.filter((each) => steps.includes(each)),
    steps,
    agent.text(),
  );
  assert.equal((await readCall(harness, id)).status, 'in_progress');
  await harness.advance(30);
  await until('there is a recording', async () => (await readCall(harness, id)).recording_id !== null, LIMIT_MS);
  const { recording_id, events } = await readCall(harness, id);
  assert.ok(events.some(({ type }: { type: string }) => type === 'transfer_completed'));
  const heard = (await listen(harness, `/v1/recordings/${recording_id}/audio`)).subarray(0, samplesOf(12_000));
  const greeting = await speakText(GREETING);
  const start = likeness(heard, greeting.subarray(0, samplesOf(1_000)));
  const end = likeness(heard, greeting.subarray(-samplesOf(1_000)));
  assert.ok(
    start > 0.5 && end < 0.4,
    `the caller heard the start of the greeting (${start}), and not its end (${end})`,
  );
});

test('the agent passes a caller who asks for it by key to the voicemail, and says so', async (context) => {
  const line = await makeDesk();
  const agent = await useVoiceAgent(context, { harness, line }, { PERSON });
  const { id } = await callIn(harness, line, { script: 'wait 2, press 2' });
  await agent.printed('call.transfer.completed');
  await harness.advance(60);
  const call = await readCall(harness, id);
  assert.ok(logOf(call).includes('voicemail_saved'), JSON.stringify(call));
  assert.equal((await read(harness, `/voicemails/${call.voicemail_id}`)).call_id, id);
  await agent.printed('over: ');
});

test('a caller whose agent has no recognizer any more gets the voicemail', async (context) => {
  const line = await makeDesk();
  const SPEECH_URL = `http://127.0.0.1:${await freePort()}/v1`;
  const agent = await useVoiceAgent(context, { harness, line }, { PERSON, SPEECH_URL });
  const { id } = await callIn(harness, line, { script: `wait 2, say "${WISH}"` });
  await agent.printed('passing the caller to the voicemail');
  await agent.printed('call.transfer.completed');
  await harness.advance(60);
  assert.ok(logOf(await readCall(harness, id)).includes('voicemail_saved'));
});

test('a caller whose agent is stopped gets the voicemail', async (context) => {
  const line = await makeDesk();
  const agent = await useVoiceAgent(context, { harness, line }, { PERSON });
  const { id } = await callIn(harness, line, { script: 'wait 60' });
  await agent.printed('agent: ');
  agent.stop();
  await agent.ended;
  const hasBegun = async () => logOf(await readCall(harness, id)).includes('voicemail_started');
  await until('the voicemail takes the call', hasBegun, LIMIT_MS);
  await harness.advance(60);
  assert.ok(logOf(await readCall(harness, id)).includes('voicemail_saved'), agent.text());
});
