import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, did, emitted, ended } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrive,
  arrived,
  customer,
  endings,
  type Played,
  refusalOf,
  ringOf,
  served,
  speak,
  speechRefOf,
  spoken,
  talking,
  transfer,
} from '../../../../../test/support/front-desk-plays.ts';
import type { CallInput } from '../state/call-step.ts';

describe('the application as a party', () => {
  test('it answers a caller at once, and no leg is dialled', () => {
    const call = arrive(ringOf([AGENT, 'application']));
    assert.deepEqual(did(call.effects), ['answer']);
    const joined = call.feed(answered('caller'), 400);
    assert.deepEqual([did(joined), emitted(joined)], [[], ['call.answered']]);
    const { status, answeredBy, connectedAtMs, legs } = call.now();
    assert.deepEqual([status, answeredBy, connectedAtMs, legs.length], ['in_progress', 'application', 400, 1]);
  });

  test('in a sequential list it has its turn', () => {
    const call = arrive(ringOf([AGENT, 'application'], { strategy: 'sequential' }));
    assert.deepEqual(did(call.effects), ['dial']);
    assert.deepEqual(did(call.feed(ended(call.leg(AGENT), 'busy'))), ['answer']);
    call.feed(answered('caller'));
    assert.equal(call.now().answeredBy, 'application');
  });

  test('if it does nothing for ten seconds the ring goes on, and the customer hears hold audio', () => {
    const call = arrived(ringOf([AGENT, 'application']));
    const rung = call.feed(call.timer('application'), 10_400);
    assert.deepEqual(did(rung), ['hold', 'dial']);
    assert.deepEqual([call.now().status, call.now().answeredBy], ['in_progress', null]);
    const joined = call.feed(answered(call.leg(AGENT)), 12_000);
    assert.deepEqual([did(joined), emitted(joined)], [['bridge'], ['call.answered']]);
    assert.deepEqual([call.now().answeredBy, call.now().connectedAtMs], [AGENT, 1_000]);
  });

  test('if it does nothing and nobody else is there, the voicemail takes the call or it is missed', () => {
    const voicemail = arrived(ringOf(['application']));
    assert.deepEqual(did(voicemail.feed(voicemail.timer('application'))), ['speak']);
    const missed = arrived(ringOf(['application'], { no_answer: null }));
    missed.feed(missed.timer('application'));
    assert.deepEqual([missed.now().status, missed.now().outcome], ['completed', 'missed']);
  });

  test('a click-to-call whose application does nothing fails', () => {
    const call = served();
    assert.deepEqual(emitted(call.feed(call.timer('application'))), ['call.completed']);
    assert.deepEqual([call.now().status, call.now().outcome], ['failed', 'no_application']);
  });

  test('a stream, a speech, a gather, a transfer or a recording is something', () => {
    const stream = { id: 'stm_1', direction: 'bidirectional', track: 'both' } as const;
    const deeds: CallInput[][] = [
      [
        { type: 'start_stream', stream },
        { type: 'stream_connected', streamId: 'stm_1' },
      ],
      [speak('spc_1')],
      [{ type: 'gather', prompt: 'Press a key.', maxDigits: 1, terminator: null, timeoutMs: 5_000 }],
      [transfer()],
      [{ type: 'control_recording', action: 'start', recordingId: 'rec_9', announce: false }],
    ];
    for (const inputs of deeds) {
      const call = served();
      const idle = call.timer('application');
      for (const input of inputs) call.feed(input);
      assert.deepEqual(call.feed(idle), [], JSON.stringify(inputs[0]));
    }
    const unused = served();
    unused.feed({ type: 'start_stream', stream });
    assert.ok(unused.feed(unused.timer('application')).length > 0, 'a stream that nobody connects is nothing');
  });

  test('a stream that is connected while the call rings is something', () => {
    const call = arrive(ringOf(['application']));
    call.feed({ type: 'start_stream', stream: { id: 'stm_1', direction: 'fork', track: 'both' } });
    call.feed({ type: 'stream_connected', streamId: 'stm_1' });
    call.feed(answered('caller'));
    assert.equal(call.now().timers.application, undefined);
  });

  test('its recording is announced to the customer alone', () => {
    const call = served({ record: true });
    const [announcement] = commandsOf(call.effects).filter((command) => command.do === 'speak');
    assert.deepEqual(announcement?.legRefs, [call.leg(customer)]);
    const [start] = commandsOf(call.feed(spoken(announcement?.speechRef as string)));
    assert.deepEqual(
      [start?.do, start && 'legRefs' in start && start.legRefs],
      ['start_recording', [call.leg(customer)]],
    );
  });
});

describe('speeches', () => {
  test('they are spoken one after the other, and each ends once', () => {
    const call = served();
    assert.deepEqual(did(call.feed(speak('spc_1'))), ['speak']);
    assert.deepEqual(did(call.feed(speak('spc_2'))), []);
    const next = call.feed(spoken('spc_1'));
    assert.deepEqual([endings(next), speechRefOf(next)], [[['spc_1', true]], 'spc_2']);
    assert.deepEqual(endings(call.feed(spoken('spc_1'))), [], 'a repeated report');
    assert.deepEqual(endings(call.feed(spoken('spc_2', false))), [['spc_2', false]]);
  });

  test('the eleventh that is not over is refused', () => {
    const call = served();
    for (let n = 1; n <= 10; n++) call.feed(speak(`spc_${n}`));
    assert.equal(refusalOf(call, speak('spc_11')), 'speech_queue_full');
    call.feed(spoken('spc_1'));
    assert.equal(refusalOf(call, speak('spc_11')), undefined);
  });

  test('a stop breaks the current one off and empties the queue', () => {
    const call = served();
    for (const id of ['spc_1', 'spc_2']) call.feed(speak(id));
    const stopped = call.feed({ type: 'stop_speaking' });
    assert.deepEqual(commandsOf(stopped), [{ do: 'stop_speech', speechRef: 'spc_1' }]);
    assert.deepEqual(endings(stopped), [
      ['spc_1', false],
      ['spc_2', false],
    ]);
    assert.deepEqual(call.feed(spoken('spc_1', false)), [], 'the report of the carrier comes later');
    assert.deepEqual(did(call.feed(speak('spc_3'))), ['speak']);
  });

  test('a stop of a speech that has just ended stops nothing', () => {
    const call = served();
    call.feed(speak('spc_1'));
    call.feed(spoken('spc_1'));
    assert.deepEqual(call.feed({ type: 'stop_speaking' }), []);
  });

  test('they wait for the end of an announcement', () => {
    const call = served({ record: true });
    assert.deepEqual(did(call.feed(speak('spc_1'))), []);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(call.effects)))), ['start_recording', 'speak']);
    const stopped = served({ record: true });
    stopped.feed(speak('spc_1'));
    const stop = stopped.feed({ type: 'stop_speaking' });
    assert.deepEqual([did(stop), endings(stop)], [[], [['spc_1', false]]], 'nothing is being spoken');
  });

  test('those of a call that ends are over before it', () => {
    const call = served();
    for (const id of ['spc_1', 'spc_2']) call.feed(speak(id));
    const last = call.feed({ type: 'hang_up' });
    assert.deepEqual(endings(last).length, 2);
    assert.deepEqual(last.at(-1), { do: 'emit', type: 'call.completed', data: null });
  });

  test('a speech whose end is not reported is over in the end', () => {
    const call = served();
    call.feed(speak('spc_1'));
    const late = call.feed(call.timer('queued_speech'), 60_000);
    assert.deepEqual([did(late), endings(late)], [['stop_speech'], [['spc_1', false]]]);
  });

  test('an agent who is not there hears nothing', () => {
    assert.equal(refusalOf(served(), speak('spc_1', 'agent')), 'no_agent');
    const call = talking();
    assert.equal(refusalOf(call, speak('spc_1', 'agent')), undefined);
    const [both] = commandsOf(call.feed(speak('spc_1', 'both')));
    assert.deepEqual(both && 'legRefs' in both && both.legRefs, [call.leg(AGENT), 'caller']);
  });

  test('what the application says is in the transcript, and what an agent’s call is told is not', () => {
    const kept = (call: Played) => {
      call.feed(speak('spc_1'));
      return call.feed(spoken('spc_1')).some((effect) => effect.do === 'keep_said');
    };
    assert.equal(kept(served({ transcribe: true })), true);
    assert.equal(kept(served()), false);
    const person = talking();
    person.feed({ type: 'transcribe' });
    assert.equal(kept(person), false);
  });
});
