import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  answered,
  commandsOf,
  did,
  emitted,
  ended,
  PLAYED_CALL,
  play,
  VOICEMAIL,
} from '../../../../test/support/call-plays.ts';
import type { VoiceInstruction } from '../../../carriers/ports/voice.ts';
import { step } from './machine/call-machine.ts';
import { beginInbound } from './machine/inbound.ts';

const CALLER = 'caller';
const TARGETS = ['+16025550121', '+16025550122', '+16025550123'];

/** Plays an inbound call input by input. */
function inbound({ targets = TARGETS, noAnswer = true, recorded = false } = {}) {
  const ring = { type: 'ring' as const, targets, strategy: 'simultaneous' as const, timeout_seconds: 20 };
  const begun = beginInbound(
    {
      ...PLAYED_CALL,
      legId: CALLER,
      route: { configId: 'rtc_1', branch: 'open' },
      behavior: targets.length === 0 ? VOICEMAIL : { ...ring, no_answer: noAnswer ? VOICEMAIL : null },
      recording: { enabled: recorded, consent_announcement: true },
    },
    0,
  );
  return play(begun);
}

const stream = { id: 'stm_1', direction: 'fork', track: 'both' } as const;
const [first, second, third] = TARGETS;

describe('a target that answers', () => {
  test('is bridged and recorded after the answer of the caller, and then the other targets are hung up', () => {
    const call = inbound({ recorded: true });
    assert.deepEqual(commandsOf(call.feed(answered(call.leg(second)))), [{ do: 'answer', legRef: CALLER }]);
    assert.deepEqual([call.now().status, call.now().answeredBy, call.now().connectedAtMs], ['ringing', null, null]);
    const joined = call.feed(answered(CALLER), 1_400);
    assert.deepEqual(did(joined), ['bridge', 'speak', 'hang_up', 'hang_up']);
    assert.deepEqual(commandsOf(joined).slice(2), [
      { do: 'hang_up', legRef: call.leg(first), reason: 'answered_elsewhere' },
      { do: 'hang_up', legRef: call.leg(third), reason: 'answered_elsewhere' },
    ]);
    assert.deepEqual(emitted(joined), ['call.answered']);
    const { status, answeredBy, connectedAtMs } = call.now();
    assert.deepEqual([status, answeredBy, connectedAtMs], ['in_progress', second, 1_400]);
  });

  test('and hangs up before the caller is answered leaves the other targets ringing', () => {
    const call = inbound();
    call.feed(answered(call.leg(first)));
    assert.deepEqual(did(call.feed(ended(call.leg(first)))), []);
    assert.deepEqual([call.now().stage.name, call.now().status], ['ringing_targets', 'ringing']);
    assert.ok(call.now().timers.ring !== undefined);
    call.feed(answered(CALLER));
    const joined = call.feed(answered(call.leg(second)));
    assert.deepEqual(did(joined), ['bridge', 'hang_up'], 'the caller is answered once');
    assert.equal(call.now().answeredBy, second);
  });

  test('and hangs up as the last one leaves the caller to the voicemail, which waits for the same answer', () => {
    const call = inbound({ targets: [first as string] });
    call.feed(answered(call.leg(first)));
    assert.deepEqual(did(call.feed(ended(call.leg(first)))), []);
    assert.equal(call.now().stage.name, 'answering');
    assert.deepEqual(did(call.feed(answered(CALLER))), ['speak']);
    assert.equal(call.now().answeredBy, 'voicemail');
  });
});

describe('a caller whose leg is not answered yet', () => {
  test('and hangs up has missed the call, whoever was to talk', () => {
    for (const targets of [[], TARGETS]) {
      const call = inbound({ targets });
      call.feed(targets.length === 0 ? call.timer('ring') : answered(call.leg(first)));
      assert.equal(call.now().stage.name, 'answering');
      assert.deepEqual(emitted(call.feed(ended(CALLER))), ['call.missed', 'call.completed']);
      assert.deepEqual([call.now().status, call.now().outcome], ['missed', 'missed']);
      assert.deepEqual(call.feed(answered(CALLER)), []);
    }
  });

  test('has missed the call if the carrier cannot answer it, and the target is hung up', () => {
    const call = inbound();
    const [answer] = commandsOf(call.feed(answered(call.leg(first)))) as [VoiceInstruction];
    const over = call.feed({ type: 'command_failed', command: answer, reason: 'unavailable' });
    assert.deepEqual(did(over), ['hang_up', 'hang_up', 'hang_up', 'hang_up']);
    assert.deepEqual([call.now().status, call.now().outcome], ['missed', 'missed']);
  });

  test('is joined after 5 s all the same, because the report may be lost', () => {
    const call = inbound();
    const set = call.feed(answered(call.leg(first))).find((effect) => effect.do === 'set_timer');
    assert.deepEqual([set?.name, set?.inMs], ['answer', 5_000]);
    assert.deepEqual(did(call.feed(call.timer('answer'))), ['bridge', 'hang_up', 'hang_up']);
    assert.deepEqual(call.feed(answered(CALLER)), [], 'a late report changes nothing');
  });

  test('is waited for again while the command has not been dispatched', () => {
    const call = inbound({ targets: [] });
    call.feed(call.timer('ring'));
    for (let times = 0; times < 3; times++) {
      assert.deepEqual(did(call.feed(call.timer('answer', { undispatched: [CALLER] }))), []);
      assert.ok(call.now().timers.answer !== undefined);
    }
    assert.deepEqual(did(call.feed(call.timer('answer'))), ['speak']);
  });

  test('gives a stream no audio: it is requested with the answer', () => {
    const call = inbound();
    assert.deepEqual(did(call.feed({ type: 'start_stream', stream })), []);
    call.feed(answered(call.leg(first)));
    const joined = commandsOf(call.feed(answered(CALLER)));
    const requested = joined.findIndex((command) => command.do === 'start_stream');
    assert.deepEqual(joined[requested], { ...streamCommand, legRef: CALLER });
    assert.ok(joined.findIndex((command) => command.do === 'bridge') < requested);
  });

  test('is not gathered from, nor transcribed', () => {
    const call = inbound();
    call.feed(answered(call.leg(first)));
    assert.equal(step(call.now(), { type: 'transcribe' }, 0).refusal, 'call_not_active');
    assert.equal(step(call.now(), { type: 'send_digits', digits: '1' }, 0).refusal, 'call_not_active');
  });
});

const { id: streamRef, ...streamFields } = stream;
const streamCommand = { do: 'start_stream', streamRef, ...streamFields };

test('an answer whose reply was lost does not end a call that goes on', () => {
  const call = inbound();
  const [answer] = commandsOf(call.feed(answered(call.leg(first)))) as [VoiceInstruction];
  call.feed(answered(CALLER));
  assert.deepEqual(call.feed({ type: 'command_failed', command: answer, reason: 'unavailable' }), []);
});

test('a report that a caller is answered, whom the product has not answered, changes nothing', () => {
  const call = inbound();
  assert.deepEqual(call.feed(answered(CALLER)), []);
  assert.equal(call.now().status, 'ringing');
});

test('at the end the legs are hung up before the recordings are stopped', () => {
  const call = inbound({ targets: [] });
  call.feed(call.timer('ring'));
  const [greeting] = commandsOf(call.feed(answered(CALLER))) as unknown as [{ speechRef: string }];
  call.feed({ type: 'speech_ended', speechRef: greeting.speechRef, completed: true });
  assert.deepEqual(did(call.feed({ type: 'hang_up' }, 9_000)), ['hang_up', 'stop_recording']);
});
