/** Customers on transcribed calls who ask for no more calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playParty } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { read } from '../../../../test/support/messages.ts';
import { eventsOf, useLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { SMALL_TALK } from '../../../carriers/simulated/voice/machine/commands.ts';
import { isSpokenStop } from '../../messaging/index.ts';

const REQUESTS = `
Please stop calling me.
um, please stop calling me
Can you stop calling me?
I told you to stop calling me.
Yeah, look, I'm not interested. Please stop calling.
Stop calling here!
Stop calling my house.
Quit calling me and texting me
Take me off your list.
Please take this number off your call list.
Take me off your calling list, please.
Put me on your do not call list.
I want to be put on your do not call list
Please add my number to the do not call list.
Don't call me again.
Do not call me anymore
Don't ever call this number again.
Never call here again.
No more calls please.
I don't want any more calls from you.
I don't want you calling me.
I do not wish to be called
Stop these robocalls
Stop contacting me.
Stop texting me.
Lose my number
Deje de llamarme por favor
No me llame más.
No quiero más llamadas
Quíteme de su lista
Arrêtez de m'appeler
Ne m'appelez plus
Retirez-moi de votre liste
`
  .trim()
  .split('\n');

const ORDINARY = `
Stop.
Cancel
Remove it
End the call
Stop the call
stop this call please
Please cancel my appointment
Don't call me at work
Don't call me before nine
Don't call me, I'll call you.
Do not call my husband
He won't stop calling me
My ex keeps calling, I told him stop calling me
She said stop calling me
Can you call me back?
Did you call me?
Why do you keep calling me
Don't call tomorrow
Don't stop calling me
Don't stop calling me until it's fixed
Stop calling my wife
When I'm at work, stop calling me
Stop calling me sweetie
Stop calling me so early
Take me off the schedule
Take me off hold
Remove me from the waiting list
Put me on your list
No more questions
Don't call an ambulance
Llámeme mañana
No me llame hoy
`
  .trim()
  .split('\n');

/** Returns the texts of a call's transcript. Leaves out the sentences that simulated parties say automatically. */
async function saidIn(id: string): Promise<string[]> {
  const { segments } = await read(harness, `/calls/${id}/transcript`);
  const smallTalk: readonly string[] = Object.values(SMALL_TALK);
  return segments.map(({ text }: Json) => text).filter((text: string) => !smallTalk.includes(text));
}

test('a request for no more calls is one in any wording of the grammar, and nothing else is', () => {
  for (const text of REQUESTS) assert.equal(isSpokenStop(text), true, text);
  for (const text of ORDINARY) assert.equal(isSpokenStop(text), false, text);
});

const { harness, tenantId, line, number } = await useLine({ startWorkers: false });
const say = (callId: string, speaker: string, text: string) => playParty(harness, callId, 'speech', { speaker, text });
const optOutOf = async (person: string): Promise<Json> =>
  (await read(harness, `/opt_outs?external_number=${encodeURIComponent(person)}`)).data[0];

test('on a transcribed call the words of the customer opt the customer out, once, with an event and the transcript', async () => {
  const { id, to } = await talk(harness, line, { transcribe: true });
  await say(id, 'customer', 'Please stop calling me.');
  await harness.advance(2);
  await say(id, 'customer', 'Take me off your list.');
  await harness.advance(2);
  const { source, channels } = await optOutOf(to);
  assert.deepEqual([source, channels], ['voice_phrase', ['text', 'call']]);
  const types = (await eventsOf(harness, `${tenantId}:${to}`)).map(({ type }) => type);
  assert.deepEqual(types, ['opt_out.created']);
  assert.deepEqual(await saidIn(id), ['Please stop calling me.', 'Take me off your list.']);
  const body = { from: number.id, to, connect_to: 'application' };
  const refused = await harness.call('POST', '/v1/calls', { body });
  assert.equal(refused.body.error.code, 'recipient_opted_out');
});

test('the same words of the agent, and ordinary words of the customer, opt nobody out', async () => {
  const { id, to, connect_to } = await talk(harness, line, { transcribe: true });
  await say(id, 'agent', 'Please stop calling me.');
  await say(id, 'customer', "Don't call me at work.");
  await harness.advance(4);
  assert.equal((await saidIn(id)).length, 2);
  assert.deepEqual([await optOutOf(to), await optOutOf(connect_to)], [undefined, undefined]);
});

test('what is said on a call that is not transcribed opts nobody out', async () => {
  const { id, to } = await talk(harness, line);
  await say(id, 'customer', 'Please stop calling me.');
  await harness.advance(4);
  assert.equal(await optOutOf(to), undefined);
});
