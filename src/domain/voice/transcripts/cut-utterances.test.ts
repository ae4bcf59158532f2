/**
 * Live calls of a carrier that does not cut utterances. The gateway cuts them out of the audio that the carrier sends.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import { WebSocket } from 'ws';
import { failCommits } from '../../../../test/support/failing-commits.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../test/support/live-line.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { json, type ModelServer, startModelServer, status } from '../../../../test/support/model-server.ts';
import { sleep } from '../../../../test/support/stepping-time.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import { FRAME_SAMPLES } from '../../../audio/frames.ts';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { concat, durationMsOf, silence } from '../../../audio/pcm.ts';
import { decodeWav } from '../../../audio/wav.ts';
import { telnyxDialect } from '../../../carriers/connections/media-dialects.ts';
import type { VoiceCommand, VoicePort } from '../../../carriers/ports/voice.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { monotonicMs, now } from '../../../lib/time/time.ts';
import { tonesFor } from '../../../speech/speech-tones.ts';
import { type CutUtterance, keepCutUtterance } from '../calls/inputs/cut-utterance.ts';

/** Tones in the rhythm of speech. */
const WORDS = tonesFor('Can I come on Monday?');

const commands: VoiceCommand[] = [];
/** True while the carrier takes no requests for audio. */
let isDown = false;
const voice: VoicePort = {
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
  audio: { dialect: telnyxDialect },
  dispatch: async (_ledger, command) => {
    if (isDown && command.instruction.do === 'start_stream') return { outcome: 'unavailable' };
    commands.push(command);
    return { outcome: 'accepted' };
  },
  findCommand: async () => ({ found: 'accepted' }),
  findLegs: async () => ({ found: 'undecided' }),
  findRecording: async () => ({ found: 'undecided' }),
  fetchRecording: async () => undefined,
};

let harness: Harness;
let models: ModelServer;
let ledger: Ledger;
before(async () => {
  models = await startModelServer();
  harness = await startHarness({
    speech: { toText: models.settings, summary: null, voice: null },
    liveCarrier: ({ simulated }) => ({ ...simulated, voice }),
  });
  const { ledgerId } = await openLiveLine(harness);
  ledger = (await findLedger(harness.context.db, ledgerId)) as Ledger;
});
after(async () => {
  await harness.close();
  await models.close();
});
beforeEach(() => {
  models.requests.length = 0;
  models.answer(json({ text: 'Can I come on Monday?' }));
});

const live = (path: string, body: object) =>
  harness.call('POST', `/v1${path}`, { key: harness.account.live_key, body });
const segmentsOf = async (id: string) =>
  (await read(harness, `/calls/${id}/transcript`, harness.account.live_key)).segments;
const jobs = async () =>
  await sql<{ keys: string[] }>(
    harness.context.db,
    `select payload -> 'keys' as keys from jobs where kind = 'drop-blobs' order by run_at`,
  );

/** Places a call and joins its parties. */
async function talk(transcribe: boolean): Promise<string> {
  const body = { from: LIVE_NUMBER.id, to: newPerson(), connect_to: newPerson(), transcribe };
  const { id } = (await live('/calls', body)).body;
  for (const party of [0, 1]) {
    const legRef = (await legsOf(harness, id))[party].id;
    await report(harness, ledger.ledgerId, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  return id;
}

const said = (callId: string, fields: Partial<CutUtterance> = {}): CutUtterance => ({
  callId,
  party: 'customer',
  startedAt: new Date('2026-11-20T12:00:00.000Z'),
  endedAt: new Date('2026-11-20T12:00:01.500Z'),
  audio: encodeMulaw(WORDS),
  ...fields,
});

test('an utterance is transcribed from its audio, with its end and its party, and its audio is removed', async () => {
  const id = await talk(true);
  await keepCutUtterance(harness.context, ledger, said(id));
  await until('it is transcribed', async () => (await segmentsOf(id)).length === 1);
  assert.deepEqual(await segmentsOf(id), [
    { speaker: 'customer', text: 'Can I come on Monday?', occurred_at: '2026-11-20T12:00:01.500Z' },
  ]);
  const file = models.requests[0]?.form?.get('file') as File;
  const { pcm, sampleRateHz } = decodeWav(new Uint8Array(await file.arrayBuffer()));
  assert.deepEqual([pcm.length, sampleRateHz], [WORDS.length, 8_000]);
  const [key] = (await jobs()).flatMap(({ keys }) => keys);
  await until('its audio is removed', async () => (await harness.context.blobs.size(key as string)) === undefined);
});

test('an utterance that the agent says while it is transcribed later waits for its turn', async () => {
  const id = await talk(true);
  const later = {
    party: 'agent',
    startedAt: new Date('2026-11-20T12:00:02Z'),
    endedAt: new Date('2026-11-20T12:00:03Z'),
    audio: encodeMulaw(WORDS.subarray(0, WORDS.length / 2)),
  } as const;
  // The server may get both requests at the same time, in either order.
  models.answer((response, request) => {
    const file = request.form?.get('file');
    const isLater = file instanceof File && file.size < WORDS.byteLength;
    (isLater ? json({ text: 'Yes.' }) : status(400))(response, request);
  });
  await keepCutUtterance(harness.context, ledger, said(id));
  await keepCutUtterance(harness.context, ledger, said(id, later));
  await until('both are concluded', async () => (await segmentsOf(id)).length === 1);
  assert.equal((await segmentsOf(id))[0].speaker, 'agent');
});

test('what is said on a call that is not transcribed is not kept', async () => {
  const id = await talk(false);
  // Jobs of earlier tests may end during this test.
  const before = new Set((await jobs()).flatMap(({ keys }) => keys));
  await keepCutUtterance(harness.context, ledger, said(id));
  const added = (await jobs()).flatMap(({ keys }) => keys).filter((key) => !before.has(key));
  assert.deepEqual(added, []);
});

test('audio whose report never came is removed by a job within a day', async () => {
  const id = await talk(true);
  const { db, blobs } = harness.context;
  const before = new Set((await jobs()).flatMap(({ keys }) => keys));
  failCommits(db, 'call_utterances_keep', 1);
  await assert.rejects(keepCutUtterance(harness.context, ledger, said(id)), /killed/);
  const key = (await jobs()).flatMap(({ keys }) => keys).find((each) => !before.has(each)) as string;
  assert.ok(((await blobs.size(key)) ?? 0) > 0);
  await sql(db, `update jobs set run_at = clock_timestamp() where kind = 'drop-blobs'`);
  await until('it is removed', async () => (await blobs.size(key)) === undefined);
});

/** Returns the requests to the carrier for the audio of a call: commands, each with an address for the carrier. */
const askedFor = (callId: string) =>
  commands.flatMap(({ callRef, instruction }) =>
    callRef === callId && instruction.do === 'start_stream' ? [instruction] : [],
  );

/** Connects in the way that the request describes. */
async function connect({ url = '' }: { readonly url?: string }): Promise<WebSocket> {
  const { search } = new URL(url);
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/ingest${search}`);
  await once(socket, 'open');
  socket.send('{"event":"start","start":{"media_format":{"encoding":"PCMU","sample_rate":8000,"channels":1}}}');
  return socket;
}

async function untilAsked(callId: string, times: number) {
  await until('the audio is requested', () => askedFor(callId).length === times);
  return askedFor(callId).at(-1) as { readonly url?: string };
}

/** Sends the customer's speech in real time. Resolves with the time of its end, in milliseconds. */
async function sayOn(socket: WebSocket): Promise<number> {
  const codes = encodeMulaw(concat([silence(500), WORDS, silence(1_000)]));
  const wordsEndAt = Math.ceil((500 + durationMsOf(WORDS)) / 20);
  let chunk = 0;
  let endedMs = 0;
  for (let atMs = monotonicMs(); ; atMs += 20) {
    await sleep(atMs - monotonicMs());
    const payload = codes.subarray(chunk * FRAME_SAMPLES, (chunk + 1) * FRAME_SAMPLES);
    if (payload.length < FRAME_SAMPLES) break;
    chunk++;
    const media = { track: 'inbound', chunk: String(chunk), payload: Buffer.from(payload).toString('base64') };
    socket.send(JSON.stringify({ event: 'media', media }));
    if (chunk === wordsEndAt) endedMs = now();
  }
  return endedMs;
}

test('a call that is only transcribed: its audio is asked for, cut, and transcribed with its true end', async () => {
  const lateMs: number[] = [];
  // The end is measured in real time, so the best of a few calls counts.
  while (lateMs.length < 4 && !lateMs.some((ms) => Math.abs(ms) < 600)) {
    const id = await talk(true);
    const socket = await connect(await untilAsked(id, 1));
    const endedMs = await sayOn(socket);
    await until('it is transcribed', async () => (await segmentsOf(id)).length === 1);
    const [segment] = await segmentsOf(id);
    assert.equal(segment.speaker, 'customer');
    lateMs.push(Date.parse(segment.occurred_at) - endedMs);
    socket.close();
  }
  assert.ok(
    lateMs.some((ms) => Math.abs(ms) < 600),
    `its end is ${lateMs} ms late`,
  );
  assert.ok(!commands.some(({ instruction }) => instruction.do === 'start_transcription'));
});

test('a stream on a call that is transcribed shares its audio, and leaves it to the transcription', async () => {
  const id = await talk(true);
  const socket = await connect(await untilAsked(id, 1));
  const { body: stream } = await live(`/calls/${id}/streams`, {});
  const client = new WebSocket(
    `${stream.url.replace('ws://localhost', harness.url.replace('http', 'ws'))}?token=${stream.token}`,
  );
  await once(client, 'message');
  await live(`/calls/${id}/transcription`, {});
  client.close();
  await once(client, 'close');
  await sayOn(socket);
  await until('it is transcribed', async () => (await segmentsOf(id)).length === 1);
  assert.equal(askedFor(id).length, 1);
  assert.ok(!commands.some(({ callRef, instruction }) => callRef === id && instruction.do === 'stop_stream'));
  socket.close();
});

test('the audio of a call that is transcribed is asked for again after the carrier has lost it', async () => {
  const id = await talk(true);
  const socket = await connect(await untilAsked(id, 1));
  socket.terminate();
  const again = await connect(await untilAsked(id, 2));
  await sayOn(again);
  await until('it is transcribed', async () => (await segmentsOf(id)).length === 1);
  again.close();
});

test('a transcription that the carrier could not take for long is still on, and is asked for again', async () => {
  isDown = true;
  const id = await talk(true);
  const { db } = harness.context;
  const waiting = 'select 1 from call_commands where call_id = $1';
  await until('the request was concluded', async () => (await sql(db, waiting, [id])).length === 0);
  isDown = false;
  await untilAsked(id, 1);
  const [call] = await sql<{ state: string }>(
    db,
    `select state ->> 'transcription' as state from calls where id = $1`,
    [id],
  );
  assert.equal(call?.state, 'on');
});

test('the audio is asked for again, for another node, after its node is lost', async () => {
  const id = await talk(true);
  const { url: first = '' } = await untilAsked(id, 1);
  const { db } = harness.context;
  await sql(
    db,
    `update call_audio_nodes set node_id = 'lost', asked_node = 'lost', connected_at = now() where call_id = $1`,
    [id],
  );
  const { url: second = '' } = await untilAsked(id, 2);
  assert.equal(new URL(second).searchParams.get('node'), new URL(first).searchParams.get('node'));
});

for (const [what, change, code] of [
  ['of another leg', (query) => query.set('leg', 'leg_2'), 4401],
  ['of another call', (query) => query.set('call', 'call_2'), 4401],
  ['that is altered', (query) => query.set('token', `${query.get('token')}x`), 4401],
  ['for another node', (query) => query.set('node', 'gone'), undefined],
] as const satisfies readonly (readonly [string, (query: URLSearchParams) => void, number | undefined])[]) {
  test(`a token ${what} ${code === undefined ? 'opens the audio where it was asked for' : 'is refused'}`, async () => {
    const id = await talk(true);
    const url = new URL((await untilAsked(id, 1)).url ?? '');
    change(url.searchParams);
    const socket = await connect({ url: String(url) });
    if (code !== undefined) assert.equal((await once(socket, 'close'))[0], code);
    else await until('it is connected', async () => (await connectedCalls()).includes(id));
    socket.close();
  });
}

const connectedCalls = async () =>
  (
    await sql<{ call_id: string }>(
      harness.context.db,
      'select call_id from call_audio_nodes where connected_at is not null',
    )
  ).map(({ call_id }) => call_id);

test('a token of a call that has ended is refused', async () => {
  const id = await talk(true);
  const asked = await untilAsked(id, 1);
  await live(`/calls/${id}/hangup`, {});
  await until(
    'it has ended',
    async () => (await read(harness, `/calls/${id}`, harness.account.live_key)).ended_at !== null,
  );
  assert.equal((await once(await connect(asked), 'close'))[0], 4404);
});
