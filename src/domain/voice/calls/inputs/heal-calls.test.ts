import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../../test/support/events.ts';
import { useHarness } from '../../../../../test/support/harness.ts';
import { sql, until } from '../../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../../test/support/messages.ts';
import { fund } from '../../../../../test/support/money.ts';
import { buyNumber, makeTenant } from '../../../../../test/support/numbers.ts';
import type { Found } from '../../../../carriers/ports/outcome.ts';
import type { FoundLeg, VoiceInstruction, VoicePort } from '../../../../carriers/ports/voice.ts';
import { now } from '../../../../lib/time/time.ts';
import { healCalls } from './heal-calls.ts';

/** A carrier that takes every command, reports nothing, and returns `known` for requests about legs. */
let known: Found<{ legs: readonly FoundLeg[] }> | Error = { found: 'undecided' };
/** How many times it answers `undecided` before it answers with `known`. */
let undecided = 0;
const taken: { callRef: string; instruction: VoiceInstruction }[] = [];
const asked: string[] = [];
const voice: VoicePort = {
  limits: { ringMsMax: 60_000, callMsMax: 3_600_000 },
  dispatch: async (_, { callRef, instruction }) => {
    taken.push({ callRef, instruction });
    return { outcome: 'accepted' };
  },
  findCommand: async () => ({ found: 'accepted' }),
  findLegs: async (_, callRef) => {
    asked.push(callRef);
    if (known instanceof Error) throw known;
    return undecided-- > 0 ? { found: 'undecided' } : known;
  },
  findRecording: async () => ({ found: 'undecided' }),
  fetchRecording: async () => undefined,
};
const harness = await useHarness({ liveCarrier: ({ simulated }) => ({ ...simulated, voice }) });
const { context } = harness;
const key = harness.account.live_key;
await fund(harness);
const number = await buyNumber(harness, await makeTenant(harness, key), key);

/** Places a call and makes it a minute old. Its agent's leg is dialled, and the carrier has reported nothing. */
async function place(): Promise<{ id: string; agent: string }> {
  const body = { from: number.id, to: newPerson(), connect_to: newPerson() };
  const { id } = (await harness.call('POST', '/v1/calls', { key, body })).body;
  await until('the agent is dialled', () => dialsOf(id).length === 1);
  await sql(context.db, "update calls set started_at = started_at - interval '1 minute' where id = $1", [id]);
  return { id, agent: dialsOf(id)[0] as string };
}

const dialsOf = (callId: string): string[] =>
  taken.flatMap(({ callRef, instruction }) =>
    callRef === callId && instruction.do === 'dial' ? [instruction.legRef] : [],
  );

const callOf = (id: string): Promise<Json> => read(harness, `/calls/${id}`, key);

const end = (id: string) => harness.call('POST', `/v1/calls/${id}/hangup`, { key });

test('an answer that was not reported is applied, and the call goes on', async () => {
  const { id, agent } = await place();
  known = { found: 'accepted', legs: [{ legRef: agent, state: 'up' }] };
  assert.equal(await healCalls(context), 1);
  await until('the customer is dialled', () => dialsOf(id).length === 2);
  await end(id);
});

test('an end that was not reported ends the call, with its cause', async () => {
  const { id, agent } = await place();
  known = { found: 'accepted', legs: [{ legRef: agent, state: 'ended', cause: 'busy' }] };
  await healCalls(context);
  assert.notEqual((await callOf(id)).ended_at, null);
});

test('a question whose answer is lost is repeated in the same round', async () => {
  const { id, agent } = await place();
  known = { found: 'accepted', legs: [{ legRef: agent, state: 'ended', cause: 'busy' }] };
  undecided = 2;
  assert.equal(await healCalls(context), 1);
  assert.notEqual((await callOf(id)).ended_at, null);
});

test('a call that was not reported to have ended lasted until its carrier says', async () => {
  const { id, agent } = await place();
  known = { found: 'accepted', legs: [{ legRef: agent, state: 'up' }] };
  await healCalls(context);
  await until('the customer is dialled', () => dialsOf(id).length === 2);
  const customer = dialsOf(id)[1] as string;
  const [up, endedAt] = [{ legRef: agent, state: 'up' } as const, new Date(now() + 200)];
  known = { found: 'accepted', legs: [up, { legRef: customer, state: 'up' }] };
  await healCalls(context);
  await until('a while has passed', () => now() > endedAt.getTime() + 200);
  known = { found: 'accepted', legs: [up, { legRef: customer, state: 'ended', endedAt }] };
  await healCalls(context);
  assert.equal(Date.parse((await callOf(id)).ended_at), endedAt.getTime());
});

test('a call that the carrier has forgotten ends, but a dial that is on the way is left alone', async () => {
  const { id, agent } = await place();
  known = { found: 'absent' };
  await healCalls(context);
  assert.equal((await callOf(id)).ended_at, null);
  known = { found: 'accepted', legs: [{ legRef: agent, state: 'up' }] };
  await healCalls(context);
  known = { found: 'absent' };
  await healCalls(context);
  assert.notEqual((await callOf(id)).ended_at, null);
});

for (const [what, answer] of [
  ['cannot say', { found: 'undecided' }],
  ['fails', new Error('the line is down')],
] as const) {
  test(`a call stays as it is while its carrier ${what}`, async () => {
    const { id } = await place();
    const before = await callOf(id);
    known = answer;
    assert.equal(await healCalls(context), 0);
    assert.ok(asked.includes(id));
    assert.deepEqual(await callOf(id), before);
    known = { found: 'absent' };
    await end(id);
  });
}

test('what the carrier has reported is not applied again, and an ended or young call is not asked about', async () => {
  const { id, agent } = await place();
  known = { found: 'accepted', legs: [{ legRef: agent, state: 'ended', cause: 'no_answer' }] };
  await healCalls(context);
  const ended = await callOf(id);
  asked.length = 0;
  await healCalls(context);
  assert.ok(!asked.includes(id));
  assert.deepEqual(await callOf(id), ended);
  const body = { from: number.id, to: newPerson(), connect_to: newPerson() };
  const young = (await harness.call('POST', '/v1/calls', { key, body })).body;
  await healCalls(context);
  assert.ok(!asked.includes(young.id));
});
