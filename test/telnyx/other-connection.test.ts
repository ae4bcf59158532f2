/** Two accounts at Telnyx, each a connection: a report of one changes only its own numbers, texts and calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { QUICK, startTelnyx } from './start-telnyx.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, number, get, text, untilStatus, connectionId } = await useTelnyxLine();
const { db } = harness.context;

const other = await startTelnyx(QUICK);
closeAfterTests(() => other.close());
const otherId = await addConnection(harness.context, {
  kind: TELNYX_KIND.description.kind,
  name: 'other',
  settings: { public_url: harness.url, api_url: other.url },
  credentials: { key: other.apiKey, public_key: other.publicKey },
  capabilities: [],
});
await harness.connections.refresh();
await harness.connections
  .list()
  .find(({ id }) => id === otherId)
  ?.connected.setup();

/** Sends a request to the other account's API. Returns the data of the reply. */
async function ask(method: string, path: string, sent?: object) {
  const headers = { authorization: `Bearer ${other.apiKey}`, 'content-type': 'application/json' };
  const reply = await fetch(`${other.url}${path}`, { method, headers, ...(sent && { body: JSON.stringify(sent) }) });
  assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
  return ((await reply.json()) as { data: { id: string }[] & { id: string } }).data;
}

// The other account has the same number, as happens after a number was taken from an account.
const webhook_url = `${harness.url}/carrier/telnyx/${otherId}`;
const profile = await ask('POST', '/messaging_profiles', {
  ...{ name: 'theirs', whitelisted_destinations: ['US'], webhook_url, webhook_api_version: '2' },
});
const [application] = await ask('GET', '/call_control_applications');
const { phone_number } = number;
const [areaCode, local] = [phone_number.slice(2, 5), phone_number.slice(5)];
const search = `filter[national_destination_code]=${areaCode}&filter[phone_number][contains]=${local}`;
await ask('GET', `/available_phone_numbers?${search}`);
await ask('POST', '/number_orders', {
  phone_numbers: [{ phone_number }],
  messaging_profile_id: profile.id,
  connection_id: application?.id,
});

/** Resolves once a report of the other connection is over. Returns how it ended. */
async function endOf(type: string): Promise<string | undefined> {
  const select = "select state from carrier_inbox where connection_id = $1 and type = $2 and state <> 'waiting'";
  await until(`${type} is over`, async () => (await sql(db, select, [otherId, type])).length > 0);
  return (await sql<{ state: string }>(db, select, [otherId, type])).at(-1)?.state;
}

test("another account's text and STOP change nothing here", async () => {
  const person = newPerson();
  await other.control.textIn({ from: person, to: phone_number, text: 'STOP' });
  assert.equal(await endOf('message.received'), 'ignored');
  assert.deepEqual((await get(`/messages?from=${encodeURIComponent(person)}`)).data, []);
  assert.deepEqual((await get('/opt_outs')).data, []);
  await untilStatus(await text(person, 'Hello'), 'delivered');
});

test("another account's call does not ring here", async () => {
  await other.control.callIn({ from: newPerson(), to: phone_number });
  assert.equal(await endOf('call.initiated'), 'ignored');
  assert.deepEqual((await get('/calls?direction=inbound')).data, []);
});

test("another account's number that leaves it stays here", async () => {
  await other.control.setNumber({ phoneNumber: phone_number, status: 'ported-out' });
  await runNow(db, 'sweep.telnyx_ported_out');
  assert.equal((await get(`/phone_numbers/${number.id}`)).status, 'active');
});

test("the number's own account still reports of it", async () => {
  const person = newPerson();
  await telnyx.control.textIn({ from: person, to: phone_number, text: 'Hello' });
  const find = async () => (await get(`/messages?from=${encodeURIComponent(person)}`)).data;
  await until('the text is here', async () => (await find()).length === 1);
  assert.notEqual(connectionId, otherId);
});
