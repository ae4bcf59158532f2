/** Transfers that web clients request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCall } from '../../../test/support/calls.ts';
import { mintSession } from '../../../test/support/embeds.ts';
import type { Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { answerDesk, connectWebClient, logIn, makeDesk, makeWebClient } from '../../../test/support/web-clients.ts';

const harness = await useHarness();
/** Another process on the same database: the web clients log in there. */
const there = await useHarness({ databaseUrl: harness.databaseUrl });

/** A desk whose web client talks to a customer, and another web client of the tenant. */
async function makeOffice(name?: string) {
  const desk = await makeDesk(harness, { at: there, ...(name !== undefined && { name }) });
  const colleague = await makeWebClient(harness, desk.tenantId);
  const other = await logIn({ ...harness, url: there.url }, colleague.id);
  return { ...desk, colleague, other, id: await answerDesk(harness, desk) };
}
const transfers = async (id: string): Promise<string[]> =>
  (await readCall(harness, id)).events
    .map(({ type }: Json) => type as string)
    .filter((type: string) => type.startsWith('transfer_'));

test('a web client talks to another one first, and leaves the customer to it', async () => {
  const { client, other, colleague, id } = await makeOffice();
  client.send({ type: 'transfer', call_id: id, to: colleague.id, mode: 'consult' });
  const shown = { to: colleague.id, mode: 'consult' } as const;
  assert.deepEqual((await client.receive('transfer')).transfer, { ...shown, state: 'ringing' });
  await other.receive('incoming');
  other.send({ type: 'answer', call_id: id });
  assert.deepEqual((await client.receive('transfer')).transfer, { ...shown, state: 'talking' });
  client.send({ type: 'complete_transfer', call_id: id });
  assert.deepEqual(
    [(await client.receive('ended')).outcome, (await readCall(harness, id)).status],
    [null, 'in_progress'],
  );
  assert.deepEqual(await transfers(id), ['transfer_started', 'transfer_answered', 'transfer_completed']);
  await Promise.all([client.close(), other.close()]);
});

test('a web client cancels a consult transfer and has the customer again, also after a new login', async () => {
  const { client, webClient, other, colleague, id } = await makeOffice();
  client.send({ type: 'transfer', call_id: id, to: colleague.id, mode: 'consult' });
  await client.receive('transfer');
  const again = await logIn({ ...harness, url: harness.url }, webClient.id);
  assert.equal((await again.receive('transfer')).transfer?.state, 'ringing', 'it is sent again');
  again.send({ type: 'cancel_transfer', call_id: id });
  assert.equal((await again.receive('transfer')).transfer, null);
  await other.receive('ended');
  again.send({ type: 'cancel_transfer', call_id: id });
  assert.equal((await again.receive('error')).code, 'no_consult_in_progress');
  again.send({ type: 'hang_up', call_id: id });
  await again.receive('ended');
  await Promise.all([client.closed, again.close(), other.close()]);
});

test('a web client passes the customer on without a talk', async () => {
  const { client, id } = await makeOffice();
  client.send({ type: 'transfer', call_id: id, to: newPerson(), announce_text: 'A customer with a question.' });
  assert.equal((await client.receive('transfer')).transfer?.mode, 'announce');
  await client.receive('ended');
  await until('the transfer is complete', async () => (await transfers(id)).includes('transfer_completed'));
  await client.close();
});

test('a web client is sent why its transfer failed, and has the customer again', async () => {
  const { client, other, colleague, id } = await makeOffice();
  const failureOf = async (mode: 'announce' | 'consult') => {
    client.send({ type: 'transfer', call_id: id, to: colleague.id, mode });
    assert.equal((await client.receive('transfer')).transfer?.state, 'ringing');
    await other.receive('incoming');
    other.send({ type: 'decline', call_id: id });
    const { transfer, failure } = await client.receive('transfer');
    return [transfer, failure];
  };
  assert.deepEqual(await failureOf('announce'), [null, 'rejected']);
  assert.deepEqual(await failureOf('consult'), [null, 'rejected']);
  assert.equal((await readCall(harness, id)).status, 'in_progress');
  await Promise.all([client.close(), other.close()]);
});

test('a web client that is asked before a transfer is sent who asks, until it has the customer', async () => {
  const { client, webClient, other, colleague, id } = await makeOffice('Ann');
  client.send({ type: 'transfer', call_id: id, to: colleague.id, mode: 'consult' });
  const ann = { agent: webClient.id, name: 'Ann' };
  assert.deepEqual((await other.receive('incoming')).consulted_by, ann);
  other.send({ type: 'answer', call_id: id });
  await other.receiveMedia();
  const again = await logIn({ ...harness, url: harness.url }, colleague.id);
  assert.deepEqual((await again.receive('incoming')).consulted_by, ann, 'it is sent again');
  client.send({ type: 'complete_transfer', call_id: id });
  assert.equal((await again.receive('consult')).consulted_by, null);
  again.send({ type: 'transfer', call_id: id, to: webClient.id });
  assert.equal((await client.receive('incoming')).consulted_by, null, 'a transfer without a talk has no one who asks');
  await Promise.all([client.close(), other.closed, again.close()]);
});

test('only the agent who has the call transfers it', async () => {
  const { client, other, colleague, id, tenantId } = await makeOffice();
  const refused = async (by: typeof client, type: 'transfer' | 'complete_transfer' | 'cancel_transfer') => {
    by.send(type === 'transfer' ? { type, call_id: id, to: newPerson() } : { type, call_id: id });
    const { code, request, call_id } = await by.receive('error');
    assert.deepEqual([code, request, call_id], ['call_not_active', type, id]);
  };
  client.send({ type: 'transfer', call_id: id, to: colleague.id, mode: 'consult' });
  await other.receive('incoming');
  await refused(other, 'cancel_transfer');
  other.send({ type: 'answer', call_id: id });
  await other.receive('media');
  await refused(other, 'complete_transfer');
  client.send({ type: 'cancel_transfer', call_id: id });
  await other.receive('ended');
  const supervisor = await makeWebClient(harness, tenantId);
  const listener = await logIn({ ...harness, url: there.url }, supervisor.id);
  const body = { web_client_id: supervisor.id, speaks_to: 'all' };
  assert.equal((await harness.call('POST', `/v1/calls/${id}/listeners`, { body })).status, 201);
  await listener.receive('dialing');
  await refused(listener, 'transfer');
  assert.deepEqual(await transfers(id), ['transfer_started', 'transfer_answered', 'transfer_failed']);
  await Promise.all([client.close(), other.close(), listener.close()]);
});

test('a transfer is refused with the codes of the API, and changes nothing', async () => {
  const { client, number, id } = await makeOffice();
  for (const [fields, code] of [
    [{ to: 'nobody' }, 'invalid_connect_to'],
    [{ to: number.phone_number }, 'invalid_connect_to'],
    [{ to: '+16054551234' }, 'destination_not_supported'],
    [{ to: 'voicemail', mode: 'consult' }, 'invalid_connect_to'],
    [{ to: newPerson(), mode: 'blind' }, 'invalid_body'],
    [{ to: newPerson(), announce_text: ' ' }, 'invalid_body'],
    [{ to: newPerson(), announce_text: 'x'.repeat(501) }, 'invalid_body'],
    [{}, 'missing_fields'],
  ] as const) {
    client.send({ type: 'transfer', call_id: id, ...fields } as never);
    const error = await client.receive('error');
    assert.deepEqual([error.code, error.request, error.call_id], [code, 'transfer', id], JSON.stringify(fields));
  }
  assert.deepEqual(await transfers(id), []);
  await client.close();
});

test('the login of a browser session that may not place calls transfers none', async () => {
  const { client, webClient, tenantId, other, id } = await makeOffice();
  const session = await mintSession(harness, tenantId, { abilities: ['phone'], web_client_id: webClient.id });
  const minted = await harness.call('POST', `/v1/web_clients/${webClient.id}/tokens`, { key: session.token });
  const again = await connectWebClient(harness, minted.body.token);
  await again.receive('registered');
  again.send({ type: 'transfer', call_id: id, to: newPerson() });
  assert.equal((await again.receive('error')).code, 'key_not_permitted');
  assert.deepEqual(await transfers(id), []);
  await Promise.all([client.closed, again.close(), other.close()]);
});
