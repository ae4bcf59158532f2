/** The audio of agents' telephones on live calls: it is requested once, and again after it was lost. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../test/support/live-line.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { legsOf, report } from '../../../../test/support/voice.ts';
import { makeWebClient } from '../../../../test/support/web-clients.ts';
import { telnyxDialect } from '../../../carriers/connections/media-dialects.ts';
import type { VoiceCommand, VoicePort } from '../../../carriers/ports/voice.ts';

const commands: VoiceCommand[] = [];
/** How the carrier answers requests for audio. */
let answer: 'accepted' | 'refused' = 'accepted';
const voice: VoicePort = {
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
  audio: { dialect: telnyxDialect },
  dispatch: async (_ledger, command) => {
    commands.push(command);
    const isRefused = answer === 'refused' && command.instruction.do === 'start_stream';
    return isRefused ? { outcome: 'rejected', reason: 'not_supported' } : { outcome: 'accepted' };
  },
  findCommand: async () => ({ found: 'accepted' }),
  findLegs: async () => ({ found: 'undecided' }),
  findRecording: async () => ({ found: 'undecided' }),
  fetchRecording: async () => undefined,
};

let harness: Harness;
let line: Awaited<ReturnType<typeof openLiveLine>>;
before(async () => {
  harness = await startHarness({ liveCarrier: ({ simulated }) => ({ ...simulated, voice }) });
  line = await openLiveLine(harness);
});
after(async () => {
  await harness.close();
});

const live: Harness['call'] = (method, path, asked = {}) =>
  harness.call(method, path, { key: harness.account.live_key, ...asked });

/** A call between a customer and an agent at a telephone, with a listener who speaks to the agent. */
async function talk() {
  answer = 'accepted';
  const body = { from: LIVE_NUMBER.id, to: newPerson(), connect_to: newPerson() };
  const { id } = (await live('POST', '/v1/calls', { body })).body;
  for (const party of [0, 1]) {
    const legRef = (await legsOf(harness, id))[party].id;
    await report(harness, line.ledgerId, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  return { id: id as string, agent: (await legsOf(harness, id))[0].id as string };
}

async function listenTo(id: string): Promise<void> {
  const { id: web_client_id } = await makeWebClient({ url: harness.url, call: live }, line.tenantId);
  const added = await live('POST', `/v1/calls/${id}/listeners`, { body: { web_client_id, speaks_to: 'agent' } });
  assert.equal(added.status, 201, JSON.stringify(added.body));
}

const streamsOf = (callId: string, legId: string) =>
  commands.flatMap(({ callRef, instruction }) =>
    callRef === callId && instruction.do === 'start_stream' && instruction.legRef === legId ? [instruction] : [],
  );

/** Waits for this number of requests for the agent's audio. Resolves with the latest request. */
async function untilAsked({ id, agent }: { readonly id: string; readonly agent: string }, times: number) {
  await until(`it is requested ${times} times`, () => streamsOf(id, agent).length >= times, 20_000);
  const asked = streamsOf(id, agent);
  assert.equal(asked.length, times);
  return asked.at(-1) ?? assert.fail();
}

async function connect(address = '') {
  const socket = new WebSocket(address.replace(/^ws:\/\/[^/]+/, harness.url.replace('http', 'ws')));
  await once(socket, 'open');
  return socket;
}

const rowsOf = (legId: string) =>
  sql<{ is_connected: boolean }>(
    harness.context.db,
    'select connected_at is not null as is_connected from agent_audio_legs where leg_id = $1',
    [legId],
  );
const untilConnected = (legId: string) =>
  until('it is connected', async () => (await rowsOf(legId))[0]?.is_connected === true);

test('a telephone that a listener speaks to is requested both ways, with its own voice alone, and once', async () => {
  const call = await talk();
  assert.equal(streamsOf(call.id, call.agent).length, 0);
  await listenTo(call.id);
  const { direction, track, url } = await untilAsked(call, 1);
  assert.deepEqual([direction, track], ['bidirectional', 'inbound']);
  const socket = await connect(url);
  await untilConnected(call.agent);
  await listenTo(call.id);
  assert.equal((await untilAsked(call, 1)).url, url);
  socket.close();
});

test('it is requested again after the carrier or the node has lost it, and not after the call', async () => {
  const call = await talk();
  await listenTo(call.id);
  const socket = await connect((await untilAsked(call, 1)).url);
  await untilConnected(call.agent);
  socket.terminate();
  const again = await connect((await untilAsked(call, 2)).url);
  await untilConnected(call.agent);
  await sql(harness.context.db, `update agent_audio_legs set asked_node = 'lost' where leg_id = $1`, [call.agent]);
  const { url } = await untilAsked(call, 3);
  assert.equal((await live('POST', `/v1/calls/${call.id}/hangup`)).status, 200);
  assert.equal((await once(await connect(url), 'close'))[0], 4404);
  again.terminate();
  await until('its request is deleted', async () => (await rowsOf(call.agent)).length === 0, 20_000);
  await untilAsked(call, 3);
});

test('it is requested again after the carrier has refused it, and then the agent is connected', async () => {
  const call = await talk();
  answer = 'refused';
  await listenTo(call.id);
  await untilAsked(call, 1);
  answer = 'accepted';
  const socket = await connect((await untilAsked(call, 2)).url);
  await untilConnected(call.agent);
  await harness.settled();
  await untilAsked(call, 2);
  socket.close();
});

test('the token of a telephone does not open the audio of the customer', async () => {
  const call = await talk();
  await listenTo(call.id);
  const url = new URL((await untilAsked(call, 1)).url ?? '');
  url.searchParams.set('leg', (await legsOf(harness, call.id))[1].id);
  assert.equal((await once(await connect(String(url)), 'close'))[0], 4401);
});
