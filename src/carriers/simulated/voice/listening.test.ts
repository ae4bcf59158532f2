import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callIn, logOf, playParty, readCall, ringing, route, voicemail } from '../../../../test/support/calls.ts';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { type Harness, useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { read } from '../../../../test/support/messages.ts';
import { type Line, makeLine } from '../../../../test/support/numbers.ts';
import { listen, stretch, talk } from '../../../../test/support/recordings.ts';
import { powerOf } from '../../../../test/support/tone-power.ts';
import { place } from '../../../../test/support/voice.ts';
import { decodeWav } from '../../../audio/wav.ts';
import { newId } from '../../../lib/ids.ts';
import { timeoutSignal } from '../../../lib/time/time.ts';
import { MAGIC } from '../magic-numbers.ts';
import { newCall, newLeg, waitsForListener } from './call.ts';
import { createSimulatedSpeechToText } from './index.ts';
import { MESSAGE_TEXT } from './machine/voicemail.ts';
import { insertCall } from './queries.ts';

const harness = await useHarness({ startWorkers: false });
const [unrouted, absent] = [await makeLine(harness), await makeLine(harness)];
await route(harness, absent, { open_behavior: ringing([MAGIC.neverAnswers]) });

/** Returns the voicemail of a call after the call is over. */
async function messageOf(id: string): Promise<Json> {
  await harness.advance(60);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
  return read(harness, `/voicemails/${call.voicemail_id}`);
}

/** Returns where speech starts in the audio of a voicemail, in milliseconds. */
async function firstWordAtMs({ id }: Json): Promise<number> {
  const pcm = await listen(harness, `/v1/voicemails/${id}/audio`);
  for (let ms = 0; ms + 50 <= pcm.length / 8; ms += 50) if (powerOf(pcm, stretch(ms, ms + 50)) > 10_000) return ms;
  return Number.POSITIVE_INFINITY;
}

const NEXT_DUE = `select extract(epoch from min(run_at) - clock_timestamp())::float8 as in_s
  from (select run_at, ledger_id from jobs union all select run_at, ledger_id from lanes) as work
  where ledger_id = $1`;

/** Advances the ledger to its next due work. */
async function advanceToNext(): Promise<void> {
  const [next] = await sql<{ in_s: number }>(harness.context.db, NEXT_DUE, [await testLedger(harness)]);
  await harness.advance(Math.max(0.001, Math.ceil((next?.in_s ?? 0) * 1_000) / 1_000));
}

/** Makes a call without a script and advances it to the moment of an entry of its log. */
async function caller(line: Line, reached: 'answered' | 'voicemail_started', fields: object = {}): Promise<string> {
  const { id } = await callIn(harness, line, fields);
  for (let step = 0; step < 100; step++) {
    if (logOf(await readCall(harness, id)).includes(reached)) return id;
    await advanceToNext();
  }
  return assert.fail(`not ${reached}`);
}

const say = (id: string, text: string, speaker = 'customer') => playParty(harness, id, 'speech', { speaker, text });

describe('what a script says to a voicemail is in its transcript and in its audio', () => {
  const long = 'Please call me back about Biscuit, who has not eaten since Monday. '.repeat(6).trim();
  for (const [script, transcript] of [
    ['say "About Biscuit", hangup', 'About Biscuit'],
    ['say "About Biscuit", wait 2, hangup', 'About Biscuit'],
    ['say "About Biscuit"', 'About Biscuit'],
    ['say "Alice", wait 1, say "Bob", wait 1, hangup', 'Alice Bob'],
    ['wait 6, say "Alice", wait 1, hangup', 'Alice'],
    ['wait 1, say "Alice", say "Bob", hangup', 'Alice Bob'],
    [`say "${long}", hangup`, long],
  ]) {
    test(`${script}`.slice(0, 60), async () => {
      const { id } = await callIn(harness, unrouted, { script });
      const message = await messageOf(id);
      assert.equal(message['transcript'], transcript);
      assert.ok((await firstWordAtMs(message)) < 1_500);
    });
  }

  for (const script of ['decline, say "About Biscuit", wait 3, hangup', 'ring 1, say "About Biscuit", hangup']) {
    test(`where the target does not answer: ${script}`, async () => {
      const { id } = await callIn(harness, absent, { script });
      assert.equal((await messageOf(id))['transcript'], 'About Biscuit');
    });
  }

  test('after a greeting of more than a minute', async () => {
    const own = await makeLine(harness);
    const greeting_text = 'We are closed for the season and shall be back in spring. '.repeat(17).trim();
    await route(harness, own, {
      open_behavior: ringing([MAGIC.neverAnswers], { no_answer: { ...voicemail, greeting_text } }),
    });
    const { id } = await callIn(harness, own, { script: 'say "About Biscuit", hangup' });
    await harness.advance(120);
    assert.equal((await messageOf(id))['transcript'], 'About Biscuit');
  });

  test('from its first word: the speech starts after the tone', async () => {
    const { id } = await callIn(harness, unrouted, { script: 'say "About Biscuit", hangup' });
    const { voicemail_id } = await messageOf(id).then(() => readCall(harness, id));
    const [row] = await harness.context.db.query<{ begins: number; ends: number }>(
      {
        name: '',
        text: `select extract(epoch from s.starts_at - r.starts_at)::float8 * 1000 as begins,
                 extract(epoch from r.ended_at - s.starts_at)::float8 * 1000 - s.duration_ms as ends
               from simulated_sounds s join simulated_recordings r using (ledger_id, call_ref)
               where s.call_ref = $1 and s.said_by is not null`,
      },
      [id],
    );
    assert.ok(voicemail_id !== null && row !== undefined && row.begins >= 0 && row.ends >= 0, JSON.stringify(row));
  });
});

describe('what a caller says by hand', () => {
  test('at the tone is its message', async () => {
    const id = await caller(unrouted, 'voicemail_started');
    await say(id, 'My name is Ann');
    const message = await messageOf(id);
    assert.match(message['transcript'], /My name is Ann/);
    assert.equal(message['duration_seconds'], 3);
  });

  test('during the greeting waits for the tone, keeps its order, and replaces the usual message', async () => {
    const id = await caller(unrouted, 'answered');
    await say(id, 'My name is Ann');
    await say(id, 'Biscuit has not eaten since Monday');
    assert.ok(!logOf(await readCall(harness, id)).includes('voicemail_started'), 'the greeting is not over');
    const message = await messageOf(id);
    assert.equal(message['transcript'], 'My name is Ann Biscuit has not eaten since Monday');
    assert.equal(await firstWordAtMs(message), 0);
  });

  test('is said to its end before the caller hangs up', async () => {
    const text = 'Biscuit has not eaten since Monday, and I am worried about him. '.repeat(5).trim();
    for (const reached of ['answered', 'voicemail_started'] as const) {
      const id = await caller(unrouted, reached);
      await say(id, text);
      const message = await messageOf(id);
      assert.ok(message['transcript'].endsWith(text), message['transcript']);
      assert.ok(message['duration_seconds'] > 10, `${message['duration_seconds']} s`);
    }
  });

  test('during its message is in the message too', async () => {
    const id = await caller(unrouted, 'voicemail_started');
    await harness.advance(1);
    await say(id, 'My name is Ann');
    assert.equal((await messageOf(id))['transcript'], `${MESSAGE_TEXT} My name is Ann`);
  });

  test('comes before the speech of its script, and after the message that a test asked for', async () => {
    const scripted = await caller(unrouted, 'answered', { script: 'wait 20, say "Bob", wait 1, hangup' });
    await say(scripted, 'Alice');
    assert.equal((await messageOf(scripted))['transcript'], 'Alice Bob');
    const asked = await caller(unrouted, 'answered');
    await playParty(harness, asked, 'voicemail', { seconds: 2, transcript: 'Alice' });
    await say(asked, 'Bob');
    assert.equal((await messageOf(asked))['transcript'], 'Alice Bob');
  });

  test('is no message if it hangs up before the tone', async () => {
    const id = await caller(unrouted, 'answered');
    await say(id, 'My name is Ann');
    await playParty(harness, id, 'hangup');
    await harness.advance(10);
    const call = await readCall(harness, id);
    assert.deepEqual([call.outcome, call.voicemail_id], ['missed', null]);
  });

  test('is transcribed when it is heard: not while it waits, and not if it is never heard', async () => {
    const id = await caller(unrouted, 'answered');
    assert.equal((await harness.call('POST', `/v1/calls/${id}/transcription`)).status, 200);
    await harness.advance(0);
    await say(id, 'My name is Ann');
    assert.equal((await read(harness, `/calls/${id}/transcript`)).text, '');
    await messageOf(id);
    assert.equal((await read(harness, `/calls/${id}/transcript`)).text, 'Customer: My name is Ann');
    const short = await caller(unrouted, 'answered');
    await harness.call('POST', `/v1/calls/${short}/transcription`);
    await harness.advance(0);
    await say(short, 'My name is Ann');
    await playParty(harness, short, 'hangup');
    await harness.advance(10);
    assert.equal((await read(harness, `/calls/${short}/transcript`)).text, '');
  });
});

describe('what parties say on a call of two legs', () => {
  test('while the other party rings waits for the bridge', async () => {
    const { number } = await makeLine(harness);
    const { id } = await place(harness, number.id, { transcribe: true });
    const rings = async () =>
      logOf(await readCall(harness, id))
        .join()
        .endsWith('answered,ringing');
    for (let step = 0; step < 40 && !(await rings()); step++) await harness.advance(0.1);
    assert.ok(await rings(), 'the customer is rung');
    await say(id, 'Is anybody there?', 'agent');
    await harness.advance(10);
    const { text } = await read(harness, `/calls/${id}/transcript`);
    assert.equal(text, 'Agent: Is anybody there?');
  });

  test('last is in the transcript although the hang-up cuts it off', async () => {
    const { id } = await talk(harness, unrouted, { transcribe: true });
    await say(id, 'One last thing: the invoice is still open.');
    await playParty(harness, id, 'hangup');
    await harness.advance(10);
    const { text } = await read(harness, `/calls/${id}/transcript`);
    assert.equal(text, 'Customer: One last thing: the invoice is still open.');
  });
});

/** Stores a recording of 1 s whose caller speaks for a part of it. Returns the audio and the transcript. */
async function recordSpeech({ fromMs, lastsMs }: { fromMs: number; lastsMs: number }) {
  const { db, carriers } = harness.context;
  const ledger = { ledgerId: await ledgerIdOf(db), accountId: harness.account.id, mode: 'test' } as const;
  const { ledgerId } = ledger;
  const [callRef, leg_ref, recording_ref] = [newId('call'), newId('call_leg'), newId('recording')];
  const at = (ms: number) => new Date(1_800_000_000_000 + ms);
  const leg = newLeg({ leg_ref, party: 'customer', address: 'x', dialled: false, state: 'ended' });
  const recording = { recording_ref, leg_refs: [leg_ref], starts_at: at(0), ended_at: at(1_000), pauses: [] };
  const said = { ref: 'said', said_by: leg_ref, played_to: [], kind: 'speech', content: 'Biscuit' } as const;
  const sound = { ...said, starts_at: at(fromMs), duration_ms: lastsMs, reported: false };
  const call = {
    ...newCall(callRef),
    legs: [{ ...leg, leaves_message: true }],
    sounds: [sound],
    recordings: [recording],
  };
  await db.transaction((tx) => insertCall(tx, ledgerId, call));
  const wav = (await carriers.voice(ledger, null).fetchRecording(ledger, recording_ref)) ?? assert.fail();
  const source = { kind: 'recording', ref: recording_ref, callRef } as const;
  const signal = timeoutSignal(10_000);
  const text = await createSimulatedSpeechToText(db).transcribe(ledger, { source, audio: async () => wav, signal });
  return { isHeard: decodeWav(wav).pcm.some((sample) => sample !== 0), text };
}

async function ledgerIdOf(db: Harness['context']['db']): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    { name: '', text: `select id from ledgers where account_id = $1 and mode = 'test'` },
    [harness.account.id],
  );
  return row?.id ?? assert.fail();
}

describe('a recording of 1 s has in its audio and in its transcript', () => {
  for (const [fromMs, lastsMs] of [
    [0, 500],
    [-200, 700],
    [-200, 5_000],
    [0, 1_000],
    [700, 5_000],
  ] as const) {
    test(`speech that starts at ${fromMs} ms and lasts ${lastsMs} ms`, async () => {
      assert.deepEqual(await recordSpeech({ fromMs, lastsMs }), { isHeard: true, text: 'Biscuit' });
    });
  }
  for (const [fromMs, lastsMs] of [
    [-500, 500],
    [1_000, 500],
    [500, 0],
    [0, 0],
  ] as const) {
    test(`no speech that starts at ${fromMs} ms and lasts ${lastsMs} ms`, async () => {
      assert.deepEqual(await recordSpeech({ fromMs, lastsMs }), { isHeard: false, text: null });
    });
  }
});

test('speech without a listener waits, on live audio too', () => {
  const said = { ref: 'a', said_by: 'one', played_to: [], kind: 'speech', content: 'A', duration_ms: 1 } as const;
  const one = { leg_ref: 'one', party: 'customer', address: '', dialled: false, state: 'up' } as const;
  const waits = (kind: 'speech' | 'digits', bridged: boolean, leaves_message: boolean) =>
    waitsForListener(
      { ...said, kind, played_to: [], starts_at: new Date(0) },
      { legs: [newLeg({ ...one, leaves_message, heard_from: bridged ? new Date(0) : null })] },
    );
  assert.equal(waits('speech', false, false), true);
  assert.equal(waits('speech', true, false), false);
  assert.equal(waits('speech', false, true), false);
  assert.equal(waits('digits', false, false), false);
});
