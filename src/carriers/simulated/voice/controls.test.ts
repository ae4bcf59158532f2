/** Controls immediately after another change of the call, in real time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callIn, playParty, readCall, ringing, route, voicemail } from '../../../../test/support/calls.ts';
import { startHarness } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { skippedBy } from '../../../../test/support/stepping-time.ts';
import { place } from '../../../../test/support/voice.ts';
import { MAGIC } from '../magic-numbers.ts';

const { harness, line } = await useLine();
const patient = { ...voicemail, greeting_text: 'Hello.' };
await route(harness, line, { open_behavior: ringing([MAGIC.neverAnswers], { no_answer: patient }) });

/** Makes an inbound call that a target has just answered. */
const answer = async () => {
  const { id } = await callIn(harness, line);
  const call = await playParty(harness, id, 'answer');
  assert.equal(call.status, 'in_progress');
  return id;
};

describe('right after the answer', () => {
  for (const [control, body] of [
    ['dtmf', { digits: '5' }],
    ['dtmf', { digits: '5', party: 'agent' }],
    ['speech', { speaker: 'customer', text: 'Hello' }],
    ['hangup', {}],
    ['hangup', { party: 'agent' }],
  ] as const) {
    test(`a party can act: ${control} ${JSON.stringify(body)}`, async () => {
      const id = await answer();
      await playParty(harness, id, control, body);
    });
  }

  test('the transcript starts with the reply of /transcription and has nothing from before', async () => {
    const id = await answer();
    await playParty(harness, id, 'speech', { speaker: 'customer', text: 'Before.' });
    const begun = await harness.call('POST', `/v1/calls/${id}/transcription`);
    assert.equal(begun.status, 200);
    await playParty(harness, id, 'speech', { speaker: 'agent', text: 'After.' });
    await playParty(harness, id, 'hangup');
    await until('it is summed up', async () => (await readCall(harness, id)).summary !== null);
    assert.equal((await read(harness, `/calls/${id}/transcript`)).text, 'Agent: After.');
  });
});

describe('right after the call began', () => {
  test('a ringing party of a click-to-call hangs up, which cancels the call', async () => {
    const { id } = await place(harness, line.number.id);
    const call = await playParty(harness, id, 'hangup', { party: 'agent' });
    assert.deepEqual([call.status, call.outcome], ['failed', 'canceled']);
    const { id: second } = await place(harness, line.number.id);
    await playParty(harness, second, 'answer');
    const later = await playParty(harness, second, 'hangup');
    assert.deepEqual([later.status, later.outcome], ['failed', 'canceled']);
  });

  test('both parties of a click-to-call answer', async () => {
    const { id } = await place(harness, line.number.id);
    await playParty(harness, id, 'answer');
    assert.equal((await playParty(harness, id, 'answer')).status, 'in_progress');
  });

  test('a ringing target declines, and the caller is greeted', async () => {
    const { id } = await callIn(harness, line);
    const call = await playParty(harness, id, 'hangup', { party: 'agent' });
    assert.deepEqual([call.status, call.answered_by], ['in_progress', 'voicemail']);
    await playParty(harness, id, 'hangup');
  });

  test('the caller is sent to the voicemail', async () => {
    const { id } = await callIn(harness, line);
    const call = await playParty(harness, id, 'voicemail', { seconds: 1 });
    assert.equal(call.answered_by, 'voicemail');
  });
});

test('without workers, a control is still answered within seconds', async () => {
  const idle = await startHarness({ startWorkers: false });
  try {
    const { number } = await makeLine(idle);
    const { id } = await place(idle, number.id, { connect_to: newPerson() });
    const answering = idle.call('POST', `/v1/test/calls/${id}/hangup`, { body: { party: 'agent' } });
    assert.ok((await skippedBy(answering)) < 10_000);
    const reply = await answering;
    assert.deepEqual([reply.status, reply.body.error.code], [409, 'call_not_active']);
  } finally {
    await idle.close();
  }
});
