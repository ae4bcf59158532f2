import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, did, ended, PLAYED_CALL, VOICEMAIL } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrive,
  customer,
  OTHER,
  type Played,
  refusalOf,
  ringOf,
  served,
  speechRefOf,
  spoken,
  talking,
  transfer,
  transfers,
} from '../../../../../test/support/front-desk-plays.ts';
import type { CallInput } from '../state/call-step.ts';
import type { WantedTransfer } from '../state/call-transfer.ts';

describe('a transfer', () => {
  test('the customer hears hold audio, and the agent leaves when the new one answers', () => {
    const call = talking();
    const begun = call.feed(transfer());
    assert.deepEqual([did(begun), transfers(begun)], [['hold', 'dial'], ['started']]);
    const done = call.feed(answered(call.leg(OTHER)));
    assert.deepEqual(commandsOf(done), [
      { do: 'hang_up', legRef: call.leg(AGENT), reason: 'ended' },
      { do: 'bridge', legRefs: [call.leg(OTHER), 'caller'] },
    ]);
    assert.deepEqual(transfers(done), ['completed']);
    assert.deepEqual(call.feed(ended(call.leg(AGENT), 'canceled')), []);
    call.feed(ended(call.leg(OTHER)));
    assert.equal(call.now().outcome, 'answered');
  });

  test('the new agent hears the announcement before the customer is connected', () => {
    const call = talking();
    call.feed(transfer({ announcement: 'A caller about a bill.' }));
    const answer = call.feed(answered(call.leg(OTHER)));
    assert.deepEqual(did(answer), ['hang_up', 'speak']);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(answer), false))), ['bridge'], 'also if it could not be spoken');
  });

  test('the agent before may hang up while the new one rings', () => {
    const call = talking();
    call.feed(transfer());
    assert.deepEqual(did(call.feed(ended(call.leg(AGENT)))), []);
    assert.deepEqual(did(call.feed(answered(call.leg(OTHER)))), ['bridge']);
  });

  test('a customer who hangs up while it rings cancels it', () => {
    const call = talking();
    call.feed(transfer());
    const gone = call.feed(ended('caller'));
    assert.deepEqual(transfers(gone), ['canceled']);
    assert.deepEqual(did(gone), ['hang_up', 'hang_up']);
    assert.deepEqual(gone.at(-1), { do: 'emit', type: 'call.completed', data: null });
    assert.deepEqual(call.feed(answered(call.leg(OTHER))), []);
  });

  test('each way in which the new agent does not answer has its reason', () => {
    for (const [cause, reason] of [
      ['busy', 'busy'],
      ['rejected', 'rejected'],
      ['hangup', 'rejected'],
      ['no_answer', 'no_answer'],
      ['unreachable', 'failed'],
    ] as const) {
      const call = talking();
      call.feed(transfer());
      const failed = call.feed(ended(call.leg(OTHER), cause));
      assert.deepEqual([transfers(failed), did(failed)], [[reason], ['resume']], cause);
      assert.equal(call.now().status, 'in_progress');
    }
    const call = talking();
    call.feed(transfer());
    const late = call.feed(call.timer('transfer'));
    assert.deepEqual([transfers(late), did(late)], [['no_answer'], ['hang_up', 'resume']]);
  });

  test('without an answer the customer returns, is passed to the voicemail, or is hung up', () => {
    const fail = (call: Played, onNoAnswer: WantedTransfer['onNoAnswer']) => {
      call.feed(transfer({ onNoAnswer }));
      return did(call.feed(ended(call.leg(OTHER), 'busy')));
    };
    assert.deepEqual(fail(talking(), 'return'), ['resume']);
    assert.deepEqual(fail(served(), 'return'), ['resume']);
    assert.deepEqual(fail(talking(), 'voicemail'), ['hang_up', 'resume', 'speak']);
    const hungUp = talking();
    assert.deepEqual(fail(hungUp, 'hangup'), ['hang_up', 'hang_up']);
    assert.deepEqual([hungUp.now().status, hungUp.now().outcome], ['completed', 'answered']);
    const alone = talking();
    alone.feed(transfer());
    alone.feed(ended(alone.leg(AGENT)));
    alone.feed(ended(alone.leg(OTHER), 'busy'));
    assert.equal(alone.now().stage.name, 'ended', 'there is nobody to return to');
  });

  test('to the voicemail it is complete at once, and a message or none decides the outcome', () => {
    for (const [messageMs, outcome] of [
      [4_000, 'voicemail'],
      [0, 'answered'],
    ] as const) {
      const call = talking({ recording: { enabled: true, consent_announcement: false } });
      const passed = call.feed({ type: 'transfer', transfer: null, voicemail: VOICEMAIL, audioRef: null });
      assert.deepEqual(transfers(passed), ['started', 'completed']);
      assert.deepEqual(did(passed), ['hang_up', 'stop_recording', 'speak']);
      call.feed(spoken(speechRefOf(passed)), 5_000);
      call.feed(
        { ...ended('caller'), recordedMs: { [PLAYED_CALL.voicemailRecordingId]: messageMs } } as CallInput,
        9_000,
      );
      assert.deepEqual([call.now().outcome, call.now().answeredBy], [outcome, AGENT]);
    }
  });

  test('from the application it ends the bidirectional stream, which would be all that the customer hears', () => {
    const call = served();
    call.feed({ type: 'start_stream', stream: { id: 'stm_1', direction: 'bidirectional', track: 'both' } });
    call.feed({ type: 'stream_connected', streamId: 'stm_1' });
    call.feed(transfer());
    assert.deepEqual(did(call.feed(answered(call.leg(OTHER)))), ['stop_stream', 'bridge']);
    assert.equal(call.now().stream, null);
  });

  test('one at a time, and not to a party of the call', () => {
    const call = talking();
    for (const to of [AGENT, customer]) assert.equal(refusalOf(call, transfer({ to })), 'on_this_call');
    call.feed(transfer());
    assert.equal(refusalOf(call, transfer({ to: '+16025550199' })), 'transfer_in_progress');
    call.feed(ended(call.leg(OTHER), 'busy'));
    assert.equal(refusalOf(call, transfer()), undefined, 'one that has left is no party any more');
    assert.equal(refusalOf(arrive(ringOf([AGENT])), transfer()), 'call_not_active');
  });

  test('a dial that is sent late gets its ring time again, once', () => {
    const call = talking();
    call.feed(transfer());
    const undispatched = [call.leg(OTHER)];
    assert.deepEqual(did(call.feed(call.timer('transfer', { undispatched }))), []);
    assert.deepEqual(transfers(call.feed(call.timer('transfer', { undispatched }))), ['no_answer']);
  });
});

describe('hold', () => {
  const hold: CallInput = { type: 'hold', audioRef: 'music' };

  test('a second hold and a second resume change nothing', () => {
    const call = talking();
    assert.deepEqual(commandsOf(call.feed(hold)), [{ do: 'hold', legRef: 'caller', audioRef: 'music' }]);
    assert.deepEqual(call.feed(hold), []);
    assert.deepEqual(did(call.feed({ type: 'resume' })), ['resume']);
    assert.deepEqual(call.feed({ type: 'resume' }), []);
  });

  test('a customer who was on hold before a transfer that fails stays on hold', () => {
    const call = talking();
    call.feed(hold);
    assert.deepEqual(did(call.feed(transfer())), ['dial']);
    assert.deepEqual(did(call.feed(ended(call.leg(OTHER), 'busy'))), []);
    assert.deepEqual(did(call.feed({ type: 'resume' })), ['resume']);
  });

  test('a resume while a transfer rings takes effect when it fails', () => {
    const call = talking();
    call.feed(hold);
    call.feed(transfer());
    assert.deepEqual(did(call.feed({ type: 'resume' })), []);
    assert.deepEqual(did(call.feed(ended(call.leg(OTHER), 'busy'))), ['resume']);
  });

  test('a carrier that cannot play hold audio is in the log, and the call goes on', () => {
    const call = talking();
    const [command] = commandsOf(call.feed(hold));
    call.feed({ type: 'command_failed', command: command as never, reason: 'not_supported' });
    assert.equal(call.now().hold, undefined);
    assert.deepEqual(call.feed({ type: 'resume' }), []);
  });
});
