/** The library with the real server: types that must agree, and calls through the protocol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { END_REASONS } from '../../../src/gateway/web-client/protocol.ts';
import { callIn, ringing, route } from '../../../test/support/calls.ts';
import { mintSession } from '../../../test/support/embeds.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import { makeWebClient, mintLogin } from '../../../test/support/web-clients.ts';
import type { EndReason } from '../index.d.ts';
import { Softphone, WebSocketTransport } from '../src/index.js';

const reasons: readonly EndReason[] = END_REASONS;

const harness = await useHarness();

/** The transport without its microphone, which Node does not have. */
class SilentTransport extends WebSocketTransport {
  override async prepareAudio(): Promise<void> {
    await Promise.resolve();
  }
}

async function makePhone() {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId);
  await route(harness, { tenantId, number }, { open_behavior: ringing([webClient.id]) });
  const phone = new Softphone({ transport: new SilentTransport({ url: harness.url }) });
  const events: string[] = [];
  for (const type of ['incoming', 'ringing', 'answered', 'ended', 'disconnected'] as const) {
    phone.on(type, () => events.push(type));
  }
  // Audio cannot start without a microphone; the call continues.
  phone.on('error', () => undefined);
  await phone.connect(() => mintLogin(harness, webClient.id));
  return { phone, events, number, webClient };
}

test('a call in the library has the name of the contact, unless the browser session may read no contacts', async () => {
  const { phone, number, webClient } = await makePhone();
  const [from, { tenant_id }] = [newPerson(), webClient];
  const body = { tenant_id, name: 'Dana Ortiz', phone_numbers: [from] };
  assert.equal((await harness.call('POST', '/v1/contacts', { body })).status, 201);
  const nameOf = async () => {
    await callIn(harness, { tenantId: tenant_id, number }, { from });
    await until('it rings', () => phone.calls.length > 0);
    const [call] = phone.calls;
    phone.decline();
    await until('it is over', () => phone.calls.length === 0);
    return call?.contactName;
  };
  assert.equal(await nameOf(), 'Dana Ortiz');
  for (const [abilities, name] of [
    [['phone', 'conversations:read'], 'Dana Ortiz'],
    [['phone'], null],
  ] as const) {
    const { token: key } = await mintSession(harness, tenant_id, { abilities });
    await phone.connect(async () => {
      return (await harness.call('POST', `/v1/web_clients/${webClient.id}/tokens`, { key })).body.token;
    });
    assert.equal(await nameOf(), name);
  }
  phone.disconnect();
});

test('a web client in the library answers a call of the server and hangs up', async () => {
  const { phone, events, number } = await makePhone();
  await callIn(harness, { tenantId: '', number });
  await until('it rings', () => events.includes('incoming'));
  await phone.answer();
  await until('it is answered', () => events.includes('answered'));
  phone.sendDigits('1');
  phone.hangUp();
  await until('it has ended', () => events.includes('ended'));
  assert.deepEqual(events, ['incoming', 'answered', 'ended']);
  phone.disconnect();
});

test('a web client in the library is told why its transfer failed, and keeps the call', async () => {
  const { phone, events, webClient } = await makePhone();
  const { id: absent } = await makeWebClient(harness, webClient.tenant_id);
  const { id } = await phone.place(newPerson());
  await until('it is answered', () => events.includes('answered'));
  const failures: string[] = [];
  phone.on('transferFailed', ({ reason }) => failures.push(reason));
  phone.transfer(absent);
  await until('it has failed', () => failures.length > 0);
  assert.deepEqual([failures, phone.calls.map((call) => call.id)], [['failed'], [id]]);
  phone.hangUp();
  phone.disconnect();
});

test('a web client in the library consults another agent and leaves the call to it', async () => {
  const { phone, events } = await makePhone();
  const to = newPerson();
  const { id } = await phone.place(newPerson());
  await until('it is answered', () => events.includes('answered'));
  phone.transfer(to, { mode: 'consult' });
  await until('the new agent answers', () => phone.calls[0]?.transfer?.state === 'talking');
  phone.cancelTransfer();
  await until('the customer is back', () => phone.calls[0]?.transfer === null);
  phone.transfer(to, { mode: 'consult' });
  await until('the new agent answers again', () => phone.calls[0]?.transfer?.state === 'talking');
  phone.completeTransfer();
  await until('it has ended', () => events.includes('ended'));
  assert.equal((await harness.call('GET', `/v1/calls/${id}`)).body.status, 'in_progress');
  phone.disconnect();
});

test('a web client in the library dials, and is refused a number that it may not dial', async () => {
  const { phone, events, number } = await makePhone();
  const call = await phone.place(newPerson());
  assert.equal(call.from, number.phone_number);
  await until('it is answered', () => events.includes('answered'));
  phone.hangUp();
  await until('it has ended', () => events.includes('ended'));
  await assert.rejects(phone.place('+16054551234'), { code: 'destination_not_supported' });
  assert.equal(reasons.length, 5);
  phone.disconnect();
});

test('a web client in the library that is revoked is disconnected, and does not reconnect', async () => {
  const { phone, webClient } = await makePhone();
  const disconnected = new Promise<{ code: number; willReconnect: boolean }>((resolve) =>
    phone.on('disconnected', resolve),
  );
  await harness.call('DELETE', `/v1/web_clients/${webClient.id}`);
  const { code, willReconnect } = await disconnected;
  assert.deepEqual([code, willReconnect], [4403, false]);
});

test('a web client in the library takes a break from its queue', async () => {
  const { phone, webClient } = await makePhone();
  const body = { tenant_id: webClient.tenant_id, name: 'Support', agents: [webClient.id] };
  const { body: queue } = await harness.call('POST', '/v1/queues', { body });
  const states = ['away', 'available'] as const;
  for (const availability of states) {
    const shown = Promise.withResolvers<unknown>();
    const stop = phone.on('queues', shown.resolve);
    phone.setAvailability(availability, queue.id);
    const expected = [{ id: queue.id, name: 'Support', availability }];
    assert.deepEqual(await shown.promise, expected);
    assert.deepEqual(phone.queues, expected);
    stop();
  }
  phone.disconnect();
});
