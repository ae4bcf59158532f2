import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callIn, readCall, ringing, route } from '../../../../test/support/calls.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });
const [answered, unrouted] = [await makeLine(harness), await makeLine(harness)];
await route(harness, answered, { open_behavior: ringing([newPerson()]) });

describe('a script that is over before its caller is up', () => {
  for (const script of ['ring 1', 'wait 0.5', 'answer', 'ring 1, answer']) {
    test(`ends 15 s after the answer: ${script}`, async () => {
      const { id } = await callIn(harness, answered, { script });
      await harness.advance(60);
      const call = await readCall(harness, id);
      assert.deepEqual([call.status, call.outcome], ['completed', 'answered']);
      assert.ok(call.duration_seconds >= 14 && call.duration_seconds < 25, `${call.duration_seconds} s`);
    });
  }

  test('is over with the call if no target answers', async () => {
    const silent = await makeLine(harness);
    await route(harness, silent, { open_behavior: ringing([newPerson()], { no_answer: null }) });
    const { id } = await callIn(harness, silent, { script: 'ring 0.1, decline, wait 1' });
    await harness.advance(10);
    assert.equal((await readCall(harness, id)).status, 'missed');
  });
});

describe('a caller at a voicemail', () => {
  for (const script of ['ring 1', 'wait 4', 'wait 30', 'answer, agent say "Hello"']) {
    test(`leaves a message of 3 s if the script has no steps for it: ${script}`, async () => {
      const { id } = await callIn(harness, unrouted, { script });
      await harness.advance(40);
      const call = await readCall(harness, id);
      assert.deepEqual([call.status, call.outcome], ['completed', 'voicemail']);
      assert.equal((await read(harness, `/voicemails/${call.voicemail_id}`)).duration_seconds, 3);
    });
  }

  test('says what its script says, and nothing else', async () => {
    const { id } = await callIn(harness, unrouted, { script: 'say "Call me back", wait 2, hangup' });
    await harness.advance(40);
    const call = await readCall(harness, id);
    const { transcript, duration_seconds } = await read(harness, `/voicemails/${call.voicemail_id}`);
    assert.equal(transcript, 'Call me back');
    assert.ok(duration_seconds >= 2);
  });
});

describe('what a script says', () => {
  test('is transcribed from the start of transcription on, also at the end', async () => {
    const { id } = await callIn(harness, answered, {
      script: 'ring 0.5, answer, say "Before.", wait 4, say "After.", wait 4, hangup',
    });
    await harness.advance(4);
    const begun = await harness.call('POST', `/v1/calls/${id}/transcription`);
    assert.equal(begun.status, 200);
    await harness.advance(20);
    assert.equal((await readCall(harness, id)).status, 'completed');
    assert.equal((await read(harness, `/calls/${id}/transcript`)).text, 'Customer: After.');
  });
});
