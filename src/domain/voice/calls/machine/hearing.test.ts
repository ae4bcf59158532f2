import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, dataOf, did, PLAYED_CALL, play } from '../../../../../test/support/call-plays.ts';
import { AGENT, customer } from '../../../../../test/support/front-desk-plays.ts';
import type { CallInput } from '../state/call-step.ts';
import { type Detection, UNHEARD } from '../state/detection.ts';
import { hearingOf } from './hearing.ts';
import { beginClickToCall } from './outbound.ts';

const LEAVE = { onMachine: 'leave_message', message: { text: 'Please call us back.' }, hearing: UNHEARD } as const;

/** A call whose customer is being dialled. The carrier has no detector. */
function dialled(detection: Pick<Detection, 'onMachine' | 'message' | 'hearing'> = LEAVE) {
  const wanted = { ...PLAYED_CALL, agent: AGENT, record: false, announce: true, transcribe: false, detection };
  const call = play(beginClickToCall(wanted, 0));
  call.feed(answered(call.leg(AGENT)));
  return call;
}

function meets(detection?: Parameters<typeof dialled>[0]) {
  const call = dialled(detection);
  const effects = call.feed(answered(call.leg(customer)), 5_000);
  const request = commandsOf(effects).find((command) => command.do === 'start_stream');
  return { ...call, effects, streamRef: request?.streamRef ?? assert.fail('it is not requested') };
}

type Met = ReturnType<typeof meets>;
const kindIs = (call: Met, kind: Detection['kind']) =>
  call.feed({ type: 'classified', legId: call.leg(customer), kind } as CallInput);
const greetingEnds = (call: Met) => call.feed({ type: 'greeting_ended', legId: call.leg(customer), beep: true });
const loses = (call: Met, streamRef = call.streamRef) =>
  call.feed({ type: 'stream_over', streamId: streamRef, reason: 'carrier_error' });
const wants = (call: Met, nowMs = 5_000) => {
  const { legs } = call.now();
  return hearingOf(
    call.now(),
    legs.find(({ party }) => party === 'customer'),
    nowMs,
  );
};

describe("the customer's voice for the gateway's detector", () => {
  test('is requested after the join, once, and the carrier is not asked to detect', () => {
    const dial = commandsOf(dialled().effects).filter((command) => command.do === 'dial')[1];
    assert.ok(dial?.do === 'dial' && dial.detectsMachine === undefined);
    const call = meets();
    assert.deepEqual(did(call.effects), ['bridge', 'start_stream']);
    const request = commandsOf(call.effects)[1];
    assert.ok(request?.do === 'start_stream' && request.direction === 'fork' && request.track === 'inbound');
    assert.deepEqual(did(call.feed(answered(call.leg(customer)))), []);
    assert.equal(call.now().stream, null);
  });

  test('is not requested where the carrier detects, nor on a call without detection', () => {
    const { hearing: _none, ...byCarrier } = LEAVE;
    const call = dialled(byCarrier);
    assert.deepEqual(did(call.feed(answered(call.leg(customer)))), ['bridge']);
  });

  test('that ends before a verdict leaves the kind unknown, and the call goes on', () => {
    const call = meets();
    loses(call);
    assert.deepEqual([call.now().detection?.kind, call.now().stage.name], ['unknown', 'talking']);
    assert.deepEqual(did(kindIs(call, 'machine')), []);
    assert.equal(wants(call), undefined);
  });

  test('that ends during the greeting of a machine is requested again, twice at most', () => {
    const call = meets();
    kindIs(call, 'machine');
    assert.equal(wants(call), 'greeting_end');
    const refs = [call.streamRef];
    for (const times of [1, 2]) {
      const [again] = commandsOf(loses(call, refs.at(-1)));
      assert.ok(again?.do === 'start_stream' && !refs.includes(again.streamRef), `request ${times}`);
      refs.push(again.streamRef);
    }
    assert.deepEqual(did(loses(call, refs.at(-1))), []);
    assert.deepEqual(did(loses(call, refs[0])), []);
    assert.deepEqual(dataOf(greetingEnds(call), 'call.greeting_ended'), [{ beep: true }]);
  });

  test('is not requested again once its findings are known', () => {
    const call = meets();
    kindIs(call, 'machine');
    greetingEnds(call);
    assert.deepEqual(did(loses(call)), []);
    assert.equal(wants(call), undefined);
  });

  test('that the carrier refuses leaves the kind unknown', () => {
    const call = meets();
    const failed = { do: 'start_stream', streamRef: call.streamRef, legRef: call.leg(customer) } as never;
    call.feed({ type: 'command_failed', command: failed, reason: 'not_supported' });
    assert.equal(call.now().detection?.kind, 'unknown');
  });

  test('decides the kind only if it comes soon after the answer', () => {
    const call = meets();
    assert.equal(wants(call, 7_000), 'kind');
    assert.equal(wants(call, 8_001), 'nothing');
    kindIs(call, 'machine');
    assert.equal(wants(call, 60_000), 'greeting_end');
  });

  test('that is shared with the call is lost with the audio of the call, and stays shared when it is requested again', () => {
    const call = meets({ ...LEAVE, hearing: { ...UNHEARD, isShared: true } });
    call.feed({ type: 'audio_lost', legId: call.leg(AGENT) });
    assert.equal(call.now().detection?.kind, null);
    call.feed({ type: 'audio_lost' });
    assert.equal(call.now().detection?.kind, 'unknown');
    const machine = meets({ ...LEAVE, hearing: { ...UNHEARD, isShared: true } });
    kindIs(machine, 'machine');
    const [again] = commandsOf(machine.feed({ type: 'audio_lost' }));
    assert.ok(again?.do === 'start_stream' && again.streamRef !== machine.streamRef);
    assert.equal(machine.now().detection?.hearing?.isShared, true);
  });

  test('of its own socket is not lost with the audio of the call', () => {
    const call = meets();
    call.feed({ type: 'audio_lost' });
    assert.equal(call.now().detection?.kind, null);
  });
});
