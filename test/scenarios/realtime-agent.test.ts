/** The voice agent example with a model that hears and speaks, as its own process, against the product in test mode. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { durationMsOf, samplesOf } from '../../src/audio/pcm.ts';
import { callIn, logOf, readCall, ringing, route } from '../support/calls.ts';
import type { Json } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';
import { freePort } from '../support/ports.ts';
import { LATE_HZ, type ModelTurn, REALTIME_KEY, useRealtimeModel } from '../support/realtime-model.ts';
import { listen } from '../support/recordings.ts';
import { likeness, speakText } from '../support/sentence-recognizer.ts';
import { tonesIn } from '../support/tone-power.ts';
import { useVoiceAgent } from '../support/voice-agent-example.ts';

const LIMIT_MS = 30_000;
const PERSON = newPerson();
const [ASK, TEXT, WISH, BYE] = [
  'Do you know who I am?',
  'Please send me the address in a message.',
  'I would like to talk to a person please',
  'That was all for today goodbye',
] as const;
const GREETING =
  'Hello, this is the clinic for animals. We are open from nine to five, and we treat dogs, cats, parrots and hamsters.';
const ADDRESS = '12 Main Street, Phoenix';

const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });

/** The model's turns if the test has no others. */
const USUAL: Record<string, ModelTurn> = {
  '': { say: GREETING },
  [ASK]: { calls: [{ name: 'look_up_caller', args: '{}' }] },
  [TEXT]: { calls: [{ name: 'send_text', args: JSON.stringify({ body: ADDRESS }) }] },
  [WISH]: { say: 'One moment, please.', calls: [{ name: 'transfer_to_person', args: '{}' }] },
  [BYE]: { say: 'Goodbye, and all the best.', calls: [{ name: 'hang_up', args: '{}' }] },
};

/** Starts the agent for a new number. Its model acts on the words that it receives and on the outputs of its tools. */
async function useAgent(context: TestContext, turns: Record<string, ModelTurn> = {}, env: Record<string, string> = {}) {
  const line = await makeLine(harness);
  const recording = { enabled: true, consent_announcement: false };
  await route(harness, line, { open_behavior: ringing(['application']), recording });
  const inputs: string[] = [];
  const acts = { ...USUAL, ...turns };
  const model = await useRealtimeModel([ASK, TEXT, WISH, BYE], (input) => {
    inputs.push(input.join());
    return acts[input.join()] ?? { say: 'All right.' };
  });
  const settings = { PERSON, REALTIME_URL: model.url, REALTIME_KEY, ...env };
  const agent = await useVoiceAgent(context, { harness, line }, settings);
  const session = () => model.sessions[0] ?? assert.fail('the agent has connected to the model');
  return { line, agent, model, inputs, session, events: (type: string) => eventsOf(session().received, type) };
}

const eventsOf = (received: readonly Json[], type: string) => received.filter((event) => event.type === type);

async function recordingOf(callId: string): Promise<Int16Array> {
  await until('there is a recording', async () => (await readCall(harness, callId)).recording_id !== null, LIMIT_MS);
  const { recording_id } = await readCall(harness, callId);
  return listen(harness, `/v1/recordings/${recording_id}/audio`);
}

async function assertVoicemail(callId: string, what: string): Promise<void> {
  await harness.advance(60);
  assert.ok(logOf(await readCall(harness, callId)).includes('voicemail_saved'), what);
}

test('a caller interrupts the model, is known by name, gets a text and is transferred', async (context) => {
  const { agent, line, session, events, inputs } = await useAgent(context, { '': { say: GREETING, isEndless: true } });
  const from = newPerson();
  const contact = { tenant_id: line.tenantId, name: 'Maria', phone_numbers: [from] };
  assert.equal((await harness.call('POST', '/v1/contacts', { body: contact })).status, 201);
  const script = `wait 3, say "${ASK}", wait 4, say "${TEXT}", wait 4, say "${WISH}"`;
  const { id } = await callIn(harness, line, { from, script });
  await agent.printed('call.transfer.completed');
  assert.deepEqual(session().heard, [ASK, TEXT, WISH], agent.text());
  const outputs = events('conversation.item.create').map(({ item }) => JSON.parse(item.output));
  assert.deepEqual(outputs, [{ name: 'Maria', company: null, email: null }, { result: 'sent' }]);
  assert.deepEqual(inputs, ['', ASK, JSON.stringify(outputs[0]), TEXT, JSON.stringify(outputs[1]), WISH]);
  const { body } = await harness.call('GET', `/v1/messages?to=${encodeURIComponent(from)}`);
  assert.deepEqual(
    body.data.map((text: Json) => text.body),
    [ADDRESS],
  );
  assert.ok(logOf(await readCall(harness, id)).includes('transfer_completed'));

  // The model gets the text that was heard, and the recording confirms it.
  const greeting = await speakText(GREETING);
  const [{ audio_end_ms: heardMs }] = events('conversation.item.truncate') as [Json];
  assert.ok(heardMs > 1_200 && heardMs < durationMsOf(greeting) - 1_000, `${heardMs} ms`);
  assert.deepEqual(session().errors, []);
  await harness.advance(30);
  const heard = await recordingOf(id);
  const start = heard.subarray(0, samplesOf(12_000));
  const untilCut = likeness(start, greeting.subarray(samplesOf(heardMs - 1_100), samplesOf(heardMs - 400)));
  const afterCut = likeness(start, greeting.subarray(samplesOf(heardMs + 600), samplesOf(heardMs + 1_600)));
  assert.ok(untilCut > 0.5 && afterCut < 0.5, `${untilCut} before the cut, ${afterCut} after it`);
  assert.deepEqual(tonesIn(heard, [LATE_HZ]), [], 'what came after the interruption is not heard');
});

test('the call ends once the caller has heard the goodbye', async (context) => {
  const { agent, line, session } = await useAgent(context);
  const { id } = await callIn(harness, line, { script: `wait 12, say "${BYE}", wait 60` });
  await agent.printed('over: ');
  assert.deepEqual(session().errors, []);
  const goodbye = await speakText(USUAL[BYE]?.say ?? '');
  const heard = await recordingOf(id);
  assert.ok(likeness(heard.subarray(-samplesOf(6_000)), goodbye.subarray(-samplesOf(800))) > 0.5);
});

test('what the API refuses, and tools that are not there, are told to the model', async (context) => {
  const calls = [
    { name: 'send_text', args: JSON.stringify({ body: ADDRESS }) },
    { name: 'send_text', args: '{"body":' },
    { name: 'constructor', args: '{}' },
  ];
  const { agent, line, events } = await useAgent(context, { '': { calls } });
  const from = newPerson();
  const stop = { from, to: line.number.phone_number, body: 'STOP' };
  assert.equal((await harness.call('POST', '/v1/test/inbound_messages', { body: stop })).status, 201);
  await callIn(harness, line, { from, script: 'wait 60' });
  await agent.printed('agent: All right.');
  const errors = events('conversation.item.create').map(({ item }) => JSON.parse(item.output).error);
  assert.deepEqual(errors, ['recipient_opted_out', 'empty_message', 'there is no tool constructor']);
});

test('the model is told of keys, and 0 leads to a person whatever the model does', async (context) => {
  const { agent, line, inputs } = await useAgent(context);
  const { id } = await callIn(harness, line, { script: 'wait 2, press 7, wait 4, press 0, wait 60' });
  await agent.printed('call.transfer.completed');
  assert.deepEqual(inputs, ['', '(The caller has pressed the key 7.)']);
  assert.ok(logOf(await readCall(harness, id)).includes('transfer_completed'));
});

test('a caller whose model fails, closes or cannot be reached gets the voicemail', async (context) => {
  const { agent, line } = await useAgent(context, { '': { fails: 'The model is overloaded.' } });
  const failed = await callIn(harness, line, { script: 'wait 60' });
  await agent.printed('failed: The model is overloaded.; passing the caller to the voicemail');
  await agent.printed('call.transfer.completed');
  await assertVoicemail(failed.id, agent.text());

  const closing = await useAgent(context);
  const closed = await callIn(harness, closing.line, { script: 'wait 60' });
  await until('the model greets', () => closing.inputs.length > 0, LIMIT_MS);
  closing.session().socket.close(1001, 'session expired');
  await closing.agent.printed('failed: the model closed with 1001 session expired');
  await closing.agent.printed('call.transfer.completed');
  await assertVoicemail(closed.id, closing.agent.text());

  const refusing = await useAgent(context, {}, { REALTIME_KEY: 'sk-wrong' });
  const refused = await callIn(harness, refusing.line, { script: 'wait 60' });
  await refusing.agent.printed('failed: the model: Unexpected server response: 401');
  await refusing.agent.printed('call.transfer.completed');
  assert.equal(refusing.model.refused.length, 1);
  await assertVoicemail(refused.id, refusing.agent.text());
});

test('a connection without the secret of a call gets no audio', async (context) => {
  const STREAM_PORT = String(await freePort());
  await useAgent(context, {}, { STREAM_PORT });
  const stranger = new WebSocket(`ws://127.0.0.1:${STREAM_PORT}/`);
  await once(stranger, 'open');
  stranger.send(JSON.stringify({ event: 'start', parameters: { secret: 'guessed' } }));
  const [code] = await once(stranger, 'close');
  assert.equal(code, 1008);
});
