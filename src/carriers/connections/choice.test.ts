import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { clearForTexts, fund } from '../../../test/support/money.ts';
import { findOnSale, makeTenant } from '../../../test/support/numbers.ts';
import { CARRIER_CAPABILITIES, type CarrierCapability } from '../ports/carrier.ts';
import type { MessagingPort } from '../ports/messaging.ts';
import type { NumbersPort } from '../ports/numbers.ts';
import { moveConnection, setDefault } from './queries.ts';

/** The requests to each connection, in order: `name operation`. */
const asked: string[] = [];
const harness = await useHarness({
  liveCarrier: ({ simulated, name }) => ({
    ...simulated,
    numbers: {
      ...(simulated.numbers as NumbersPort),
      order: async (...args) => {
        asked.push(`${name} order`);
        return (simulated.numbers as NumbersPort).order(...args);
      },
      release: async (...args) => {
        asked.push(`${name} release`);
        return (simulated.numbers as NumbersPort).release(...args);
      },
    },
    messaging: {
      ...(simulated.messaging as MessagingPort),
      send: async (...args) => {
        asked.push(`${name} send`);
        return (simulated.messaging as MessagingPort).send(...args);
      },
    },
  }),
});
const { db } = harness.context;
const key = harness.account.live_key;
const ids: Record<string, string> = {
  other: await addConnection(harness.context, { name: 'other', capabilities: [] }),
};
for (const { id, name } of await sql<{ id: string; name: string }>(db, 'select id, name from carrier_connections')) {
  ids[name] = id;
}
await fund(harness);
const tenantId = await makeTenant(harness, key);

async function use(name: string, accountId: string | null, capabilities: readonly CarrierCapability[]) {
  const connection_id = ids[name] as string;
  for (const capability of capabilities) {
    await db.transaction((tx) => setDefault(tx, { capability, account_id: accountId, connection_id }));
  }
  await harness.connections.refresh();
}

async function move(name: string, status: 'active' | 'draining' | 'disabled') {
  await db.transaction((tx) => moveConnection(tx, name, status));
  await harness.connections.refresh();
}

async function buy(onSale?: string) {
  const phone_number = onSale ?? (await findOnSale(harness, key));
  const reply = await harness.call('POST', '/v1/phone_numbers', { key, body: { phone_number, tenant_id: tenantId } });
  return reply;
}

async function text(from: string) {
  return harness.call('POST', '/v1/messages', { key, body: { from, to: newPerson(), body: 'Hello' } });
}

test("what is new goes by the account's own default, then by that of the installation", async () => {
  assert.equal((await buy()).status, 201);
  await use('other', harness.account.id, ['numbers']);
  assert.equal((await buy()).status, 201);
  assert.deepEqual(asked.splice(0), ['main order', 'other order']);
  await use('main', harness.account.id, ['numbers']);
});

test('a number keeps the connection of its order, and its texts theirs, whatever is used for new ones', async () => {
  const number = (await buy()).body;
  await clearForTexts(harness, number.id);
  await use('other', null, CARRIER_CAPABILITIES);
  assert.equal((await text(number.id)).status, 201);
  await until('it is sent', () => asked.includes('main send'));
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${number.id}`, { key })).status, 200);
  await until('it is released', () => asked.includes('main release'));
  assert.deepEqual(asked.splice(0), ['main order', 'main send', 'main release']);
  await use('main', null, CARRIER_CAPABILITIES);
});

test('a draining connection takes nothing new, and finishes what it has', async () => {
  const number = (await buy()).body;
  await clearForTexts(harness, number.id);
  const onSale = await findOnSale(harness, key);
  await move('main', 'draining');
  const refused = await text(number.id);
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'carrier_unavailable']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await buy(onSale)).body.error.code, 'carrier_unavailable');
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${number.id}`, { key })).status, 200);
  await until('it is released', () => asked.includes('main release'));
  await move('main', 'active');
});

test('a disabled connection takes nothing at all, until it is enabled again', async () => {
  const number = (await buy()).body;
  await clearForTexts(harness, number.id);
  await move('main', 'disabled');
  asked.length = 0;
  assert.equal((await text(number.id)).body.error.code, 'carrier_unavailable');
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${number.id}`, { key })).status, 200);
  assert.deepEqual(asked, []);
  await move('main', 'active');
});

test('a key of test mode is served without any connection, and never by one', async () => {
  await move('main', 'disabled');
  const tenant = await makeTenant(harness);
  const phone_number = await findOnSale(harness);
  const bought = await harness.call('POST', '/v1/phone_numbers', { body: { phone_number, tenant_id: tenant } });
  assert.equal(bought.status, 201);
  await move('main', 'active');
});
