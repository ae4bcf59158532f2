import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { Leg } from '../state/call.ts';
import { type CommandProgress, listReady, resultOf } from './command-rules.ts';

const leg = (id: string, party: Leg['party'], state: Leg['state']): Leg => {
  return { id, party, state, direction: 'outbound', address: `+1602555${id}` };
};
const LEGS = [leg('caller', 'customer', 'up'), leg('one', 'agent', 'up'), leg('two', 'agent', 'dialing')];

const hangUp = (legRef: string): VoiceInstruction => ({ do: 'hang_up', legRef, reason: 'ended' });
const digits = (legRef: string): VoiceInstruction => ({ do: 'send_digits', legRef, digits: '1' });
const dial = (legRef: string): VoiceInstruction => {
  return { do: 'dial', legRef, party: 'agent', to: '+16025550100', from: '+1', shownAs: '+1', ringMs: 1 };
};
const bridge: VoiceInstruction = { do: 'bridge', legRefs: ['caller', 'one'] };

type Waiting = readonly [VoiceInstruction, { progress?: CommandProgress; waitMs?: number }?];

/** Returns the positions, from 1, of the commands that may be dispatched. */
function readyOf(...waiting: readonly Waiting[]): number[] {
  const commands = waiting.map(([instruction, { waitMs = 0 } = {}], index) => {
    return { position: index + 1, instruction, unsure: false, failures: 0, waitMs };
  });
  return listReady({ commands, legs: LEGS }, (position) => waiting[position - 1]?.[1]?.progress).map(
    ({ position }) => position,
  );
}

describe('the order of commands', () => {
  test('those to different legs go out together, those to one leg one after the other', () => {
    assert.deepEqual(readyOf([digits('caller')], [digits('one')], [digits('caller')], [hangUp('two')]), [1, 2, 4]);
    assert.deepEqual(readyOf([digits('caller'), { progress: 'in_flight' }], [digits('caller')], [digits('one')]), [3]);
    assert.deepEqual(readyOf([digits('caller'), { progress: 'done' }], [digits('caller')]), [2]);
  });

  test('a command to two legs waits for the earlier ones of both, and the later ones of both wait for it', () => {
    assert.deepEqual(readyOf([digits('one')], [bridge], [digits('caller')], [hangUp('two')]), [1, 4]);
    assert.deepEqual(readyOf([digits('one'), { progress: 'done' }], [bridge], [digits('caller')]), [2]);
  });

  test('the later commands of a leg wait for one that failed or is to be retried, those of other legs do not', () => {
    assert.deepEqual(readyOf([hangUp('two'), { waitMs: 30_000 }], [digits('caller')], [digits('two')]), [2]);
    assert.deepEqual(readyOf([hangUp('two'), { progress: 'failed' }], [digits('caller')], [digits('two')]), [2]);
  });

  test('a recording is stopped after the hang-up of the legs', () => {
    const stop: VoiceInstruction = { do: 'stop_recording', recordingRef: 'rec_1' };
    assert.deepEqual(readyOf([hangUp('caller')], [hangUp('one')], [stop]), [1, 2]);
    const [ended, running] = [{ progress: 'done' }, { progress: 'in_flight' }] as const;
    assert.deepEqual(readyOf([hangUp('caller'), ended], [hangUp('one'), running], [stop]), []);
    assert.deepEqual(readyOf([hangUp('caller'), ended], [hangUp('one'), ended], [stop]), [3]);
  });

  test('a stream is stopped in the order of the customer, a speech in that of all legs', () => {
    const stream = { do: 'stop_stream', streamRef: 's' } as const;
    assert.deepEqual(readyOf([digits('caller')], [stream]), [1]);
    assert.deepEqual(readyOf([digits('two')], [stream]), [1, 2]);
    const speech = { do: 'stop_speech', speechRef: 's' } as const;
    for (const leg of ['caller', 'two']) assert.deepEqual(readyOf([digits(leg)], [speech]), [1]);
  });

  test('a leg that is reported as answered does not wait for the reply to its dial', () => {
    assert.deepEqual(readyOf([dial('one'), { progress: 'in_flight' }], [bridge]), [2]);
    assert.deepEqual(readyOf([dial('two'), { progress: 'in_flight' }], [hangUp('two')]), []);
    assert.deepEqual(readyOf([{ do: 'answer', legRef: 'caller' }, { progress: 'in_flight' }], [bridge]), [2]);
    assert.deepEqual(readyOf([{ do: 'answer', legRef: 'caller' }], [bridge]), [1], 'it is dispatched in any case');
  });
});

describe('a dial that the account at the carrier does not allow', () => {
  /** Returns the delays between a command's attempts, and its end. */
  function attemptsOf(ringMs: number) {
    const instruction: VoiceInstruction = {
      ...{ do: 'dial', legRef: 'two', party: 'agent', ringMs },
      ...{ to: '+16025550100', from: '+1', shownAs: '+1' },
    };
    const delays: number[] = [];
    for (;;) {
      const waiting = { position: 1, instruction, unsure: false, failures: delays.length, waitMs: 0 };
      const { waiting: _same, ...result } = resultOf(waiting, { outcome: 'unavailable', reason: 'carrier_limit' });
      if (result.outcome !== 'postponed') return { delays, result };
      delays.push(result.inMs);
    }
  }

  test('is tried again for half of the time in which its leg may ring, and for 15 seconds at most', () => {
    assert.deepEqual(attemptsOf(30_000).delays, [1_000, 2_000, 4_000, 4_000, 4_000]);
    assert.deepEqual(attemptsOf(14_400_000).delays, [1_000, 2_000, 4_000, 4_000, 4_000]);
    assert.deepEqual(attemptsOf(25_000).delays, [1_000, 2_000, 4_000, 4_000]);
    assert.deepEqual(attemptsOf(5_000).delays, [1_000]);
    assert.deepEqual(attemptsOf(1_000).delays, []);
  });

  test('fails with its reason', () => {
    assert.deepEqual(attemptsOf(5_000).result, { outcome: 'failed', reason: 'carrier_limit', unknown: false });
  });
});
