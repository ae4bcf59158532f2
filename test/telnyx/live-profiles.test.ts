/** Messaging profiles at Telnyx after the address of the installation, or the connection, has changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeConnection, findConnectionById } from '../../src/carriers/connections/queries.ts';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { clearForTexts } from '../support/money.ts';
import { buyNumber } from '../support/numbers.ts';
import { freePort } from '../support/ports.ts';
import { startShuffler } from './report-shuffler.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, connectionId, tenantId, number, get } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;
/** Another address of the installation. */
const front = await startShuffler(() => harness.url);

const connected = () => harness.connections.list().find(({ id }) => id === connectionId)?.connected ?? assert.fail();
const finding = async () => (await connected().check()).find(({ check }) => check === 'texts') ?? assert.fail();

/** Changes the address of the installation for the carrier, as `carriers change` does. */
async function moveTo(public_url: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const row = (await findConnectionById(db, connectionId)) ?? assert.fail();
  const { id, settings, credentials } = row;
  await db.transaction((tx) =>
    changeConnection(tx, { id, settings: { ...settings, public_url, ...more }, credentials }),
  );
  await harness.connections.refresh();
}

async function textArrives(to: string): Promise<void> {
  const from = newPerson();
  await control.textIn({ from, to, text: 'Hello' });
  const find = async () => (await get(`/messages?from=${encodeURIComponent(from)}`)).data;
  await until('the text is here', async () => (await find()).length === 1);
}

test('after a change of the address, check names the profiles that report elsewhere, and setup mends them', async () => {
  const strangers = { name: 'another program', whitelisted_destinations: ['US'], webhook_url: 'https://else.example/' };
  const headers = { authorization: `Bearer ${telnyx.apiKey}`, 'content-type': 'application/json' };
  const made = await fetch(`${telnyx.url}/messaging_profiles`, {
    method: 'POST',
    headers,
    body: JSON.stringify(strangers),
  });
  assert.equal(made.status, 200);
  assert.equal((await finding()).state, 'good');
  await moveTo(front.url);
  const wrong = await finding();
  assert.equal(wrong.state, 'bad');
  assert.ok(wrong.found.includes(tenantId), wrong.found);
  const did = (await connected().setup()).join(' ');
  assert.ok(did.includes(tenantId) && did.includes(front.url), did);
  assert.equal((await finding()).state, 'good');
  const changed = await control.requests({ operation: 'PATCH /messaging_profiles/{id}' });
  assert.equal(changed.length, 1, 'the profile of another program stays as it is');
  await connected().setup();
  assert.equal((await control.requests({ operation: 'PATCH /messaging_profiles/{id}' })).length, 1);
  await textArrives(number.phone_number);
  const report = (await control.webhooks({ type: 'message.received' })).at(-1);
  assert.ok(report?.url.startsWith(front.url), `${report?.url}`);
});

test('what the address does not take after three attempts comes by the failover address, each once', async () => {
  const dead = `http://127.0.0.1:${await freePort()}`;
  await moveTo(dead, { failover_url: harness.url });
  assert.equal((await finding()).state, 'bad');
  await connected().setup();
  await textArrives(number.phone_number);
  const caller = newPerson();
  await control.callIn({ from: caller, to: number.phone_number });
  const calls = async () => (await get(`/calls?external_number=${encodeURIComponent(caller)}`)).data;
  await until('the call is here', async () => (await calls()).length === 1);
  const attempts = (await control.webhooks({ type: 'message.received' })).filter(({ url }) => url.startsWith(dead));
  assert.equal(attempts.length, 3);
  await moveTo(harness.url, { failover_url: harness.url });
  await connected().setup();
});

test('a profile that an earlier version named after the tenant is mended too', async () => {
  const [row] = await sql<{ profile_id: string }>(db, 'select profile_id from telnyx_profiles');
  const headers = { authorization: `Bearer ${telnyx.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: tenantId, webhook_url: 'https://old.example/carrier/telnyx/ccn_old' });
  const url = `${telnyx.url}/messaging_profiles/${row?.profile_id}`;
  assert.equal((await fetch(url, { method: 'PATCH', headers, body })).status, 200);
  assert.equal((await finding()).state, 'bad');
  await connected().setup();
  await textArrives(number.phone_number);
});

test('a connection made anew for the account has profiles of its own, and takes none of the old one', async () => {
  const again = await addConnection(harness.context, {
    kind: 'telnyx',
    name: 'again',
    settings: { public_url: harness.url, api_url: telnyx.url },
    credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
    capabilities: [],
  });
  for (const capability of CARRIER_CAPABILITIES) {
    await sql(db, 'update carrier_defaults set connection_id = $1 where capability = $2', [again, capability]);
  }
  await harness.connections.refresh();
  const other = await buyNumber(harness, tenantId, key);
  await clearForTexts(harness, other.id);
  await textArrives(other.phone_number);
  await textArrives(number.phone_number);
  const rows = await sql<{ connection_id: string; profile_id: string }>(
    db,
    'select connection_id, profile_id from telnyx_profiles where tenant_id = $1',
    [tenantId],
  );
  assert.deepEqual(new Set(rows.map(({ connection_id }) => connection_id)), new Set([connectionId, again]));
  assert.equal(new Set(rows.map(({ profile_id }) => profile_id)).size, 2);
});
