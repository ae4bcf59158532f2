/** Recordings on live calls, with a carrier that can pause them and with a carrier that cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../../../../test/support/console.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../test/support/live-line.ts';
import { addConnection } from '../../../../test/support/live-network.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import type { AdapterKind } from '../../../carriers/adapter.ts';
import type { DeclaredCapability } from '../../../carriers/ports/carrier.ts';

/** Returns a kind of carrier that accepts every command and declares the capabilities. */
function kindOf(kind: string, capabilities: readonly DeclaredCapability[]): AdapterKind {
  const voice = {
    limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
    dispatch: async () => ({ outcome: 'accepted' }) as const,
    findCommand: async () => ({ found: 'accepted' }) as const,
    findLegs: async () => ({ found: 'undecided' }) as const,
    findRecording: async () => ({ found: 'undecided' }) as const,
    fetchRecording: async () => undefined,
    fetchUtterance: async () => undefined,
  };
  const connect = () => ({
    carrier: { name: kind, voice },
    check: async () => [],
    setup: async () => [],
  });
  return { description: { kind, capabilities, settings: [], credentials: [] }, make: () => ({ connect }) };
}

const kinds = [kindOf('able', ['voice', 'recording_pause']), kindOf('unable', ['voice'])];
const harness = await useHarness({ startWorkers: false, adapterKinds: kinds });
const { live_key: key } = harness.account;
const connections = {
  able: await addConnection(harness.context, { kind: 'able', name: 'able', capabilities: ['voice'] }),
  unable: await addConnection(harness.context, { kind: 'unable', name: 'unable', capabilities: [] }),
};
await harness.connections.refresh();
const { ledgerId } = await openLiveLine(harness);

const control = (id: string, action: string) =>
  harness.call('POST', `/v1/calls/${id}/recording`, { key, body: { action } });

/** Connects a recorded call of the carrier. Returns its id. */
async function recordedCall(carrier: keyof typeof connections): Promise<string> {
  const [name, from] = [connections[carrier], LIVE_NUMBER.id];
  await sql(harness.context.db, 'update phone_numbers set voice_connection_id = $1 where id = $2', [name, from]);
  const body = { from, to: newPerson(), connect_to: newPerson(), record: true };
  const placed = await harness.call('POST', '/v1/calls', { key, body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const { id } = placed.body;
  for (const party of [0, 1]) {
    const legRef = (await legsOf(harness, id))[party].id;
    await report(harness, ledgerId, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  const [row] = await sql<{ speech: string }>(
    harness.context.db,
    "select state -> 'recording' ->> 'speechRef' as speech from calls where id = $1",
    [id],
  );
  const speechRef = row?.speech as string;
  await report(harness, ledgerId, [{ type: 'speech.ended', callRef: id, speechRef, completed: true }]);
  return id;
}

const stateOf = async (id: string) => (await read(harness, `/calls/${id}`, key)).events.at(-1).type;

test('a call whose carrier cannot pause a recording refuses pause and resume with the reason, and still stops', async () => {
  const id = await recordedCall('unable');
  for (const action of ['pause', 'resume']) {
    const reply = await control(id, action);
    assert.deepEqual(refusal(reply).slice(0, 2), [409, 'recording_not_active']);
    assert.match(reply.body.error.message, /carrier of this call cannot pause/);
  }
  assert.equal(await stateOf(id), 'recording_started', 'nothing has changed');
  assert.equal((await control(id, 'stop')).body.status, 'stopped');
});

test('a connection shows whether its carrier can pause a recording', async () => {
  const { body } = await (await signIn(harness)).call('GET', '/connections');
  const shown = body.data.map(({ name, capabilities }: Json) => [name, capabilities]);
  assert.deepEqual(Object.fromEntries(shown), { able: ['voice', 'recording_pause'], unable: ['voice'] });
});

test('a call whose carrier cannot detect machines is refused with the reason if it wants to know who answers', async () => {
  const connection = connections.unable;
  await sql(harness.context.db, 'update phone_numbers set voice_connection_id = $1 where id = $2', [
    connection,
    LIVE_NUMBER.id,
  ]);
  const body = { from: LIVE_NUMBER.id, to: newPerson(), connect_to: newPerson() };
  const wanted = { ...body, machine_detection: { on_machine: 'continue' } };
  const reply = await harness.call('POST', '/v1/calls', { key, body: wanted });
  assert.deepEqual(refusal(reply), [400, 'invalid_body', 'machine_detection']);
  assert.match(reply.body.error.message, /carrier of this number cannot detect machines/);
  assert.equal((await harness.call('POST', '/v1/calls', { key, body })).status, 201);
});

test('a call whose carrier can pause a recording pauses it', async () => {
  const id = await recordedCall('able');
  assert.equal((await control(id, 'pause')).body.status, 'paused');
  assert.equal((await control(id, 'resume')).body.status, 'recording');
  assert.equal(await stateOf(id), 'recording_resumed');
});
