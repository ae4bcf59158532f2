/** Speech on live calls: without a voice, and with a speech server. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { silentLog, until } from '../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../test/support/live-line.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { type ModelServer, raw, startModelServer, status } from '../../../../test/support/model-server.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import { sine } from '../../../audio/tones.ts';
import { encodeWav } from '../../../audio/wav.ts';
import type { VoiceCommand, VoicePort } from '../../../carriers/ports/voice.ts';
import { newId } from '../../../lib/ids.ts';
import { createLocalVoice } from '../../../speech/local-voice.ts';
import { createShippedVoice } from '../../../speech/shipped/shipped-voice.ts';

type Line = { readonly harness: Harness; readonly ledgerId: number; readonly commands: VoiceCommand[] };

const withoutEspeak = { log: silentLog, program: { command: '/nonexistent/espeak-ng' } };
/** A local voice that cannot speak: espeak-ng is missing, and the voice that ships with Dialplane is broken. */
const NO_VOICE = createLocalVoice({
  ...withoutEspeak,
  shipped: createShippedVoice({ program: '/nonexistent/flite.wasm' }),
});

/** Starts a product with a live carrier that only stores commands, by default on a machine that cannot speak. */
async function startLine(voice: ModelServer | null, localVoice = NO_VOICE): Promise<Line> {
  const commands: VoiceCommand[] = [];
  const port: VoicePort = {
    limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
    dispatch: async (_ledger, command) => {
      commands.push(command);
      return { outcome: 'accepted' };
    },
    findCommand: async () => ({ found: 'accepted' }),
    findLegs: async () => ({ found: 'undecided' }),
    findRecording: async () => ({ found: 'undecided' }),
    fetchRecording: async () => undefined,
    fetchUtterance: async () => undefined,
  };
  const server = voice && { ...voice.settings, voice: 'a-voice' };
  const harness = await startHarness({
    speech: { toText: null, summary: null, voice: server },
    localVoice,
    liveCarrier: ({ simulated }) => ({ ...simulated, voice: port }),
  });
  const { ledgerId } = await openLiveLine(harness);
  return { harness, ledgerId, commands };
}

const live = ({ harness }: Line, path: string, body: object) =>
  harness.call('POST', path, { key: harness.account.live_key, body });
const outbound = (fields: object) => ({ from: LIVE_NUMBER.id, to: newPerson(), connect_to: newPerson(), ...fields });
const callOf = ({ harness }: Line, id: string) => read(harness, `/calls/${id}`, harness.account.live_key);
const logOf = async (line: Line, id: string): Promise<Json[]> => (await callOf(line, id)).events;
const doneOn = ({ commands }: Line, id: string) =>
  commands.filter(({ callRef }) => callRef === id).map(({ instruction }) => instruction);

/** Places a call and joins its parties. */
async function talk(line: Line, fields: object = {}): Promise<string> {
  const placed = await live(line, '/v1/calls', outbound(fields));
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const { id } = placed.body;
  for (const party of [0, 1]) {
    const legRef = (await legsOf(line.harness, id))[party].id;
    await report(line.harness, line.ledgerId, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  return id;
}

/** Reports a call to the number, which has no routing config: the voicemail answers. */
async function ring(line: Line): Promise<string> {
  const { harness, ledgerId } = line;
  const [callRef, legRef] = [newId('call'), `leg_${newId('call')}`];
  const event = { type: 'call.arrived', callRef, legRef, from: newPerson(), to: LIVE_NUMBER.phone_number } as const;
  await report(harness, ledgerId, [event]);
  await until('the caller is answered', () => doneOn(line, callRef).some((done) => done.do === 'answer'));
  await report(harness, ledgerId, [{ type: 'leg.answered', callRef, legRef }]);
  return callRef;
}

const refused = (reply: { status: number; body: Json; headers: Headers }) => [
  reply.status,
  reply.body.error?.code,
  reply.headers.get('retry-after'),
];

describe('where nothing can speak', () => {
  let line: Line;
  before(async () => {
    line = await startLine(null);
  });
  after(() => line.harness.close());

  test('a gather is speech_unavailable, and nothing has changed', async () => {
    const id = await talk(line);
    const log = await logOf(line, id);
    const reply = await live(line, `/v1/calls/${id}/gather`, { prompt: 'Press one.' });
    assert.deepEqual(refused(reply), [503, 'speech_unavailable', '10']);
    assert.deepEqual(await logOf(line, id), log);
  });

  test('the errors of the call come first', async () => {
    const gather = (id: string) => live(line, `/v1/calls/${id}/gather`, { prompt: 'Press one.' });
    assert.equal((await gather('call_none')).body.error.code, 'call_not_found');
    const placed = await live(line, '/v1/calls', outbound({}));
    assert.equal((await gather(placed.body.id)).body.error.code, 'call_not_active');
    const unknown = await live(line, '/v1/calls', outbound({ from: 'num_none', record: true }));
    assert.equal(unknown.body.error.code, 'from_number_not_found');
  });

  test('a call to record is speech_unavailable, because its announcement is; any other call is placed', async () => {
    const { harness } = line;
    const count = async () => (await read(harness, '/calls?limit=100', harness.account.live_key)).data.length;
    const calls = await count();
    assert.deepEqual(refused(await live(line, '/v1/calls', outbound({ record: true }))), [
      503,
      'speech_unavailable',
      '10',
    ]);
    assert.equal(await count(), calls);
    assert.equal((await live(line, '/v1/calls', outbound({}))).status, 201);
  });

  test('the voicemail takes a message without its greeting, and the log says why', async () => {
    const id = await ring(line);
    await until('the message is taken', () => doneOn(line, id).some((done) => done.do === 'start_recording'));
    assert.deepEqual(
      doneOn(line, id).map((done) => done.do),
      ['answer', 'start_recording'],
    );
    const failed = (await logOf(line, id)).filter(({ type }) => type === 'failed');
    assert.deepEqual(
      failed.map(({ detail }) => detail),
      [{ failed: 'speech', reason: 'speech_unavailable' }],
    );
  });

  test('a test key speaks as ever', async () => {
    const { harness } = line;
    const tenant = await harness.call('POST', '/v1/tenants', { body: { name: 'Test' } });
    const found = await harness.call('GET', '/v1/phone_numbers/available?limit=1');
    const { phone_number } = found.body.data[0];
    await harness.call('POST', '/v1/phone_numbers', { body: { tenant_id: tenant.body.id, phone_number } });
    const placed = await harness.call('POST', '/v1/calls', { body: outbound({ from: phone_number, record: true }) });
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
  });
});

describe('with the voice that ships with Dialplane', () => {
  let line: Line;
  before(async () => {
    line = await startLine(null, createLocalVoice(withoutEspeak));
  });
  after(() => line.harness.close());

  test('a gather is spoken, a call to record is announced, and the voicemail greets', async () => {
    const id = await talk(line, { record: true });
    await until('it is announced', () => doneOn(line, id).some((done) => done.do === 'speak'));
    assert.equal((await live(line, `/v1/calls/${id}/gather`, { prompt: 'Press one.' })).status, 200);
    // This carrier does not report the end of the announcement, so the product ends it after 20 s.
    const spoken = () => doneOn(line, id).filter((done) => done.do === 'speak').length;
    await until('the prompt is spoken', () => spoken() === 2, 60_000);
    const inbound = await ring(line);
    await until('the caller is greeted', () => doneOn(line, inbound).some((done) => done.do === 'speak'));
  });

  test('a prompt in another script than Latin is speech_unavailable, and nothing has changed', async () => {
    const id = await talk(line);
    const log = await logOf(line, id);
    const reply = await live(line, `/v1/calls/${id}/gather`, { prompt: 'Нажмите один.' });
    assert.deepEqual(refused(reply), [503, 'speech_unavailable', '10']);
    assert.deepEqual(await logOf(line, id), log);
  });
});

describe('with a voice server', () => {
  let line: Line;
  let voice: ModelServer;
  before(async () => {
    voice = await startModelServer();
    line = await startLine(voice);
  });
  after(async () => {
    await line.harness.close();
    await voice.close();
  });
  beforeEach(() => {
    voice.requests.length = 0;
    voice.answer(raw('audio/wav', encodeWav(sine({ frequencyHz: 300, samples: 800 }))));
  });

  test('a gather is spoken before it is answered, and once', async () => {
    const id = await talk(line);
    assert.equal((await live(line, `/v1/calls/${id}/gather`, { prompt: 'Press two.' })).status, 200);
    await until('the prompt is dispatched', () => doneOn(line, id).some((done) => done.do === 'speak'));
    assert.deepEqual(
      voice.requests.map(({ json }) => json.input),
      ['Press two.'],
    );
  });

  test('announcements and greetings are spoken once, for all calls', async () => {
    for (const id of [await talk(line, { record: true }), await talk(line, { record: true })]) {
      await until('it is announced', () => doneOn(line, id).some((done) => done.do === 'speak'));
    }
    assert.equal(voice.requests.length, 1);
    const id = await ring(line);
    await until('the caller is greeted', () => doneOn(line, id).some((done) => done.do === 'speak'));
    assert.equal(voice.requests.length, 2);
  });

  test('a prompt that the server refuses is speech_unavailable, and the call goes on', async () => {
    voice.answer(status(400));
    const id = await talk(line);
    const reply = await live(line, `/v1/calls/${id}/gather`, { prompt: 'Press three.' });
    assert.deepEqual(refused(reply), [503, 'speech_unavailable', '10']);
    assert.equal((await callOf(line, id)).status, 'in_progress');
  });

  test('a text is not spoken for a call that would refuse it anyway', async () => {
    const { id } = (await live(line, '/v1/calls', outbound({}))).body;
    const reply = await live(line, `/v1/calls/${id}/gather`, { prompt: 'Press four.' });
    assert.equal(reply.body.error.code, 'call_not_active');
    assert.equal(voice.requests.length, 0);
  });
});
