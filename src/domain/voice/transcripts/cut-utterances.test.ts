/** Live calls of a carrier that does not cut utterances: the gateway does, from the audio that the carrier sends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import { setInterval as every } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { failCommits } from '../../../../test/support/failing-commits.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../test/support/live-line.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { json, type ModelServer, startModelServer, status } from '../../../../test/support/model-server.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import { FRAME_SAMPLES } from '../../../audio/frames.ts';
import { encodeMulaw } from '../../../audio/mulaw.ts';
import { concat, durationMsOf, silence } from '../../../audio/pcm.ts';
import { decodeWav } from '../../../audio/wav.ts';
import type { VoiceCommand, VoicePort } from '../../../carriers/ports/voice.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { tonesFor } from '../../../speech/speech-tones.ts';
import { mintIngestToken } from '../media-streams/connections.ts';
import { type CutUtterance, keepCutUtterance } from './utterance-audio.ts';

/** Tones in the rhythm of speech. */
const WORDS = tonesFor('Can I come on Monday?');

const commands: VoiceCommand[] = [];
const voice: VoicePort = {
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
  mediaSocket: 'telnyx',
  dispatch: async (_ledger, command) => {
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
  models.answer(status(400), json({ text: 'Yes.' }));
  await keepCutUtterance(harness.context, ledger, said(id));
  const later = {
    party: 'agent',
    startedAt: new Date('2026-11-20T12:00:02Z'),
    endedAt: new Date('2026-11-20T12:00:03Z'),
  };
  await keepCutUtterance(harness.context, ledger, said(id, later as Partial<CutUtterance>));
  await until('both are concluded', async () => (await segmentsOf(id)).length === 1);
  assert.equal((await segmentsOf(id))[0].speaker, 'agent');
});

test('what is said on a call that is not transcribed is not kept', async () => {
  const id = await talk(false);
  const before = await jobs();
  await keepCutUtterance(harness.context, ledger, said(id));
  assert.deepEqual(await jobs(), before);
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

test('the audio that a carrier sends for a stream is cut and transcribed; the carrier is not asked to', async () => {
  const id = await talk(true);
  const { body: stream } = await live(`/calls/${id}/streams`, {});
  await until('the audio is requested', () =>
    commands.some(({ callRef, instruction }) => callRef === id && instruction.do === 'start_stream'),
  );
  assert.ok(!commands.some(({ instruction }) => instruction.do === 'start_transcription'));
  const token = mintIngestToken(harness.context, stream.id);
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/ingest/${stream.id}?token=${token}`);
  await once(socket, 'open');
  const codes = encodeMulaw(concat([silence(500), WORDS, silence(1_000)]));
  const startedMs = Date.now();
  let chunk = 0;
  for await (const _ of every(20)) {
    const payload = codes.subarray(chunk * FRAME_SAMPLES, (chunk + 1) * FRAME_SAMPLES);
    if (payload.length < FRAME_SAMPLES) break;
    chunk++;
    const media = { track: 'inbound', chunk: String(chunk), payload: Buffer.from(payload).toString('base64') };
    socket.send(JSON.stringify({ event: 'media', media }));
  }
  await until('it is transcribed', async () => (await segmentsOf(id)).length === 1);
  const [segment] = await segmentsOf(id);
  assert.equal(segment.speaker, 'customer');
  const endedMs = Date.parse(segment.occurred_at) - startedMs;
  const expectedMs = 500 + durationMsOf(WORDS);
  assert.ok(Math.abs(endedMs - expectedMs) < 600, `ended after ${endedMs} ms, not ${expectedMs}`);
  socket.close();
});
