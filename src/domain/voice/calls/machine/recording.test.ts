import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandsOf, did } from '../../../../../test/support/call-plays.ts';
import {
  arrive,
  type Played,
  refusalOf,
  ringOf,
  speechRefOf,
  spoken,
  talking,
} from '../../../../../test/support/front-desk-plays.ts';
import type { CallInput } from '../state/call-step.ts';
import { isInPause } from './recording.ts';

const control = (action: 'start' | 'pause' | 'resume' | 'stop', fields: object = {}): CallInput => ({
  ...{ type: 'control_recording', action, recordingId: 'rec_next', announce: false, ...fields },
});
const recorded = () => talking({ recording: { enabled: true, consent_announcement: false } });
const logged = (call: Played) => call.effects.flatMap((effect) => (effect.do === 'log' ? [effect.type] : []));
const over = (recordingRef: string): CallInput => ({ type: 'recording_ended', recordingRef, durationMs: 4_000 });

describe('the control of a recording', () => {
  test('pauses and resumes it, and a repeat changes nothing', () => {
    const call = recorded();
    assert.deepEqual(commandsOf(call.feed(control('pause'))), [{ do: 'pause_recording', recordingRef: 'rec_1' }]);
    assert.deepEqual(call.feed(control('pause')), []);
    assert.deepEqual(commandsOf(call.feed(control('resume'))), [{ do: 'resume_recording', recordingRef: 'rec_1' }]);
    assert.deepEqual(call.feed(control('resume')), []);
    assert.ok(['recording_paused', 'recording_resumed'].every((type) => logged(call).includes(type as never)));
  });

  test('knows what was said in a pause, also in part', () => {
    const call = recorded();
    call.feed(control('pause'), 10_000);
    const said = (from: number, to: number) =>
      isInPause(call.now(), { startedAt: new Date(from), endedAt: new Date(to) });
    assert.deepEqual([said(8_000, 9_000), said(9_000, 11_000), said(50_000, 51_000)], [false, true, true]);
    call.feed(control('resume'), 20_000);
    assert.deepEqual([said(19_000, 22_000), said(20_000, 21_000)], [true, false]);
    call.feed(control('pause'), 30_000);
    call.feed(control('stop'), 40_000);
    assert.deepEqual([said(35_000, 36_000), said(40_000, 41_000)], [true, false], 'a stop ends the pause');
  });

  test('ends a pause with the recording, also if the carrier ends that by itself', () => {
    const call = recorded();
    call.feed(control('pause'), 10_000);
    call.feed(over('rec_1'), 20_000);
    const said = { startedAt: new Date(25_000), endedAt: new Date(26_000) };
    assert.equal(isInPause(call.now(), said), false);
  });

  test('starts one in a call without, after its announcement', () => {
    const call = talking();
    const asked = call.feed(control('start', { announce: true }));
    assert.deepEqual(did(asked), ['speak']);
    assert.deepEqual(call.feed(control('start', { announce: true })), []);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(asked)))), ['start_recording']);
    assert.deepEqual(call.feed(control('start')), []);
  });

  test('after a stop begins another one, once the carrier has reported the end of the first', () => {
    const call = recorded();
    assert.deepEqual(did(call.feed(control('stop'))), ['stop_recording']);
    assert.deepEqual(call.feed(control('stop')), []);
    assert.deepEqual(did(call.feed(control('start'))), []);
    const [started] = commandsOf(call.feed(over('rec_1')));
    assert.deepEqual(started?.do === 'start_recording' && started.recordingRef, 'rec_next');
    call.feed(control('stop'));
    call.feed(over('rec_next'));
    const kept = call.effects.flatMap((effect) => (effect.do === 'keep_recording' ? [effect.recordingId] : []));
    assert.deepEqual(kept, ['rec_1', 'rec_next']);
    assert.deepEqual(did(call.feed(control('start', { recordingId: 'rec_third' }))), ['start_recording']);
  });

  test('is refused without a recording, and in a call whose parties are not connected', () => {
    const call = talking();
    for (const action of ['pause', 'resume', 'stop'] as const) {
      assert.equal(refusalOf(call, control(action)), 'recording_not_active');
    }
    assert.equal(refusalOf(arrive(ringOf(['+16025550120'])), control('start')), 'call_not_active');
    const ended = recorded();
    ended.feed(control('stop'));
    for (const action of ['pause', 'resume'] as const) {
      assert.equal(refusalOf(ended, control(action)), 'recording_not_active');
    }
  });

  test('pauses one that is being announced: it starts when it is resumed', () => {
    const call = talking();
    const asked = call.feed(control('start', { announce: true }));
    assert.deepEqual(did(call.feed(control('pause'), 1_000)), []);
    assert.deepEqual(call.feed(control('pause')), []);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(asked)))), []);
    assert.deepEqual(did(call.feed(control('start'))), []);
    assert.equal(isInPause(call.now(), { startedAt: new Date(5_000), endedAt: new Date(6_000) }), true);
    assert.deepEqual(did(call.feed(control('resume'))), ['start_recording']);
    assert.deepEqual(logged(call).slice(-3), ['announcement_played', 'recording_resumed', 'recording_started']);
  });

  test('pauses one that waits for the end of the one before', () => {
    const call = recorded();
    for (const action of ['pause', 'stop', 'start', 'pause'] as const) call.feed(control(action));
    assert.deepEqual(did(call.feed(over('rec_1'))), []);
    const [started] = commandsOf(call.feed(control('resume')));
    assert.deepEqual(started?.do === 'start_recording' && started.recordingRef, 'rec_next');
  });

  test('stops one that is being announced, and a repeat changes nothing', () => {
    const call = talking();
    const asked = call.feed(control('start', { announce: true }));
    assert.deepEqual(did(call.feed(control('stop'))), ['stop_speech']);
    call.feed(spoken(speechRefOf(asked), false));
    assert.equal(refusalOf(call, control('stop')), undefined);
    assert.deepEqual(call.feed(control('stop')), []);
    assert.equal(refusalOf(call, control('pause')), 'recording_not_active');
    assert.deepEqual(did(call.feed(control('start', { announce: true }))), ['speak']);
  });

  test('stops a recording that the carrier cannot pause', () => {
    const call = recorded();
    const [command] = commandsOf(call.feed(control('pause')));
    const failed = call.feed({ type: 'command_failed', command: command as never, reason: 'unavailable' });
    assert.deepEqual(did(failed), ['stop_recording']);
    assert.equal(call.now().recording.name, 'stopped');
  });
});
