import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, did, ended } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  OTHER,
  type Played,
  refusalOf,
  served,
  speechRefOf,
  spoken,
  talking,
  transfer,
  transfers,
} from '../../../../../test/support/front-desk-plays.ts';
import type { CallInput } from '../state/call-step.ts';
import type { WantedTransfer } from '../state/call-transfer.ts';

const COMPLETE: CallInput = { type: 'complete_consult' };
const CANCEL: CallInput = { type: 'cancel_consult' };

const consult = (fields: Partial<WantedTransfer> = {}) => transfer({ consults: true, ...fields });

/** A call whose agent talks to the new one. */
function consulting(fields: Partial<WantedTransfer> = {}): Played {
  const call = talking();
  call.feed(consult(fields));
  call.feed(answered(call.leg(OTHER)));
  return call;
}

const bridgeOf = (call: Played, agent: string) => ({ do: 'bridge', legRefs: [call.leg(agent), 'caller'] });

describe('a consult transfer', () => {
  test('the customer holds while the new agent rings and while the two agents talk', () => {
    const call = talking();
    const begun = call.feed(consult());
    assert.deepEqual([did(begun), transfers(begun)], [['hold', 'dial'], ['started']]);
    const met = call.feed(answered(call.leg(OTHER)));
    assert.deepEqual(commandsOf(met), [{ do: 'bridge', legRefs: [call.leg(AGENT), call.leg(OTHER)] }]);
    assert.deepEqual(transfers(met), ['answered']);
    assert.deepEqual([call.now().hold?.playing, call.now().timers.transfer], [true, undefined]);
  });

  test('completed, it connects the customer with the new agent, and the agent leaves', () => {
    const call = consulting();
    const done = call.feed(COMPLETE);
    const hangUp = { do: 'hang_up', legRef: call.leg(AGENT), reason: 'ended' };
    assert.deepEqual(commandsOf(done), [hangUp, bridgeOf(call, OTHER)]);
    assert.deepEqual(transfers(done), ['completed']);
    assert.equal(call.now().hold, undefined);
    call.feed(ended(call.leg(AGENT), 'canceled'));
    call.feed(ended(call.leg(OTHER)));
    assert.equal(call.now().outcome, 'answered');
  });

  test('canceled, it connects the customer with the agent again', () => {
    const call = consulting();
    const back = call.feed(CANCEL);
    const hangUp = { do: 'hang_up', legRef: call.leg(OTHER), reason: 'ended' };
    assert.deepEqual(commandsOf(back), [hangUp, bridgeOf(call, AGENT)]);
    assert.deepEqual([transfers(back), call.now().hold], [['canceled'], undefined]);
    call.feed(ended(call.leg(OTHER), 'canceled'));
    assert.equal(call.now().stage.name, 'talking');
    assert.equal(refusalOf(call, consult({ to: '+16025550199' })), undefined);
  });

  test('the new agent who hangs up leaves the customer with the agent, whatever follows no answer', () => {
    for (const onNoAnswer of ['return', 'voicemail', 'hangup'] as const) {
      const call = consulting({ onNoAnswer });
      const left = call.feed(ended(call.leg(OTHER)));
      assert.deepEqual([transfers(left), commandsOf(left)], [['rejected'], [bridgeOf(call, AGENT)]], onNoAnswer);
      assert.equal(call.now().stage.name, 'talking');
    }
  });

  test('the agent who hangs up completes it', () => {
    const call = consulting();
    const left = call.feed(ended(call.leg(AGENT)));
    assert.deepEqual([transfers(left), commandsOf(left)], [['completed'], [bridgeOf(call, OTHER)]]);
  });

  test('the agent who hangs up or completes while the new one rings leaves the customer to it', () => {
    for (const leave of [(call: Played) => ended(call.leg(AGENT)), () => COMPLETE]) {
      const call = talking();
      call.feed(consult());
      assert.deepEqual(transfers(call.feed(leave(call))), []);
      const done = call.feed(answered(call.leg(OTHER)));
      assert.deepEqual([transfers(done), commandsOf(done)], [['completed'], [bridgeOf(call, OTHER)]]);
    }
  });

  test('a customer who hangs up while holding ends the call for both agents', () => {
    const call = consulting();
    const gone = call.feed(ended('caller'));
    assert.deepEqual([transfers(gone), did(gone)], [['canceled'], ['hang_up', 'hang_up']]);
    assert.deepEqual([call.now().status, call.now().outcome], ['completed', 'answered']);
  });

  test('without an answer it does what a transfer with an announcement does', () => {
    const call = talking();
    call.feed(consult());
    const late = call.feed(call.timer('transfer'));
    assert.deepEqual([transfers(late), did(late)], [['no_answer'], ['hang_up', 'resume']]);
    const passed = talking();
    passed.feed(consult({ onNoAnswer: 'voicemail' }));
    assert.deepEqual(did(passed.feed(ended(passed.leg(OTHER), 'busy'))), ['hang_up', 'resume', 'speak']);
    const alone = talking();
    alone.feed(consult());
    alone.feed(ended(alone.leg(AGENT)));
    assert.deepEqual(transfers(alone.feed(ended(alone.leg(OTHER), 'busy'))), ['busy']);
    assert.equal(alone.now().stage.name, 'ended', 'there is nobody to return to');
  });

  test('canceled while it rings, the customer is back with the agent', () => {
    const call = talking();
    call.feed(consult());
    const back = call.feed(CANCEL);
    assert.deepEqual([transfers(back), did(back)], [['canceled'], ['hang_up', 'resume']]);
    assert.deepEqual(call.feed(answered(call.leg(OTHER))), []);
  });

  test('the new agent hears the announcement first, and the agent who leaves meanwhile is not waited for', () => {
    const call = talking();
    call.feed(consult({ announcement: 'A caller about a bill.' }));
    const answer = call.feed(answered(call.leg(OTHER)));
    assert.deepEqual([did(answer), transfers(answer)], [['speak'], []]);
    assert.deepEqual(transfers(call.feed(spoken(speechRefOf(answer)))), ['answered']);
    const left = talking();
    left.feed(consult({ announcement: 'A caller about a bill.' }));
    const other = left.feed(answered(left.leg(OTHER)));
    left.feed(ended(left.leg(AGENT)));
    assert.deepEqual(transfers(left.feed(spoken(speechRefOf(other)))), ['completed']);
  });

  test('a customer whom the API holds hears hold audio again after it', () => {
    const call = talking();
    call.feed({ type: 'hold', audioRef: 'music' });
    call.feed({ ...consult(), audioRef: 'music' } as CallInput);
    call.feed(answered(call.leg(OTHER)));
    const back = commandsOf(call.feed(CANCEL)).slice(1);
    assert.deepEqual(back, [bridgeOf(call, AGENT), { do: 'hold', legRef: 'caller', audioRef: 'music' }]);
    assert.deepEqual(did(call.feed({ type: 'resume' })), ['resume']);
  });

  test('is completed and canceled only while it is under way, and needs an agent', () => {
    const call = talking();
    for (const input of [COMPLETE, CANCEL]) assert.equal(refusalOf(call, input), 'no_consult_in_progress');
    call.feed(transfer());
    for (const input of [COMPLETE, CANCEL]) assert.equal(refusalOf(call, input), 'no_consult_in_progress');
    const left = talking();
    left.feed(consult());
    left.feed(ended(left.leg(AGENT)));
    for (const input of [COMPLETE, CANCEL]) assert.equal(refusalOf(left, input), 'no_consult_in_progress');
    assert.equal(refusalOf(consulting(), transfer()), 'transfer_in_progress');
    assert.equal(refusalOf(served(), consult()), 'no_agent');
  });

  test('a carrier that cannot connect the two agents fails it, and not the call', () => {
    const call = consulting();
    const bridge = commandsOf(call.effects).at(-1) as never;
    const failed = call.feed({ type: 'command_failed', command: bridge, reason: 'leg_gone' });
    assert.deepEqual([transfers(failed), did(failed)], [['failed'], ['hang_up', 'bridge']]);
    assert.deepEqual(call.feed({ type: 'command_failed', command: bridge, reason: 'leg_gone' }), []);
    assert.equal(call.now().stage.name, 'talking');
  });

  test('lost audio is not asked for with the customer while the agents talk', () => {
    const call = consulting();
    call.feed({ type: 'bridged' });
    assert.deepEqual(did(call.feed({ type: 'audio_lost' })), []);
  });
});
