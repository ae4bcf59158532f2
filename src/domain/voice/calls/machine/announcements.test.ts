import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, did, ended } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrive,
  arrived,
  menuOf,
  type Played,
  ringOf,
  served,
  speak,
  speechRefOf,
  spoken,
  talking,
} from '../../../../../test/support/front-desk-plays.ts';
import type { CallEffect, CallInput } from '../state/call-step.ts';

const listeningAnnouncement = 'A computer writes down what you say.';
const listening = { listeningAnnouncement };
const recorded = { recording: { enabled: true, consent_announcement: true } };
const stream: CallInput = {
  type: 'start_stream',
  stream: { id: 'stm_1', direction: 'fork', track: 'both' },
};
const gather: CallInput = { type: 'gather', prompt: 'Your code?', maxDigits: 4, terminator: '#', timeoutMs: 5_000 };

const textsOf = (effects: readonly CallEffect[]) =>
  commandsOf(effects).flatMap((one) => (one.do === 'speak' ? [{ text: one.text, legs: one.legRefs.length }] : []));
const played = (call: Played) =>
  call.effects.flatMap((effect) =>
    effect.do === 'log' && effect.type === 'announcement_played' ? [effect.detail['which']] : [],
  );

describe('a listening announcement', () => {
  test('is spoken to the customer before the first word of a transcript', () => {
    const call = talking(listening);
    assert.deepEqual(textsOf(call.effects), [], 'nothing listens yet');
    const asked = call.feed({ type: 'transcribe' });
    assert.deepEqual([did(asked), textsOf(asked)], [['speak'], [{ text: listeningAnnouncement, legs: 1 }]]);
    assert.deepEqual(did(call.feed({ type: 'transcribe' })), [], 'a second request changes nothing');
    assert.deepEqual(did(call.feed(spoken(speechRefOf(asked)))), ['start_transcription']);
    assert.deepEqual(played(call), ['listening']);
  });

  test('is spoken before the first frame of a stream, and not again before the next', () => {
    const call = talking(listening);
    const asked = call.feed(stream);
    assert.deepEqual(did(asked), ['speak']);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(asked)))), ['start_stream']);
    call.feed({ type: 'stream_over', streamId: 'stm_1', reason: 'client_closed' });
    assert.deepEqual(did(call.feed({ type: 'transcribe' })), ['start_transcription']);
  });

  test('lets the client of a stream wait, which is neither started nor without a client before', () => {
    const connected: CallInput = { type: 'stream_connected', streamId: 'stm_1' };
    const starts = (effects: readonly CallEffect[]) => effects.some((effect) => effect.do === 'activate_stream');
    for (const [announced, isDue] of [
      [listening, true],
      [recorded, true],
      [{}, false],
    ] as const) {
      const call = talking(announced);
      call.feed(stream);
      assert.equal(starts(call.feed(connected)), !isDue);
      call.feed({ type: 'stream_unused', streamId: 'stm_1' });
      if (isDue) call.feed(spoken(speechRefOf(call.effects)));
      assert.equal(starts(call.feed(connected)), isDue);
      assert.equal(call.now().stream?.connected, true);
    }
  });

  test('goes before a menu if a stream waits for the caller', () => {
    const call = arrive(menuOf({ '1': ringOf([AGENT]) }), listening);
    call.feed(stream);
    const first = call.feed(answered('caller'));
    assert.deepEqual(textsOf(first), [{ text: listeningAnnouncement, legs: 1 }]);
    const then = call.feed(spoken(speechRefOf(first)));
    assert.deepEqual([did(then), textsOf(then)[0]?.text], [['start_stream', 'speak'], 'Press one.']);
  });

  test('is heard before an application speaks, gathers or listens, and its time for that starts with the end', () => {
    const call = served(listening);
    const ref = speechRefOf(call.effects);
    assert.deepEqual(textsOf(call.effects), [{ text: listeningAnnouncement, legs: 1 }]);
    assert.equal(call.now().timers.application, undefined);
    assert.deepEqual(did(call.feed(speak('spc_1'))), []);
    assert.deepEqual(did(call.feed(gather)), []);
    assert.deepEqual(did(call.feed(stream)), []);
    assert.deepEqual(did(call.feed(spoken(ref))), ['start_stream', 'speak', 'speak']);
    const idle = served(listening);
    idle.feed(spoken(speechRefOf(idle.effects)));
    assert.notEqual(idle.now().timers.application, undefined);
  });

  test('that fails starts nothing that listens, and stays due', () => {
    const call = talking(listening);
    const asked = call.feed({ type: 'transcribe' });
    assert.deepEqual(did(call.feed(spoken(speechRefOf(asked), false))), []);
    assert.equal(call.now().transcription, 'off');
    assert.deepEqual(textsOf(call.feed(stream)), [{ text: listeningAnnouncement, legs: 1 }]);
    assert.deepEqual(did(call.feed(call.timer('announcement'))), [], 'its end was not reported');
    assert.equal(call.now().stream, null);
  });

  test('that fails takes the call from the application', () => {
    const call = arrived(ringOf([AGENT, 'application']), listening);
    call.feed(speak('spc_1'));
    const failed = call.feed(spoken(speechRefOf(call.effects), false));
    assert.deepEqual(did(failed), ['hold', 'dial']);
    const outbound = served(listening);
    outbound.feed(spoken(speechRefOf(outbound.effects), false));
    assert.deepEqual([outbound.now().status, outbound.now().outcome], ['failed', 'no_application']);
  });

  test('lets the greeting and the message of a voicemail wait', () => {
    const call = arrived({ type: 'voicemail', greeting_text: 'Leave a message.', transcribe: true }, listening);
    const greeting = speechRefOf(call.effects);
    const announced = call.feed({ type: 'transcribe' });
    assert.deepEqual(did(call.feed(spoken(greeting))), []);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(announced)))), ['start_transcription', 'start_recording']);
  });
});

describe('with an announced recording', () => {
  test('both announcements are one, to both parties', () => {
    const call = talking({ ...listening, ...recorded });
    const text = `This call is being recorded. ${listeningAnnouncement}`;
    assert.deepEqual(textsOf(call.effects), [{ text, legs: 2 }]);
    call.feed({ type: 'transcribe' });
    const heard = call.feed(spoken(speechRefOf(call.effects)));
    assert.deepEqual(did(heard), ['start_transcription', 'start_recording']);
    assert.deepEqual(played(call), ['both']);
  });

  test('nothing else listens before the end of its announcement', () => {
    const call = talking(recorded);
    call.feed({ type: 'transcribe' });
    call.feed(stream);
    assert.ok(!did(call.effects).some((one) => one === 'start_transcription' || one === 'start_stream'));
    const heard = call.feed(spoken(speechRefOf(call.effects)));
    assert.deepEqual(did(heard), ['start_transcription', 'start_recording', 'start_stream']);
    assert.deepEqual(played(call), ['recording']);
  });

  test('a stop breaks its announcement off, and what waits starts', () => {
    const call = talking(recorded);
    call.feed({ type: 'transcribe' });
    const stopped = call.feed({ type: 'control_recording', action: 'stop', recordingId: 'rec_9', announce: true });
    assert.deepEqual(did(stopped), ['stop_speech', 'start_transcription']);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(call.effects), false))), []);
  });

  test('a call that ends meanwhile starts nothing', () => {
    const call = talking({ ...listening, ...recorded });
    call.feed({ type: 'transcribe' });
    call.feed(ended('caller'));
    assert.deepEqual(call.feed(spoken(speechRefOf(call.effects))), []);
  });
});
