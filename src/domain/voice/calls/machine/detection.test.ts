import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, dataOf, did, ended, PLAYED_CALL, play } from '../../../../../test/support/call-plays.ts';
import { AGENT, customer } from '../../../../../test/support/front-desk-plays.ts';
import type { CallInput } from '../state/call-step.ts';
import type { Detection } from '../state/detection.ts';
import { beginClickToCall } from './outbound.ts';

const LEAVE = { onMachine: 'leave_message', message: { text: 'Please call us back.' } } as const;

/** A call whose agent or application has answered, and whose customer is being dialled. */
function dialled(detection: Pick<Detection, 'onMachine' | 'message'>, agent = AGENT) {
  const wanted = { ...PLAYED_CALL, agent, record: false, announce: true, transcribe: false, detection };
  const call = play(beginClickToCall(wanted, 0));
  if (agent === AGENT) call.feed(answered(call.leg(AGENT)));
  return call;
}

type Dialled = ReturnType<typeof dialled>;
const classified = (call: Dialled, kind: Detection['kind'] = 'machine') =>
  ({ type: 'classified', legId: call.leg(customer), kind }) as CallInput;
const greetingEnded = (call: Dialled, beep = true) =>
  ({ type: 'greeting_ended', legId: call.leg(customer), beep }) as CallInput;
const meets = (detection: Pick<Detection, 'onMachine' | 'message'>, agent?: string) => {
  const call = dialled(detection, agent);
  call.feed(answered(call.leg(customer)));
  return call;
};

describe('the detection of answering machines', () => {
  test('is asked of the customer alone', () => {
    const [agent, person] = commandsOf(dialled(LEAVE).effects);
    assert.ok(agent?.do === 'dial' && agent.detectsMachine === undefined);
    assert.ok(person?.do === 'dial' && person.detectsMachine === true);
  });

  test('never delays the bridge', () => {
    const call = dialled(LEAVE);
    assert.deepEqual(did(call.feed(answered(call.leg(customer)))), ['bridge']);
  });

  test('counts the first report, also one that comes before that of the answer', () => {
    const call = dialled({ onMachine: 'hangup', message: null });
    assert.equal(call.feed(classified(call)).length > 0, true);
    assert.equal(call.now().stage.name, 'dialing_customer');
    call.feed(answered(call.leg(customer)));
    assert.deepEqual([call.now().status, call.now().outcome], ['completed', 'answered']);
    assert.deepEqual(call.feed(classified(call, 'person')), []);
    assert.equal(call.now().detection?.kind, 'machine');
  });

  test('frees the agent at the verdict, and speaks once at the end of the greeting', () => {
    const call = meets(LEAVE);
    assert.deepEqual(did(call.feed(classified(call))), ['hang_up']);
    assert.deepEqual(call.feed(ended(call.leg(AGENT))), []);
    const [message, ...more] = commandsOf(call.feed(greetingEnded(call)));
    assert.ok(message?.do === 'speak' && message.text === LEAVE.message.text);
    assert.deepEqual([more, message.legRefs], [[], [call.leg(customer)]]);
    assert.deepEqual(call.feed(greetingEnded(call)), []);
    assert.deepEqual(did(call.feed({ type: 'speech_ended', speechRef: message.speechRef, completed: true })), [
      'hang_up',
    ]);
    assert.deepEqual([call.now().status, call.now().outcome], ['completed', 'answered']);
  });

  test('takes the end of a greeting for a machine if the verdict comes later', () => {
    const call = meets(LEAVE);
    const effects = call.feed(greetingEnded(call, false));
    assert.deepEqual(dataOf(effects, 'call.machine_detected'), [{ answered_by_kind: 'machine' }]);
    assert.deepEqual(dataOf(effects, 'call.greeting_ended'), [{ beep: false }]);
    assert.deepEqual(did(effects), ['hang_up', 'speak']);
    assert.deepEqual(call.feed(classified(call, 'person')), []);
  });

  test('ends a call whose machine talks without end, and one whose message is never reported to be over', () => {
    const talks = meets(LEAVE);
    talks.feed(classified(talks));
    talks.feed(talks.timer('machine'));
    assert.equal(talks.now().status, 'completed');
    const speaks = meets(LEAVE);
    speaks.feed(classified(speaks));
    speaks.feed(greetingEnded(speaks));
    speaks.feed(speaks.timer('machine'));
    assert.equal(speaks.now().status, 'completed');
  });

  test('relieves an application of the call, whose time to do something is over with that', () => {
    const call = meets(LEAVE, 'application');
    const idle = call.timer('application');
    call.feed(classified(call));
    assert.deepEqual(call.feed(idle), []);
    assert.equal(call.now().stage.name, 'leaving_message');
  });

  test('changes nothing for a person, and nothing of a call without it', () => {
    const person = meets(LEAVE);
    assert.deepEqual(did(person.feed(classified(person, 'person'))), []);
    assert.equal(person.now().stage.name, 'talking');
    const wanted = { ...PLAYED_CALL, agent: AGENT, record: false, announce: true, transcribe: false };
    const plain = play(beginClickToCall(wanted, 0));
    plain.feed(answered(plain.leg(AGENT)));
    assert.deepEqual(plain.feed(classified(plain)), []);
    assert.deepEqual(plain.feed(greetingEnded(plain)), []);
  });
});
