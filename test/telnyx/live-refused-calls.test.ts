/** Calls of a live key that Telnyx refuses: for the account, for the number, or because a command comes too early. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../support/console.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, connectionId, key, tenantId, number, get, make, untilHas, withFaults } = await useTelnyxLine();
const { control } = telnyx;
const operator = await signIn(harness);

const place = async (fields: object = {}): Promise<string> =>
  (await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson(), ...fields })).id;
const entriesOf = async (id: string, type: string): Promise<Json[]> =>
  (await get(`/calls/${id}`)).events.filter((entry: Json) => entry.type === type);
const dialsOf = async () => (await control.requests({ operation: 'POST /calls' })).length;
const alarmCodes = async (): Promise<string[]> =>
  (await operator.call('GET', `/connections/${connectionId}`)).body.alarms
    .filter(({ capability }: Json) => capability === 'voice')
    .map(({ carrier_code }: Json) => carrier_code);

/** Returns how many requests of calls the account did not allow. */
async function countRefusals(): Promise<number> {
  const { values } = await harness.context.metrics.carrierAccountRefusals.get();
  return values.reduce((sum, { value, labels }) => sum + (labels.capability === 'voice' ? value : 0), 0);
}

async function hangUp(id: string): Promise<void> {
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await until('no leg is left', async () => (await control.calls({})).every(({ state }) => state === 'ended'));
}

test('a call of a new account waits until one of its two calls has ended, and the operator is alarmed', async (t) => {
  await control.set({ newAccount: true });
  t.after(() => control.set({ newAccount: false }));
  const first = await place();
  await untilHas(`/calls/${first}`, { status: 'in_progress' });
  const second = await place();
  await until('it is refused', async () => (await countRefusals()) > 0);
  assert.equal((await get(`/calls/${second}`)).status, 'dialing');
  await hangUp(first);
  await untilHas(`/calls/${second}`, { status: 'in_progress' });
  await until('the operator is alarmed', async () => (await alarmCodes()).includes('90041'));
  await hangUp(second);
});

for (const [code, reason] of [
  ['90042', 'carrier_limit'],
  ['90043', 'carrier_limit'],
  ['90103', 'carrier_limit'],
  ['10039', 'carrier_limit'],
  ['20013', 'carrier_unavailable'],
  ['10010', 'carrier_unavailable'],
  ['10038', 'carrier_unavailable'],
] as const) {
  test(`a call that stays refused with ${code} fails as ${reason} after several attempts`, async () => {
    const [refusals, dials] = [await countRefusals(), await dialsOf()];
    await withFaults([{ request: 'POST /calls', is: 'refusal', code }], async () => {
      const id = await place();
      await untilHas(`/calls/${id}`, { status: 'failed', outcome: 'failed' });
      const { detail } = (await entriesOf(id, 'failed'))[0] ?? assert.fail();
      assert.deepEqual(detail, { party: 'agent', cause: 'failed', reason, outcome: 'failed' });
    });
    assert.equal((await countRefusals()) - refusals, 6);
    assert.equal(await dialsOf(), dials, 'none was carried out');
    await until('the operator is alarmed', async () => (await alarmCodes()).includes(code));
  });
}

for (const [code, reason] of [
  ['10016', 'destination_refused'],
  // These codes are about sounds, streams and conferences of calls, and not about limits of the account.
  ['90044', undefined],
  ['90049', undefined],
] as const) {
  test(`a dial that is refused with ${code} ends its call at once, and alarms nobody`, async () => {
    const refusals = await countRefusals();
    // A second dial would succeed.
    await withFaults([{ request: 'POST /calls', is: 'refusal', code, times: 1 }], async () => {
      const id = await place();
      await untilHas(`/calls/${id}`, { status: 'failed' });
      const { detail } = (await entriesOf(id, 'failed'))[0] ?? assert.fail();
      assert.equal(detail.reason, reason);
    });
    assert.equal(await countRefusals(), refusals);
  });
}

test('a target that the limit of the account refuses is left out, and its caller reaches the voicemail', async () => {
  const target = newPerson();
  const routing = await make('/routing_configs', {
    ...{ tenant_id: tenantId, name: 'Front desk', business_hours: null },
    open_behavior: {
      ...{ type: 'ring', targets: [target], timeout_seconds: 5 },
      no_answer: { type: 'voicemail', greeting_text: 'Leave a message.', transcribe: false },
    },
    closed_behavior: { type: 'voicemail', greeting_text: 'Leave a message.', transcribe: false },
  });
  const patch = { key, body: { routing_config_id: routing.id } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  const [caller, refusals] = [newPerson(), await countRefusals()];
  await control.person({ phoneNumber: caller, hangsUpAfterMs: null, saysMs: 0 });
  await withFaults([{ request: 'POST /calls', is: 'refusal', code: '90042' }], async () => {
    await control.callIn({ from: caller, to: number.phone_number });
    const find = async () => (await get('/calls?limit=20')).data.find(({ from }: Json) => from === caller);
    await until('the voicemail answers', async () => (await find())?.answered_by === 'voicemail', 20_000);
    const { id } = await find();
    const [cancelled] = await entriesOf(id, 'target_cancelled');
    assert.deepEqual(cancelled.detail, { target, reason: 'carrier_limit' });
    assert.equal((await countRefusals()) - refusals, 2, 'it waits for less than half of five seconds');
  });
  await control.hangUp({ phoneNumber: caller });
  await until('no leg is left', async () => (await control.calls({})).every(({ state }) => state === 'ended'));
});

const BRIDGE = 'POST /calls/{id}/actions/bridge';
const STREAM = 'POST /calls/{id}/actions/streaming_start';
const RECORD = 'POST /calls/{id}/actions/record_start';

test('a bridge that comes a moment before the answer is tried again, and the parties are joined', async () => {
  await withFaults([{ request: BRIDGE, is: 'refusal', code: '90034', times: 1 }], async () => {
    const id = await place();
    await until('they are joined', async () => (await entriesOf(id, 'bridged')).length === 1);
    assert.equal(await control.struck({}), 1);
    await hangUp(id);
  });
});

test('a request for audio that comes a moment before the answer is tried again, and the stream starts', async () => {
  const id = await place();
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await withFaults([{ request: STREAM, is: 'refusal', code: '90034', times: 2 }], async () => {
    await make(`/calls/${id}/streams`, { direction: 'fork', track: 'inbound' });
    await until('it is requested', async () => (await control.requests({ operation: STREAM })).some(isOf(id)), 20_000);
    assert.equal(await control.struck({}), 2);
  });
  await hangUp(id);
});

for (const code of ['90020', '90034']) {
  test(`a recording that is refused with ${code} before there is audio is tried again, and kept`, async () => {
    await withFaults([{ request: RECORD, is: 'refusal', code, times: 2 }], async () => {
      const id = await place({ record: true });
      await until('it is recorded', async () => (await control.requests({ operation: RECORD })).some(isOf(id)), 20_000);
      assert.equal(await control.struck({}), 2);
      await hangUp(id);
      await until('there is a recording', async () => (await get(`/calls/${id}`)).recording_id !== null, 30_000);
      assert.deepEqual(await entriesOf(id, 'failed'), []);
    });
  });
}

/** True for a request whose label names a leg of the call. */
const isOf = (id: string) => (request: { readonly body: unknown }) => {
  const { client_state } = request.body as { client_state: string };
  return Buffer.from(client_state, 'base64').toString().includes(id.slice('call_'.length));
};

test('a bridge that is refused three times ends the call', async () => {
  await withFaults([{ request: BRIDGE, is: 'refusal', code: '90034' }], async () => {
    const id = await place();
    await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'failed' });
    const { detail } = (await entriesOf(id, 'hangup'))[0] ?? assert.fail();
    assert.deepEqual(detail, { outcome: 'failed', reason: 'leg_gone', failed: 'bridge' });
    assert.equal(await control.struck({}), 3);
  });
});
