/** Ring targets that press a key, over the API and the simulated network. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, readCall, ringing, route } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { MAGIC } from '../../../carriers/simulated/magic-numbers.ts';

const { harness, line } = await useLine({ startWorkers: false });

async function ring(targets: string[], fields: object = {}, call: object = {}): Promise<Json> {
  const config = await route(harness, line, { open_behavior: ringing(targets, { confirm: true, ...fields }) });
  assert.equal(config.open_behavior.confirm, true);
  return await callIn(harness, line, call);
}

const entriesOf = (call: Json, type: string) => call.events.filter((entry: Json) => entry.type === type);

test('a person who answers hears the prompt, presses 1 and gets the call', async () => {
  const person = newPerson();
  const { id } = await ring([person]);
  await harness.advance(60);
  const call = await readCall(harness, id);
  assert.deepEqual([call.outcome, call.answered_by], ['answered', person]);
  assert.deepEqual(
    entriesOf(call, 'target_prompted').map(({ detail }: Json) => detail),
    [{ target: person }],
  );
});

test('a voicemail box that answers first never takes the call: it goes to the person, or to the own voicemail', async () => {
  const person = newPerson();
  const both = await ring([MAGIC.machine, person], { strategy: 'sequential' });
  await harness.advance(120);
  const call = await readCall(harness, both.id);
  assert.deepEqual([call.outcome, call.answered_by], ['answered', person]);
  const [left] = entriesOf(call, 'target_cancelled').map(({ detail }: Json) => detail);
  assert.deepEqual(left, { target: MAGIC.machine, reason: 'not_confirmed' });
  const alone = await ring([MAGIC.machine]);
  await harness.advance(120);
  const own = await readCall(harness, alone.id);
  assert.deepEqual([own.outcome, own.answered_by], ['voicemail', 'voicemail']);
});

test('the key is pressed by whom a test plays', async () => {
  const { id } = await ring([newPerson()], {}, { script: 'ring 2, answer, agent press 2, wait 1, agent press 1' });
  await harness.advance(60);
  const call = await readCall(harness, id);
  assert.equal(call.outcome, 'answered');
});

test('a caller who hangs up during the prompt has missed the call', async () => {
  const { id } = await ring([newPerson()]);
  await harness.advance(2);
  await playParty(harness, id, 'hangup', { party: 'customer' });
  await harness.advance(30);
  assert.equal((await readCall(harness, id)).status, 'missed');
});
