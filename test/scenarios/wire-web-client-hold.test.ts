/** Hold and transfers on live calls of web clients, over a carrier that knows nothing of web clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { hearsCustomer, hearsSpeech, latestPower, talk, useWireAgents } from '../wire/wire-agents.ts';

const { people, make, untilHas, makeLoggedIn, answerCaller, untilUnheard } = await useWireAgents();

type Audio = ReturnType<typeof talk>;

async function untilJoined(id: string, audio: Audio): Promise<void> {
  const before = await people.played({ callRef: id });
  await until('the web client hears the customer', () => hearsCustomer(audio), 20_000);
  await until('the customer hears it', async () => (await people.played({ callRef: id })) > before + 500, 20_000);
}

test('a web client and a customer on hold do not hear each other, until the hold ends', async () => {
  const { id, client, audio } = await answerCaller();
  await make(`/calls/${id}/hold`, {}, 200);
  await until('the web client hears nothing', () => latestPower(audio) === 0, 20_000);
  await untilUnheard(id);
  await make(`/calls/${id}/resume`, {}, 200);
  await untilJoined(id, audio);
  client.send({ type: 'hang_up', call_id: id });
  await client.receive('ended');
  await client.close();
});

test('a customer is transferred from one web client to another, which hears the announcement alone first', async () => {
  const first = await answerCaller();
  const { id } = first;
  const second = await makeLoggedIn();
  await make(`/calls/${id}/transfer`, { to: second.id, announce_text: 'A caller about a bill.' }, 202);
  await until('the first web client hears nothing', () => latestPower(first.audio) === 0, 20_000);
  assert.equal((await second.client.receive('incoming')).call_id, id);
  second.client.send({ type: 'answer', call_id: id });
  const audio = talk(await second.client.receive('media'));
  await until('the second web client hears the announcement', () => hearsSpeech(audio), 20_000);
  assert.equal((await first.client.receive('ended')).call_id, id);
  await untilJoined(id, audio);
  const call = await untilHas(`/calls/${id}`, { status: 'in_progress' });
  assert.ok(call.events.some(({ type }: Json) => type === 'transfer_completed'));
  second.client.send({ type: 'hang_up', call_id: id });
  await second.client.receive('ended');
  await Promise.all([first.client.close(), second.client.close()]);
});
