/** The audio of live calls over a carrier that connects to the gateway on request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { json, useModelServer } from '../support/model-server.ts';
import { hearsCustomer, listen, say as sayAtWebClient, useWireAgents } from '../wire/wire-agents.ts';

const models = await useModelServer();
models.answer(json({ text: 'We will be there at three.' }));
const { people, get, make, untilHas, number, makeLoggedIn } = await useWireAgents(
  { transcribes: 'no' },
  { speech: { toText: models.settings, summary: null, voice: null } },
);

/** Places a call. Resolves with its id when its parties are joined. */
async function talk(fields: object = {}): Promise<string> {
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson(), ...fields });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  return id;
}

const segmentsOf = async (id: string): Promise<Json[]> => (await get(`/calls/${id}/transcript`)).segments;
const say = async (callRef: string, ref: string) => {
  const text = 'Thank you, we will be there at three in the afternoon.';
  assert.ok(await people.play({ callRef, control: { do: 'speak', party: 'customer', text, ref }, spokenMs: 3_000 }));
};

test('a stream over the wire has both tracks, and what its client plays reaches the customer', async () => {
  const id = await talk();
  const stream = await make(`/calls/${id}/streams`, { direction: 'bidirectional' });
  const client = openMediaClient(`${stream.url}?token=${stream.token}`);
  for (const track of ['inbound', 'outbound']) {
    await client.until(() => client.audioOf(track).some((code) => (code & 0x7f) < 0x60));
  }
  const played = Buffer.alloc(8_000, 0x20);
  client.send({ event: 'media', payload: played.toString('base64') });
  client.send({ event: 'mark', name: 'played' });
  await client.until((messages) => messages.some(({ event }) => event === 'mark'));
  await until('the customer has heard it', async () => (await people.played({ callRef: id })) >= 900);
  await make(`/calls/${id}/hangup`, {}, 200);
  assert.equal((await client.closed).code, 1000);
});

test('a transcription goes on after its connection to the carrier broke', async () => {
  const id = await talk({ transcribe: true });
  await people.hush({ callRef: id });
  await say(id, 'first');
  await until('the first words are there', async () => (await segmentsOf(id)).length > 0, 20_000);
  await people.cutAudio({ callRef: id });
  const before = (await segmentsOf(id)).length;
  const reopened = async () => (await people.audioConnections({ callRef: id })) > 1;
  await until('the carrier has connected again', reopened, 30_000);
  await say(id, 'later');
  await until('later words are there', async () => (await segmentsOf(id)).length > before, 20_000);
  await make(`/calls/${id}/hangup`, {}, 200);
});

test('a call of a web client that the gateway cuts is transcribed once for each side', async () => {
  const { id: agent, client } = await makeLoggedIn();
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: newPerson(), transcribe: true });
  await client.receive('incoming');
  client.send({ type: 'answer', call_id: id });
  const audio = listen(await client.receiveMedia());
  await until('the web client hears the customer', () => hearsCustomer(audio), 20_000);
  await people.hush({ callRef: id });
  await sayAtWebClient(audio);
  const saidBy = async (who: string) => (await segmentsOf(id)).filter(({ speaker }) => speaker === who).length;
  await until('what the web client says is there', async () => (await saidBy('agent')) > 0, 20_000);
  // The words that the customer said before the silence are stored too: they ended seconds before.
  const before = await saidBy('customer');
  await people.sayNow({ callRef: id, text: 'Thank you, we will be there at three in the afternoon.' });
  await until('what the customer says is there', async () => (await saidBy('customer')) > before, 20_000);
  await make(`/calls/${id}/hangup`, {}, 200);
  await client.receive('ended');
  await until('the call is summarized', async () => (await get(`/calls/${id}`)).summary !== null, 20_000);
  assert.deepEqual([await saidBy('agent'), await saidBy('customer')], [1, before + 1]);
  await client.close();
});
