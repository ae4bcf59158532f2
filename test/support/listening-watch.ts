import assert from 'node:assert/strict';
import type { Call } from '../../src/domain/voice/calls/state/call.ts';
import type { Step } from '../../src/domain/voice/calls/state/call-step.ts';

/** Fails if a step starts a recording or listens to a call while an announcement is due or being spoken. */
export function assertNothingListensEarly(before: Call, { call, effects }: Step): void {
  let isDue = before.listening !== undefined;
  let isSpoken = before.recording.name === 'announcing' || (before.listening?.speechRef ?? null) !== null;
  let announced = false;
  for (const effect of effects) {
    if (effect.do === 'log' && effect.type === 'announcement_played') {
      isSpoken = false;
      if (effect.detail['which'] !== 'recording') isDue = false;
      announced = effect.detail['which'] !== 'listening';
    }
    if (effect.do === 'clear_timer' && effect.name === 'announcement') isSpoken = false;
    if (effect.do === 'set_timer' && effect.name === 'announcement') isSpoken = true;
    const started = effect.do === 'command' ? effect.command : undefined;
    if (started?.do === 'start_recording' && started.recordingRef !== call.voicemailRecordingId) {
      assert.ok(!isSpoken, 'a recording starts during an announcement');
      if (before.recording.name === 'announcing') assert.ok(announced, 'recorded without its announcement');
    }
    if (started?.do === 'start_recording') assert.ok(!isSpoken, 'a message is recorded during an announcement');
    const isNew = started?.do === 'start_transcription' && before.transcription !== 'on';
    // The audio of an agent's telephone does not contain the customer.
    const isOfCustomer = started?.do === 'start_stream' && started.legRef === customerLegId(call);
    if (isNew || isOfCustomer) {
      assert.ok(!isSpoken, `${started?.do} during an announcement`);
      assert.ok(!isDue, `${started?.do} before the announcement that is due`);
    }
    if (started?.do !== 'speak' || !started.speechRef.startsWith('spc_')) continue;
    assert.ok(!isSpoken, 'a speech during an announcement');
    if (before.application !== undefined && call.application !== undefined) {
      assert.ok(!isDue, 'the application speaks before the announcement that is due');
    }
  }
}

function customerLegId({ legs }: Call): string | undefined {
  return legs.find(({ party }) => party === 'customer')?.id;
}
