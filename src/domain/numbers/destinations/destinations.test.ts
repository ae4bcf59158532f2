import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from '../../../../test/support/jobs.ts';
import { refusal, trySend } from '../../../../test/support/messages.ts';
import { useLiveLine } from '../../../../test/support/money.ts';
import { now } from '../../../lib/time/time.ts';

const LONDON = '+442071838750';
const AGENT = '+16025550143';
const REFUSED = [422, 'destination_not_supported'];

/** How far the clock of the caches is ahead. */
let aheadMs = 0;

const clock = { now: () => now() + aheadMs };
const { harness, key, tenantId: tenant_id, from } = await useLiveLine({ startWorkers: false, clock });

beforeEach(async () => {
  await sql(harness.context.db, 'truncate allowed_prefixes');
  aheadMs += 60_000;
});

const list = (table: 'allowed_prefixes' | 'high_cost_prefixes', prefix: string) =>
  sql(harness.context.db, `insert into ${table} values ('${prefix}')`);
const text = (to: string) => trySend(harness, { from, to, body: 'Hi' }, { key });
const call = (fields: object) =>
  harness.call('POST', '/v1/calls', { key, body: { from, to: AGENT, connect_to: AGENT, ...fields } });
const route = (target: string) =>
  harness.call('POST', '/v1/routing_configs', {
    key,
    body: { tenant_id, name: 'Office', open_behavior: { type: 'ring', targets: [target] } },
  });

test('a live key can text, call and ring a country that the operator allows', async () => {
  for (const reply of [await text(LONDON), await call({ to: LONDON }), await call({ connect_to: LONDON })]) {
    assert.deepEqual(refusal(reply).slice(0, 2), REFUSED);
  }
  assert.deepEqual(refusal(await route(LONDON)).slice(0, 2), REFUSED);
  await list('allowed_prefixes', '44');
  aheadMs += 30_000;
  for (const reply of [
    await text(LONDON),
    await call({ to: LONDON }),
    await call({ connect_to: LONDON }),
    await route(LONDON),
  ]) {
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
  }
  for (const to of ['+33142685300', '+18765550143']) assert.deepEqual(refusal(await text(to)).slice(0, 2), REFUSED, to);
  assert.equal((await text(AGENT)).status, 201, 'what is allowed by itself stays so');
});

test('an allowed prefix may be longer than a country code, and allows only its own numbers', async () => {
  await list('allowed_prefixes', '1876');
  assert.equal((await text('+18765550143')).status, 201);
  assert.deepEqual(refusal(await text('+18095550143')).slice(0, 2), REFUSED);
});

test('a premium destination stays refused in an allowed country', async () => {
  await list('allowed_prefixes', '44');
  await list('high_cost_prefixes', '44207183');
  assert.deepEqual(refusal(await text(LONDON)).slice(0, 2), REFUSED);
  assert.deepEqual(refusal(await call({ to: LONDON })), [...REFUSED, 'to']);
  assert.deepEqual(refusal(await route(LONDON)), [...REFUSED, 'open_behavior.targets[0]']);
  assert.equal((await text('+442079460000')).status, 201);
  await list('allowed_prefixes', '1900');
  assert.deepEqual(refusal(await call({ to: '+19005550143' })), [...REFUSED, 'to']);
  await sql(harness.context.db, `delete from high_cost_prefixes where prefix = '44207183'`);
});

test('a prefix has only digits', async () => {
  for (const prefix of ['+44', '044', '', '4 4']) {
    await assert.rejects(list('allowed_prefixes', prefix), { code: '23514' }, prefix);
  }
});
