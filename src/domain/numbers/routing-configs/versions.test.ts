/** Former versions of routing configs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { useTenant } from '../../../../test/support/numbers.ts';
import { VERSIONS_MAX } from './queries.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const HOURS = { schedule: [{ days: ['mon'], open: '08:00', close: '17:00' }] };

const body = (change: object) => ({
  ...{ tenant_id: tenantId, name: 'Office', open_behavior: { type: 'ring', targets: [newPerson()] } },
  ...change,
});

async function make(change: object = {}): Promise<Json> {
  const reply = await harness.call('POST', '/v1/routing_configs', { body: body(change) });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

async function replace(id: string, change: object): Promise<void> {
  const reply = await harness.call('PUT', `/v1/routing_configs/${id}`, { body: body(change) });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
}

const getAt = (id: string, at: string) => harness.call('GET', `/v1/routing_configs/${id}?at=${encodeURIComponent(at)}`);
const NOT_FOUND = [404, 'routing_config_not_found', undefined];

test('a config is read as it was at a moment, also after replacements, until it is deleted', async () => {
  const first = await make({ name: 'First', hold_audio_url: 'https://example.com/hold.wav' });
  const at = (moment: string) => getAt(first.id, moment);
  const moments = [first.created_at];
  for (const name of ['Second', 'Third']) {
    await harness.advance(60);
    await replace(first.id, { name, business_hours: HOURS });
    moments.push((await read(harness, '/test/clock')).now);
  }
  const names = await Promise.all(moments.map(async (moment) => (await at(moment)).body.name));
  assert.deepEqual(names, ['First', 'Second', 'Third']);
  const present = await read(harness, `/routing_configs/${first.id}`);
  assert.deepEqual((await at(moments[2])).body, present);
  const was = { ...first, hold_audio_status: null, hold_audio_error: null };
  assert.deepEqual((await at(moments[0])).body, was);
  const early = new Date(Date.parse(first.created_at) - 1).toISOString();
  assert.deepEqual(refusal(await at(early)), NOT_FOUND);
  assert.equal((await harness.call('DELETE', `/v1/routing_configs/${first.id}`)).status, 204);
  assert.deepEqual(refusal(await at(moments[0])), NOT_FOUND);
});

test('the last hundred versions of a config are kept, and earlier moments have none', async () => {
  const { id, created_at } = await make();
  for (let n = 0; n <= VERSIONS_MAX; n++) await replace(id, { name: `Office ${n}` });
  const rows = await sql<{ number: number }>(
    harness.context.db,
    'select number from routing_config_versions where routing_config_id = $1 order by number',
    [id],
  );
  assert.deepEqual([rows.length, rows[0]?.number], [VERSIONS_MAX, 2]);
  assert.deepEqual(refusal(await getAt(id, created_at)), NOT_FOUND);
});
