/** Live calls: a carrier that only reports, and a model server that transcribes and summarizes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { openLiveLine } from '../../../../test/support/live-line.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import {
  completion,
  json,
  type ModelServer,
  type SeenModelRequest,
  startModelServer,
  status,
} from '../../../../test/support/model-server.ts';
import { sleep } from '../../../../test/support/stepping-time.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import { sine } from '../../../audio/tones.ts';
import { encodeWav } from '../../../audio/wav.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import { newId } from '../../../lib/ids.ts';
import { after as schedule } from '../../../lib/time/time.ts';

/** Each utterance has a different length. The model server recognises it by the length. */
const audioOf = (samples: number) => encodeWav(sine({ frequencyHz: 300, samples }));

const voice: VoicePort = {
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
  dispatch: async () => ({ outcome: 'accepted' }),
  findCommand: async () => ({ found: 'accepted' }),
  findLegs: async () => ({ found: 'undecided' }),
  findRecording: async () => ({ found: 'undecided' }),
  fetchRecording: async () => audioOf(24_000),
  fetchUtterance: async (_ledger, { utteranceRef }) => {
    const samples = Number(utteranceRef.split('_')[1]);
    return samples === 0 ? undefined : audioOf(samples);
  },
};

let harness: Harness;
let models: ModelServer;
let ledgerId: number;
before(async () => {
  models = await startModelServer();
  harness = await startHarness({
    speech: { toText: models.settings, summary: { ...models.settings, model: 'a-writer' }, voice: null },
    liveCarrier: ({ simulated }) => ({ ...simulated, voice }),
  });
  ({ ledgerId } = await openLiveLine(harness));
});
after(async () => {
  await harness.close();
  await models.close();
});
beforeEach(() => {
  models.requests.length = 0;
});

const reads = (path: string, from = harness) => read(from, path, from.account.live_key);

async function eventsOf(resourceId: string): Promise<Json[]> {
  return (await reads(`/events?resource_id=${resourceId}&limit=100`)).data.reverse();
}

/** Places a transcribed call and joins its parties. */
async function talk(from = harness, ofLedger = ledgerId): Promise<{ id: string; legs: Json[] }> {
  const body = { from: 'num_live', to: newPerson(), connect_to: newPerson(), transcribe: true };
  const placed = await from.call('POST', '/v1/calls', { key: from.account.live_key, body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const { id } = placed.body;
  for (const party of [0, 1]) {
    const legRef = (await legsOf(from, id))[party].id;
    await report(from, ofLedger, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  return { id, legs: await legsOf(from, id) };
}

/** Reports an utterance with the given number of samples, which ended at the given second. */
const said = (call: { id: string; legs: Json[] }, party: 0 | 1, samples: number, second: number) =>
  ({
    type: 'leg.utterance',
    callRef: call.id,
    legRef: call.legs[party].id,
    utteranceRef: `utt_${samples}_${call.id}`,
    text: null,
    startedAt: new Date(Date.UTC(2026, 10, 20, 12, 0, second - 1)),
    endedAt: new Date(Date.UTC(2026, 10, 20, 12, 0, second)),
  }) as const;

/** Ends the call, and waits until no more utterances are expected. */
async function hangUp({ id, legs }: { id: string; legs: Json[] }, from = harness, ofLedger = ledgerId): Promise<void> {
  await report(from, ofLedger, [{ type: 'leg.ended', callRef: id, legRef: legs[1].id, cause: 'hangup' }]);
  const { db } = from.context;
  await sql(db, `update calls set ended_at = ended_at - interval '1 minute' where id = $1`, [id]);
  // The end that the test has just changed may already have planned the job of the summary.
  await sql(
    db,
    `update jobs set run_at = clock_timestamp()
     where kind = 'summarize-call' and payload ->> 'callId' = $1 and lease_token is null`,
    [id],
  );
}

async function samplesIn({ form }: SeenModelRequest): Promise<number> {
  const file = form?.get('file');
  assert.ok(file instanceof File);
  return (file.size - 44) / 2;
}

/**
 * Answers requests for speech with the number of samples, once `ready` resolves. Answers any other request with a
 * summary.
 */
function listenAndWrite(ready: (samples: number) => Promise<void> = async () => undefined): void {
  models.answer((response, request) => {
    if (request.form === undefined) return json(completion('They spoke.'))(response, request);
    void samplesIn(request).then(async (samples) => {
      await ready(samples);
      json({ text: `Number ${samples}.` })(response, request);
    });
  });
}

async function segmentsOf(id: string): Promise<string[]> {
  return (await reads(`/calls/${id}/transcript`)).segments.map(({ text }: { text: string }) => text);
}

async function summaryOf(id: string, from = harness): Promise<string> {
  await until('there is a summary', async () => (await reads(`/calls/${id}`, from)).summary !== null, 15_000);
  return (await reads(`/calls/${id}`, from)).summary;
}

describe('a live call', () => {
  test('is transcribed in the order in which its utterances ended, whichever text comes first', async () => {
    const call = await talk();
    const { promise: secondIsThere, resolve } = Promise.withResolvers<void>();
    listenAndWrite(async (samples) => {
      if (samples === 1_000) await secondIsThere;
      if (samples === 2_000) schedule(100, resolve);
    });
    await report(harness, ledgerId, [said(call, 0, 1_000, 10), said(call, 1, 2_000, 20), said(call, 0, 3_000, 30)]);
    await until('all is written down', async () => (await segmentsOf(call.id)).length === 3);
    assert.deepEqual(await segmentsOf(call.id), ['Number 1000.', 'Number 2000.', 'Number 3000.']);
    const told = (await eventsOf(call.id)).filter(({ type }) => type === 'call.transcript');
    assert.deepEqual(
      told.map(({ data }) => data.text),
      await segmentsOf(call.id),
    );
    await hangUp(call);
    assert.equal(await summaryOf(call.id), 'They spoke.');
    const asked = models.requests.at(-1)?.json;
    assert.equal(asked.model, 'a-writer');
    assert.match(asked.messages[1].content, /agent: Number 1000\.\ncustomer: Number 2000\.\nagent: Number 3000\./);
  });

  test('has its summary after the text of the last utterance, even if that text is late', async () => {
    const call = await talk();
    const { promise: mayWrite, resolve } = Promise.withResolvers<void>();
    listenAndWrite(() => mayWrite);
    const heard = { ...said(call, 1, 1_050, 5), text: 'Heard by the carrier.' };
    await report(harness, ledgerId, [heard, said(call, 0, 1_100, 10)]);
    await hangUp(call);
    await until('the speech is sent', () => models.requests.length > 0);
    assert.equal((await reads(`/calls/${call.id}`)).status, 'completed');
    assert.equal((await reads(`/calls/${call.id}`)).summary, null);
    await sleep(1_500);
    // No summary is requested before the text is complete.
    assert.equal(models.requests.filter(({ form }) => form === undefined).length, 0);
    resolve();
    assert.equal(await summaryOf(call.id), 'They spoke.');
    const types = (await eventsOf(call.id)).map(({ type }) => type);
    assert.deepEqual(types.slice(-2), ['call.transcript', 'call.summary']);
  });

  test('is summarized again if an utterance is reported while the model writes', async () => {
    const call = await talk();
    const { promise: mayWrite, resolve } = Promise.withResolvers<void>();
    models.answer((response, request) => {
      if (request.form !== undefined) return json({ text: 'Words.' })(response, request);
      const lines = request.json.messages[1].content.split('Words.').length - 1;
      void mayWrite.then(() => json(completion(`Of ${lines}.`))(response, request));
    });
    await report(harness, ledgerId, [said(call, 0, 1_600, 10)]);
    await until('it is written down', async () => (await segmentsOf(call.id)).length === 1);
    await hangUp(call);
    await until('the model writes', () => models.requests.some(({ form }) => form === undefined));
    await report(harness, ledgerId, [said(call, 1, 1_700, 20)]);
    await until('that is written down', async () => (await segmentsOf(call.id)).length === 2);
    resolve();
    assert.equal(await summaryOf(call.id), 'Of 2.');
    const types = (await eventsOf(call.id)).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'call.summary').length, 1);
  });

  test('keeps what is reported after its summary, and has no second one', async () => {
    const call = await talk();
    listenAndWrite();
    await hangUp(call);
    assert.equal(await summaryOf(call.id), 'Nobody spoke on this call.');
    await report(harness, ledgerId, [said(call, 0, 1_200, 10)]);
    await until('it is written down', async () => (await segmentsOf(call.id)).length === 1);
    const types = (await eventsOf(call.id)).map(({ type }) => type);
    assert.deepEqual(types.slice(-2), ['call.summary', 'call.transcript']);
    assert.equal(models.requests.filter(({ form }) => form === undefined).length, 0);
  });

  test('does not wait for an utterance without text or audio', async () => {
    const call = await talk();
    models.answer((response, request) => {
      if (request.form === undefined) return status(401)(response, request);
      void samplesIn(request).then((samples) =>
        (samples === 1_300 ? status(400) : json({ text: `Number ${samples}.` }))(response, request),
      );
    });
    await report(harness, ledgerId, [said(call, 0, 1_300, 10), said(call, 1, 0, 15), said(call, 1, 1_400, 20)]);
    await until('the rest is written down', async () => (await segmentsOf(call.id)).length === 1);
    assert.deepEqual(await segmentsOf(call.id), ['Number 1400.']);
    await hangUp(call);
    // The model refuses, so the plain summary is used.
    assert.match(await summaryOf(call.id), /^A call of \d+ seconds\. .*"Number 1400\."/);
  });

  test('uses the text of the carrier, and sends no audio', async () => {
    const call = await talk();
    listenAndWrite();
    await report(harness, ledgerId, [{ ...said(call, 1, 1_500, 10), text: ' As the carrier heard it. ' }]);
    await until('it is written down', async () => (await segmentsOf(call.id)).length === 1);
    assert.deepEqual(await segmentsOf(call.id), ['As the carrier heard it.']);
    assert.equal(models.requests.length, 0);
    await hangUp(call);
    await summaryOf(call.id);
  });
});

/** Leaves a message at the number. */
async function leaveMessage(transcribe: boolean): Promise<string> {
  const [id, legRef] = [newId('call'), newId('call_leg')];
  const key = harness.account.live_key;
  const { tenant_id } = await reads('/phone_numbers/num_live');
  const no_answer = { type: 'voicemail', greeting_text: 'Hello.', transcribe };
  const open_behavior = { type: 'ring', targets: ['+16025550177'], no_answer };
  const body = { tenant_id, name: 'Desk', open_behavior };
  const config = await harness.call('POST', '/v1/routing_configs', { key, body });
  assert.equal(config.status, 201, JSON.stringify(config.body));
  await sql(harness.context.db, `update phone_numbers set routing_config_id = $1 where id = 'num_live'`, [
    config.body.id,
  ]);
  const ofCall = { callRef: id };
  await report(harness, ledgerId, [{ type: 'call.arrived', ...ofCall, legRef, from: newPerson(), to: '+16025550199' }]);
  const target = (await legsOf(harness, id))[1].id;
  await report(harness, ledgerId, [{ type: 'leg.ended', ...ofCall, legRef: target, cause: 'no_answer' }]);
  await report(harness, ledgerId, [{ type: 'leg.answered', ...ofCall, legRef }]);
  const [row] = await sql<{ ref: string; recording: string }>(
    harness.context.db,
    `select state #>> '{stage,speechRef}' as ref, state ->> 'voicemailRecordingId' as recording from calls where id = $1`,
    [id],
  );
  await report(harness, ledgerId, [{ type: 'speech.ended', ...ofCall, speechRef: row?.ref ?? '', completed: true }]);
  // A message shorter than half a second is not kept.
  await sql(
    harness.context.db,
    `update calls set state = jsonb_set(state, '{messageFromMs}', to_jsonb((state ->> 'messageFromMs')::bigint - 3000))
     where id = $1`,
    [id],
  );
  await report(harness, ledgerId, [
    { type: 'leg.ended', ...ofCall, legRef, cause: 'hangup' },
    { type: 'recording.ended', ...ofCall, recordingRef: row?.recording ?? '', durationMs: 3_000 },
  ]);
  await until('there is a voicemail', async () => (await reads(`/calls/${id}`)).voicemail_id !== null);
  return (await reads(`/calls/${id}`)).voicemail_id;
}

describe('a live voicemail', () => {
  test('has the transcript of the model', async () => {
    listenAndWrite();
    const { transcript, duration_seconds } = await reads(`/voicemails/${await leaveMessage(true)}`);
    assert.deepEqual([transcript, duration_seconds], ['Number 24000.', 3]);
  });

  test('is created without a transcript if the model fails', async () => {
    models.answer(status(401));
    const id = await leaveMessage(true);
    assert.equal((await reads(`/voicemails/${id}`)).transcript, null);
    assert.deepEqual(
      (await eventsOf(id)).map(({ type, data }) => [type, data.transcript]),
      [['voicemail.created', null]],
    );
    assert.equal(models.requests.length, 1);
  });

  test('is not sent to a model if no transcript is requested', async () => {
    const id = await leaveMessage(false);
    assert.equal((await reads(`/voicemails/${id}`)).transcript, null);
    assert.equal(models.requests.length, 0);
  });
});

test('without a model server a live call has no segments, and a plain summary', async () => {
  const bare = await startHarness({ liveCarrier: ({ simulated }) => ({ ...simulated, voice }) });
  try {
    const ofLedger = (await openLiveLine(bare)).ledgerId;
    const call = await talk(bare, ofLedger);
    await report(bare, ofLedger, [said(call, 0, 1_000, 10)]);
    await hangUp(call, bare, ofLedger);
    assert.equal(await summaryOf(call.id, bare), 'Nobody spoke on this call.');
    assert.deepEqual((await reads(`/calls/${call.id}/transcript`, bare)).segments, []);
  } finally {
    await bare.close();
  }
});
