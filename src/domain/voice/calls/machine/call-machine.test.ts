import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  answered,
  commandsOf,
  dataOf,
  did,
  emitted,
  ended,
  PLAYED_CALL,
  play,
  VOICEMAIL,
} from '../../../../../test/support/call-plays.ts';
import { OPEN } from '../../../../../test/support/front-desk-plays.ts';
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { CallEffect, CallInput } from '../state/call-step.ts';
import { step } from './call-machine.ts';
import { beginInbound } from './inbound.ts';
import { beginClickToCall } from './outbound.ts';

const TARGETS = ['+16025550121', '+16025550122'];

const AGENT = '+16025550120';
const clickToCall = (fields: object = {}) =>
  play(
    beginClickToCall({ ...PLAYED_CALL, agent: AGENT, record: false, announce: false, transcribe: false, ...fields }, 0),
  );

function talking(fields: object = {}) {
  const call = clickToCall(fields);
  call.feed(answered(call.leg(AGENT)));
  call.feed(answered(call.leg(PLAYED_CALL.customer)));
  return call;
}

function inbound({
  strategy = 'simultaneous' as 'simultaneous' | 'sequential',
  noAnswer = true,
  enabled = false,
} = {}) {
  const ring = { type: 'ring' as const, targets: TARGETS, strategy, timeout_seconds: 20 };
  const behavior = { ...ring, no_answer: noAnswer ? VOICEMAIL : null };
  const recording = { enabled, consent_announcement: true };
  return play(beginInbound({ ...PLAYED_CALL, legId: 'caller', route: OPEN, behavior, recording }, 0));
}

/** An inbound call whose caller hears the tone of the voicemail, at 10 s. */
function atTone() {
  const call = inbound();
  call.feed(call.timer('ring'));
  call.feed(answered('caller'));
  const speechRef = (commandsOf(call.effects).find((one) => one.do === 'speak') as { speechRef: string }).speechRef;
  call.feed({ type: 'speech_ended', speechRef, completed: true }, 10_000);
  return call;
}

const [first, second] = TARGETS as [string, string];

describe('races of an inbound call', () => {
  test('of two targets that answer in the same millisecond one is joined, and the other is hung up once', () => {
    const call = inbound();
    const legs = [call.leg(first), call.leg(second)] as const;
    assert.deepEqual(did(call.feed(answered(legs[0]), 500)), ['answer']);
    assert.deepEqual(commandsOf(call.feed(answered(legs[1]), 500)), [
      { do: 'hang_up', legRef: legs[1], reason: 'answered_elsewhere' },
    ]);
    const joined = call.feed(answered('caller'), 600);
    assert.deepEqual(did(joined), ['bridge']);
    assert.deepEqual(emitted(joined), ['call.answered']);
    assert.equal(call.now().answeredBy, first);
    assert.deepEqual(call.feed(ended(legs[1], 'canceled')), []);
    assert.equal(call.now().status, 'in_progress');
  });

  test('a caller who hangs up while targets ring leaves no leg ringing, and no later answer counts', () => {
    const call = inbound();
    const gone = call.feed(ended('caller'));
    assert.deepEqual(did(gone), ['hang_up', 'hang_up']);
    assert.deepEqual(emitted(gone), ['call.missed', 'call.completed']);
    assert.deepEqual(call.feed(answered(call.leg(first))), []);
    assert.deepEqual([call.now().status, call.now().outcome], ['missed', 'missed']);
  });

  test('a caller who hangs up just as a target answers ends the answered call', () => {
    const call = inbound();
    call.feed(answered(call.leg(first)));
    call.feed(answered('caller'));
    const gone = call.feed(ended('caller'));
    assert.deepEqual(commandsOf(gone), [{ do: 'hang_up', legRef: call.leg(first), reason: 'ended' }]);
    assert.deepEqual([call.now().status, call.now().outcome], ['completed', 'answered']);
    assert.deepEqual(emitted(gone), ['call.completed']);
  });

  test('a target that answers after the ring time is not joined: the voicemail has answered', () => {
    const call = inbound();
    assert.deepEqual(did(call.feed(call.timer('ring'))), ['hang_up', 'hang_up', 'answer']);
    assert.deepEqual(did(call.feed(answered('caller'))), ['speak']);
    assert.deepEqual(call.feed(answered(call.leg(first))), []);
    assert.equal(call.now().answeredBy, 'voicemail');
    assert.ok(!emitted(call.effects).includes('call.answered'), 'a voicemail is no answer');
  });

  test('a caller whom no target answers, and no voicemail, is hung up as not answered', () => {
    const call = inbound({ noAnswer: false });
    const over = commandsOf(call.feed(call.timer('ring')));
    assert.deepEqual(over.at(-1), { do: 'hang_up', legRef: 'caller', reason: 'no_answer' });
    assert.deepEqual([call.now().status, call.now().outcome], ['missed', 'missed']);
  });

  test('an old ring timer that was replaced changes nothing', () => {
    const call = inbound({ strategy: 'sequential' });
    const old = call.timer('ring');
    call.feed(ended(call.leg(first), 'busy'));
    assert.deepEqual(call.feed(old), []);
    assert.equal(call.now().legs.at(-1)?.state, 'dialing');
  });

  test('a target whose dial was sent late gets its ring time again, at most once', () => {
    const call = inbound();
    const dialled = [call.leg(second)];
    const late = { ...call.timer('ring'), undispatched: dialled } as CallInput;
    const again = call.feed(late);
    assert.deepEqual(
      again.flatMap((effect) => (effect.do === 'set_timer' ? [[effect.name, effect.inMs]] : [])),
      [['ring', 20_000]],
    );
    assert.equal(call.now().status, 'ringing');
    call.feed({ ...call.timer('ring'), undispatched: dialled } as CallInput);
    assert.equal(call.now().stage.name, 'answering');
  });

  test('each sequential target may be dialled late', () => {
    const call = inbound({ strategy: 'sequential' });
    call.feed({ ...call.timer('ring'), undispatched: [call.leg(first)] } as CallInput);
    call.feed(call.timer('ring'));
    call.feed({ ...call.timer('ring'), undispatched: [call.leg(second)] } as CallInput);
    assert.equal(call.now().stage.name, 'ringing_targets');
    call.feed(call.timer('ring'));
    assert.equal(call.now().stage.name, 'answering');
  });

  test('after a busy target the next is dialled immediately, and after the last the voicemail answers', () => {
    const call = inbound({ strategy: 'sequential' });
    assert.deepEqual(did(call.feed(ended(call.leg(first), 'busy'))), ['dial']);
    assert.deepEqual(did(call.feed(ended(call.leg(second), 'busy'))), ['answer']);
    assert.deepEqual(did(call.feed(answered('caller'))), ['speak']);
  });

  test('without a voicemail an unanswered call is missed, and hung up', () => {
    const call = inbound({ noAnswer: false });
    const over = call.feed(call.timer('ring'));
    assert.deepEqual(did(over), ['hang_up', 'hang_up', 'hang_up']);
    assert.deepEqual(emitted(over), ['call.missed', 'call.completed']);
  });

  test('a caller who hangs up at the tone has left no message', () => {
    const call = atTone();
    assert.deepEqual(emitted(call.feed(ended('caller'), 10_100)), ['call.missed', 'call.completed']);
    assert.deepEqual(call.feed({ type: 'recording_ended', recordingRef: 'rec_2', durationMs: 90 }), []);
  });

  test('a message is at least half a second long, whoever reports its length and when', () => {
    for (const [durationMs, outcome] of [
      [499, 'missed'],
      [500, 'voicemail'],
    ] as const) {
      const end: CallInput = { type: 'recording_ended', recordingRef: 'rec_2', durationMs };
      const withLeg = { ...ended('caller'), recordedMs: { rec_2: durationMs } } as CallInput;
      for (const inputs of [[end], [withLeg, end]]) {
        const call = atTone();
        for (const input of inputs) call.feed(input, 12_000);
        assert.deepEqual([call.now().status, call.now().outcome], ['completed', outcome]);
        assert.equal(
          call.effects.some((effect) => effect.do === 'keep_voicemail'),
          outcome === 'voicemail',
        );
      }
    }
  });

  test('the tone counts as no message if only the end of the call is known', () => {
    for (const [atMs, outcome] of [
      [10_799, 'missed'],
      [10_800, 'voicemail'],
    ] as const) {
      const call = atTone();
      call.feed({ type: 'hang_up' }, atMs);
      assert.equal(call.now().outcome, outcome);
    }
  });

  test('a message that turns out to be too short after its call is not kept, and the log says so', () => {
    const call = atTone();
    call.feed({ type: 'hang_up' }, 10_900);
    const late = call.feed({ type: 'recording_ended', recordingRef: 'rec_2', durationMs: 400 });
    const detail = { failed: 'voicemail', reason: 'too_short', recording_id: 'rec_2' };
    assert.deepEqual(late, [{ do: 'log', type: 'failed', detail }]);
  });

  test('a caller whom the voicemail answered hears a gather, and its digits are collected', () => {
    const call = inbound();
    call.feed(call.timer('ring'));
    call.feed(answered('caller'));
    const opened = call.feed({ type: 'gather', prompt: 'Key?', maxDigits: 1, terminator: null, timeoutMs: 5_000 });
    assert.deepEqual(
      commandsOf(opened).map((one) => (one.do === 'speak' ? [one.purpose, one.legRefs] : one.do)),
      [['gather', ['caller']]],
    );
    const pressed = call.feed({ type: 'digit', legId: 'caller', digit: '7', digitRef: 'one' });
    assert.deepEqual(dataOf(pressed, 'call.gather'), [{ digits: '7', reason: 'completed' }]);
    assert.equal(call.now().stage.name, 'greeting');
  });

  test('the audio of a message is kept once, whether it ends before the leg of the caller or after', () => {
    for (const carrierFirst of [true, false]) {
      const call = atTone();
      const reports: CallInput[] = [
        { type: 'recording_ended', recordingRef: 'rec_2', durationMs: 3_000 },
        ended('caller'),
      ];
      for (const report of carrierFirst ? reports : reports.toReversed()) call.feed(report, 13_000);
      for (const report of reports) assert.deepEqual(call.feed(report, 13_000), []);
      assert.equal(call.effects.filter((effect) => effect.do === 'keep_voicemail').length, 1);
      assert.deepEqual([call.now().status, call.now().outcome], ['completed', 'voicemail']);
    }
  });
});

describe('races of a click-to-call', () => {
  test('an agent who hangs up while the customer is dialled cancels the call, and the customer is not joined', () => {
    const call = clickToCall();
    call.feed(answered(call.leg(AGENT)));
    const gone = call.feed(ended(call.leg(AGENT)));
    assert.deepEqual(did(gone), ['hang_up']);
    assert.deepEqual(call.feed(answered(call.leg(PLAYED_CALL.customer))), []);
    assert.deepEqual([call.now().status, call.now().outcome], ['failed', 'canceled']);
    assert.deepEqual(emitted(call.effects), ['call.placed', 'call.completed']);
  });

  test('two hang-ups at the same time end it once', () => {
    const call = talking();
    call.feed(ended(call.leg(AGENT)));
    assert.deepEqual(call.feed(ended(call.leg(PLAYED_CALL.customer))), []);
    assert.deepEqual(emitted(call.effects), ['call.placed', 'call.answered', 'call.completed']);
  });

  test('hung up by the API before an answer it is canceled, and a second hang-up is refused', () => {
    const call = clickToCall();
    assert.deepEqual(did(call.feed({ type: 'hang_up' })), ['hang_up']);
    assert.equal(call.now().outcome, 'canceled');
    assert.equal(step(call.now(), { type: 'hang_up' }, 0).refusal, 'call_not_active');
  });

  test('reports that come late change nothing: ringing after the answer, an answer after the end', () => {
    const call = talking();
    const agent = call.leg(AGENT);
    assert.deepEqual(call.feed({ type: 'leg_ringing', legId: agent }), []);
    assert.deepEqual(call.feed(answered(agent)), []);
    call.feed({ type: 'hang_up' });
    assert.deepEqual(call.feed(answered(agent)), []);
    assert.deepEqual(call.feed(ended(agent)), []);
  });

  test('a customer who is busy fails it as busy', () => {
    const call = clickToCall();
    call.feed(answered(call.leg(AGENT)));
    call.feed(ended(call.leg(PLAYED_CALL.customer), 'busy'));
    assert.deepEqual([call.now().status, call.now().outcome], ['failed', 'busy']);
  });

  test('a failed dial fails it, a failed bridge ends it', () => {
    const dialled = clickToCall();
    const [dial] = commandsOf(dialled.effects) as [VoiceInstruction];
    dialled.feed({ type: 'command_failed', command: dial, reason: 'unavailable' });
    assert.deepEqual([dialled.now().status, dialled.now().outcome], ['failed', 'failed']);
    const joined = talking();
    const bridge = commandsOf(joined.effects).find((one) => one.do === 'bridge') as VoiceInstruction;
    joined.feed({ type: 'command_failed', command: bridge, reason: 'leg_gone' });
    assert.deepEqual([joined.now().status, joined.now().outcome], ['completed', 'failed']);
  });
});

describe('a gather', () => {
  const gather = (call: ReturnType<typeof talking>, fields: object = {}) =>
    call.feed({ type: 'gather', prompt: 'Key?', maxDigits: 3, terminator: '#', timeoutMs: 5_000, ...fields });
  let digits = 0;
  const key = (call: ReturnType<typeof talking>, digit: string, party = PLAYED_CALL.customer) =>
    call.feed({ type: 'digit', legId: call.leg(party), digit, digitRef: `digit${++digits}` });
  const result = (effects: readonly CallEffect[]) => dataOf(effects, 'call.gather')[0];

  test('ends at its number of digits, or at the terminator, which is not among them', () => {
    const call = talking();
    gather(call);
    for (const digit of '12') assert.equal(result(key(call, digit)), undefined);
    assert.deepEqual(result(key(call, '3')), { digits: '123', reason: 'completed' });
    gather(call);
    key(call, '7');
    assert.deepEqual(result(key(call, '#')), { digits: '7', reason: 'completed' });
  });

  test('stops its prompt at the first digit', () => {
    const call = talking();
    gather(call);
    assert.deepEqual(did(key(call, '1')), ['stop_speech']);
    assert.deepEqual(did(key(call, '2')), []);
  });

  test('waits for each digit as long as requested, from the end of the prompt on', () => {
    const call = talking();
    gather(call);
    const speechRef = call.now().gather?.speechRef as string;
    const waits = (effects: CallEffect[]) => effects.flatMap((one) => (one.do === 'set_timer' ? [one.inMs] : []));
    assert.deepEqual(waits(call.feed({ type: 'speech_ended', speechRef, completed: true })), [5_000]);
    assert.deepEqual(waits(key(call, '1')), [5_000]);
    const timer: CallInput = { type: 'timer', name: 'gather', generation: call.now().timers.gather ?? 0 };
    assert.deepEqual(result(call.feed(timer)), { digits: '1', reason: 'timeout' });
  });

  test('ends with the call, and its result comes before the end of the call', () => {
    const call = talking();
    gather(call);
    key(call, '4');
    const over = call.feed(ended(call.leg(PLAYED_CALL.customer)));
    assert.deepEqual(result(over), { digits: '4', reason: 'hangup' });
    const events = over.flatMap((effect) => (effect.do === 'emit' ? [effect.type] : []));
    assert.deepEqual(events, ['call.gather', 'call.completed']);
  });

  test('and every digit beyond the 5,000th of a call is dropped', () => {
    const call = talking();
    for (let count = 0; count < 5_000; count++) assert.notDeepEqual(key(call, '1'), []);
    assert.deepEqual(key(call, '1'), []);
    assert.deepEqual(key(call, '1', AGENT), []);
  });

  test('ignores the digits of the agent, and is refused while another is open', () => {
    const call = talking();
    gather(call);
    assert.equal(result(key(call, '#', AGENT)), undefined);
    assert.equal(call.now().gather?.digits, '');
    const again = { type: 'gather', prompt: 'Again?', maxDigits: 1, terminator: null, timeoutMs: 5_000 } as const;
    assert.equal(step(call.now(), again, 0).refusal, 'gather_in_progress');
  });
});

describe('a recording', () => {
  const speechRef = (call: ReturnType<typeof talking>) =>
    (commandsOf(call.effects).find((one) => one.do === 'speak') as { speechRef: string }).speechRef;

  test('starts when the announcement has ended for both parties', () => {
    const call = talking({ record: true, announce: true });
    assert.ok(!did(call.effects).includes('start_recording'));
    const heard = call.feed({ type: 'speech_ended', speechRef: speechRef(call), completed: true });
    assert.deepEqual(did(heard), ['start_recording']);
    call.feed({ type: 'hang_up' }, 9_000);
    const kept = call.feed({ type: 'recording_ended', recordingRef: 'rec_1', durationMs: 8_000 });
    assert.deepEqual(
      kept.filter((one) => one.do === 'keep_recording'),
      [{ do: 'keep_recording', recordingId: 'rec_1', durationMs: 8_000, announced: true }],
    );
  });

  test('does not start after an incomplete announcement', () => {
    const call = talking({ record: true, announce: true });
    call.feed({ type: 'speech_ended', speechRef: speechRef(call), completed: false });
    call.feed({ type: 'hang_up' });
    assert.ok(!did(call.effects).includes('start_recording'));
  });

  test('without an announcement starts when the parties are joined, and is marked as unannounced', () => {
    const call = talking({ record: true });
    assert.ok(did(call.effects).includes('start_recording'));
    const kept = call.feed({ type: 'recording_ended', recordingRef: 'rec_1', durationMs: 1_000 });
    assert.equal((kept.find((one) => one.do === 'keep_recording') as { announced: boolean }).announced, false);
  });
});
