/** Listeners and consult transfers on live calls. The carriers differ in the audio that they send to the gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../test/support/live-line.ts';
import { addConnection } from '../../../../test/support/live-network.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import type { AdapterKind } from '../../../carriers/adapter.ts';
import type { DeclaredCapability } from '../../../carriers/ports/carrier.ts';
import type { VoicePort } from '../../../carriers/ports/voice.ts';

/** Returns a kind of carrier that accepts every command. `audio`: how the gateway gets its audio, if it gets any. */
function kindOf(kind: string, capabilities: readonly DeclaredCapability[], audio?: VoicePort['audio']): AdapterKind {
  const voice: VoicePort = {
    limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
    ...(audio && { audio }),
    dispatch: async () => ({ outcome: 'accepted' }),
    findCommand: async () => ({ found: 'accepted' }),
    findLegs: async () => ({ found: 'undecided' }),
    findRecording: async () => ({ found: 'undecided' }),
    fetchRecording: async () => undefined,
    fetchUtterance: async () => undefined,
  };
  const connect = () => ({ carrier: { name: kind, voice }, check: async () => [], setup: async () => [] });
  return { description: { kind, capabilities, settings: [], credentials: [] }, make: () => ({ connect }) };
}

const AUDIO: VoicePort['audio'] = { populate: async () => () => undefined };
const kinds = [
  kindOf('whole', ['voice', 'agent_audio'], AUDIO),
  kindOf('customers', ['voice'], AUDIO),
  kindOf('mute', ['voice']),
];
const harness = await useHarness({ startWorkers: false, adapterKinds: kinds });
const { live_key: key } = harness.account;
const connections: Record<string, string> = {};
for (const kind of ['whole', 'customers', 'mute']) {
  const capabilities = kind === 'whole' ? (['voice'] as const) : ([] as const);
  connections[kind] = await addConnection(harness.context, { kind, name: kind, capabilities: [...capabilities] });
}
await harness.connections.refresh();
const { ledgerId } = await openLiveLine(harness);

/** Connects a call of the carrier. Returns its id and a function that makes requests about the call. */
async function connect(carrier: string) {
  const [name, from] = [connections[carrier], LIVE_NUMBER.id];
  await sql(harness.context.db, 'update phone_numbers set voice_connection_id = $1 where id = $2', [name, from]);
  const body = { from, to: newPerson(), connect_to: newPerson() };
  const placed = await harness.call('POST', '/v1/calls', { key, body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const { id, tenant_id } = placed.body;
  for (const party of [0, 1]) {
    const legRef = (await legsOf(harness, id))[party].id;
    await report(harness, ledgerId, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  const made = await harness.call('POST', '/v1/web_clients', { key, body: { tenant_id } });
  const web_client_id = made.body.id as string;
  const post = (path: string, wanted: object) => harness.call('POST', `/v1/calls/${id}/${path}`, { key, body: wanted });
  return {
    id: id as string,
    web_client_id,
    listen: (speaks_to: string) => post('listeners', { web_client_id, speaks_to }),
    consult: (to: string) => post('transfer', { to, mode: 'consult' }),
  };
}

const logOf = async (id: string) =>
  (await read(harness, `/calls/${id}`, key)).events.map(({ type }: { type: string }) => type);

test('a call whose carrier sends no audio cannot be listened to, and says why', async () => {
  const { id, listen } = await connect('mute');
  const before = await logOf(id);
  const refused = await listen('none');
  assert.deepEqual(refusal(refused), [409, 'listener_not_possible', 'web_client_id']);
  assert.match(refused.body.error.message, /does not send its audio/);
  assert.deepEqual(await logOf(id), before, 'nothing has changed');
});

test('a carrier that plays nothing to the telephone of an agent has listeners who speak to nobody', async () => {
  const { id, listen } = await connect('customers');
  for (const speaksTo of ['agent', 'all']) {
    const refused = await listen(speaksTo);
    assert.deepEqual(refusal(refused).slice(0, 2), [409, 'listener_not_possible']);
    assert.match(refused.body.error.message, /telephone of an agent/);
  }
  assert.equal((await listen('none')).status, 201);
  assert.ok((await logOf(id)).includes('listener_started'));
  assert.equal((await (await connect('whole')).listen('all')).status, 201);
});

test('a web client and a telephone consult over a carrier that can, two telephones over every carrier', async () => {
  const able = await connect('customers');
  assert.equal((await able.consult(newPerson())).status, 202);
  const unable = await connect('customers');
  const refused = await unable.consult(unable.web_client_id);
  assert.deepEqual(refusal(refused).slice(0, 2), [409, 'no_consult_in_progress']);
  assert.match(refused.body.error.message, /carrier of this call cannot connect/);
  assert.ok(!(await logOf(unable.id)).includes('transfer_started'));
  const whole = await connect('whole');
  assert.equal((await whole.consult(whole.web_client_id)).status, 202);
});
