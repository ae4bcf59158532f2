import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gate, silentLog, until } from '../../../test/support/jobs.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { FRAME_SAMPLES } from '../../audio/frames.ts';
import { encodeMulaw } from '../../audio/mulaw.ts';
import { concat, durationMsOf, silence } from '../../audio/pcm.ts';
import type { Ledger } from '../../lib/scope.ts';
import { tonesFor } from '../../speech/speech-tones.ts';
import { createCallAudio } from './call-audio.ts';
import { createTicker } from './ticker.ts';
import type { AudioSource, Line } from './types.ts';
import { createUtteranceCutter, type PartyUtterance } from './utterance-cutter.ts';
import { createUtteranceReports } from './utterance-reports.ts';

/** Tones in the rhythm of speech. */
const WORDS = tonesFor('Can I come on Monday?');
const WORDS_MS = durationMsOf(WORDS);
const EPOCH_MS = Date.UTC(2026, 10, 22, 12);
const ledger: Ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'live' };

/** Says the words once, from `fromMs` on. */
function speaker(into: Line[], fromMs: number): AudioSource {
  const codes = encodeMulaw(concat([silence(fromMs), WORDS]));
  const frames = Math.floor(codes.length / FRAME_SAMPLES);
  const frameAt = (n: number) => codes.subarray(n * FRAME_SAMPLES, (n + 1) * FRAME_SAMPLES);
  return { into, read: (tick) => (tick < frames && tick * 20 >= fromMs ? frameAt(tick) : undefined) };
}

function start() {
  const clock = manualClock();
  const taken: PartyUtterance[] = [];
  const onError = (error: unknown) => assert.fail(String(error));
  const ticker = createTicker({ clock, onError });
  const audio = createCallAudio({ callId: 'call_1', ticker, onError });
  const nowMs = () => EPOCH_MS + clock.nowMs();
  audio.addSink(createUtteranceCutter({ nowMs, take: (utterance) => taken.push(utterance) }));
  return { clock, audio, taken };
}

const isWithin = (actual: Date | undefined, expectedMs: number, toleranceMs: number) =>
  assert.ok(
    Math.abs(Number(actual) - EPOCH_MS - expectedMs) <= toleranceMs,
    `${Number(actual) - EPOCH_MS} is not within ${toleranceMs} of ${expectedMs}`,
  );

describe('a call', () => {
  test('gives the utterances of both parties, each with its true times and its audio', () => {
    const { clock, audio, taken } = start();
    audio.addSource(speaker(['inbound'], 2_000));
    audio.addSource(speaker(['outbound'], 3_000));
    clock.pass(9_000);
    assert.deepEqual(
      taken.map(({ party }) => party),
      ['customer', 'agent'],
    );
    for (const [i, fromMs] of [2_000, 3_000].entries()) {
      isWithin(taken[i]?.startedAt, fromMs, 100);
      isWithin(taken[i]?.endedAt, fromMs + WORDS_MS, 200);
      const heardMs = (taken[i]?.audio.length as number) / 8;
      assert.ok(heardMs >= WORDS_MS && heardMs <= WORDS_MS + 900, `${heardMs} ms`);
    }
  });

  test('that ends while a party speaks gives what was said until then', () => {
    const { clock, audio, taken } = start();
    audio.addSource(speaker(['inbound'], 1_000));
    clock.pass(2_000);
    assert.equal(taken.length, 0);
    audio.close('call_ended');
    isWithin(taken[0]?.startedAt, 1_000, 100);
    isWithin(taken[0]?.endedAt, 2_000, 200);
  });

  test('on which no party speaks gives none', () => {
    const { clock, audio, taken } = start();
    audio.addSource({ into: ['inbound', 'outbound'], read: () => encodeMulaw(silence(20)) });
    clock.pass(10_000);
    audio.close('call_ended');
    assert.deepEqual(taken, []);
  });
});

describe('the utterances of a node', () => {
  /** Cuts one utterance by hand, on a call that ends while its party speaks. */
  function speakOnce(reports: ReturnType<typeof createUtteranceReports>, callId: string): void {
    const clock = manualClock();
    const onError = (error: unknown) => assert.fail(String(error));
    const audio = createCallAudio({ callId, ticker: createTicker({ clock, onError }), onError });
    audio.addSource(speaker(['inbound'], 500));
    audio.addSink(reports.cutterOf(ledger, callId));
    clock.pass(1_500);
    audio.close('call_ended');
  }

  test('are waited for at the end, and one that fails is no obstacle to the others', async () => {
    const stored = gate();
    const kept: string[] = [];
    const reports = createUtteranceReports({
      log: silentLog,
      nowMs: () => EPOCH_MS,
      keep: async (_ledger, callId) => {
        await stored.opened;
        if (callId === 'call_1') throw new Error('the disk is full');
        kept.push(callId);
      },
    });
    speakOnce(reports, 'call_1');
    speakOnce(reports, 'call_2');
    let isSettled = false;
    const settled = reports.settled().then(() => {
      isSettled = true;
    });
    stored.open();
    await until('call_2 is kept', () => kept.length === 1);
    await settled;
    assert.ok(isSettled);
    assert.deepEqual(kept, ['call_2']);
  });

  test('are dropped beyond 200 that wait', async () => {
    const stored = gate();
    let asked = 0;
    const keep = async () => {
      asked++;
      await stored.opened;
    };
    const reports = createUtteranceReports({ log: silentLog, nowMs: () => EPOCH_MS, keep });
    for (let n = 0; n < 202; n++) speakOnce(reports, `call_${n}`);
    assert.equal(asked, 200);
    stored.open();
    await reports.settled();
    speakOnce(reports, 'call_late');
    assert.equal(asked, 201);
  });
});
