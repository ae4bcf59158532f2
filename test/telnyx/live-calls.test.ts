/** Calls of a live key over the emulated Telnyx, which is 150 ms away and has the faults that a test sets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, number, get, make, untilHas, withFaults } = await useTelnyxLine();
const { control } = telnyx;

const place = (to = newPerson(), connect_to = newPerson()) => make('/calls', { from: number.id, connect_to, to });

/** Returns the legs that the emulator has and that have not ended. */
const alive = async () => (await control.calls({})).filter(({ state }) => state !== 'ended');
const countAlive = async () => (await alive()).length;

const countEnds = async (id: string): Promise<number> => {
  const { data } = await get(`/events?resource_id=${id}&limit=100`);
  return data.filter(({ type }: { type: string }) => ['call.completed', 'call.missed'].includes(type)).length;
};

async function hangUp(id: string): Promise<void> {
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await until('no leg is left', async () => (await countAlive()) === 0);
}

test('a click-to-call joins two people, and its hang-up ends both legs', async () => {
  const { id } = await place();
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await until('they hear each other', async () => (await alive()).every((leg) => leg.partner !== null));
  await hangUp(id);
  assert.equal(await countEnds(id), 1);
});

test('the person who hangs up ends the call for the other', async () => {
  const [to, connect_to] = [newPerson(), newPerson()];
  const { id } = await place(to, connect_to);
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await control.hangUp({ phoneNumber: to });
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await until('no leg is left', async () => (await countAlive()) === 0);
});

for (const answers of ['busy', 'rejects', 'unreachable'] as const) {
  test(`a customer whose phone is ${answers} ends the call as failed`, async () => {
    const to = newPerson();
    await control.person({ phoneNumber: to, answers });
    const { id } = await place(to);
    await untilHas(`/calls/${id}`, { status: 'failed' });
    await until('no leg is left', async () => (await countAlive()) === 0);
  });
}

test('a caller is E.164 in whatever form Telnyx writes the number, or anonymous, and then without a conversation and a name', async () => {
  const person = newPerson();
  const forms: [from: string, caller: string][] = [
    [person.slice(2), person],
    [`sip:00${person.slice(1)}@sip.telnyx.com;user=phone`, person],
    ...['Anonymous', '+266696687', ''].map((from): [string, string] => [from, 'anonymous']),
  ];
  for (const [from, caller] of forms) {
    const seen = (await get('/calls?direction=inbound')).data.length;
    const reported = {
      caller_id_name: 'Dana Reyes',
      ...{ shaken_stir_attestation: 'B', shaken_stir_validated: caller === person },
    };
    await control.callIn({ from, to: number.phone_number, toWritten: number.phone_number.slice(2), reported });
    await until(`the call of ${from} is here`, async () => (await get('/calls?direction=inbound')).data.length > seen);
    const [call] = (await get('/calls?direction=inbound')).data;
    assert.deepEqual(
      [call.from, call.to, call.conversation_id === null, call.caller_name, call.attestation],
      caller === 'anonymous'
        ? [caller, number.phone_number, true, null, 'failed']
        : [caller, number.phone_number, false, 'Dana Reyes', 'B'],
    );
  }
  await until('they have hung up', async () => (await countAlive()) === 0, 60_000);
});

test('a caller rings all targets, the first who answers has the call, and the others stop ringing', async () => {
  const [first, second, caller] = [newPerson(), newPerson(), newPerson()];
  await control.person({ phoneNumber: second, answers: 'never' });
  const routing = await make('/routing_configs', {
    tenant_id: tenantId,
    name: 'Front desk',
    business_hours: null,
    open_behavior: { type: 'ring', targets: [first, second] },
    closed_behavior: { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: false },
  });
  const patch = { key, body: { routing_config_id: routing.id } };
  const patched = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch);
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  await control.callIn({ from: caller, to: number.phone_number });
  const legOf = async (person: string) =>
    (await control.calls({})).find((leg) => [leg.from, leg.to].includes(person) && leg.to !== number.phone_number);
  await until('they are joined', async () => typeof (await legOf(first))?.partner === 'string');
  await until('the other phone is quiet', async () => (await legOf(second))?.state === 'ended');
  assert.equal((await legOf(first))?.from, caller, 'the caller is shown');
  await control.hangUp({ phoneNumber: caller });
  await until('no leg is left', async () => (await countAlive()) === 0);
});

for (const is of ['timeout_after_acceptance', '500', '429'] as const) {
  test(`a dial that meets ${is} is carried out once, and the call is joined and ended`, async () => {
    await withFaults([{ request: 'POST /calls', is, times: 1 }], async () => {
      const { id } = await place();
      await untilHas(`/calls/${id}`, { status: 'in_progress' });
      const dialled = (await control.calls({})).filter(({ state }) => state === 'answered');
      assert.equal(dialled.length, 2);
      await hangUp(id);
    });
  });
}
