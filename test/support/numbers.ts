import assert from 'node:assert/strict';
import { statement } from '../../src/db/statement.ts';
import type { PhoneNumber } from '../../src/domain/numbers/index.ts';
import { type Harness, type HarnessOptions, useHarness } from './harness.ts';

/** Creates a tenant and returns its id. */
export async function makeTenant(harness: Harness, key?: string): Promise<string> {
  const reply = await harness.call('POST', '/v1/tenants', { ...(key && { key }), body: { name: 'Tenant' } });
  assert.equal(reply.status, 201);
  return reply.body.id;
}

let searches = 0;

/** Starts a product with a tenant, for the tests of the file. */
export async function useTenant(options: HarnessOptions = {}): Promise<{ harness: Harness; tenantId: string }> {
  const harness = await useHarness(options);
  return { harness, tenantId: await makeTenant(harness) };
}

/** Finds a number on sale. No other test of this process gets it. */
export async function findOnSale(harness: Harness, key?: string): Promise<string> {
  const path = `/v1/phone_numbers/available?area_code=602&limit=1&contains=${1000 + searches++}`;
  const reply = await harness.call('GET', path, key ? { key } : {});
  assert.equal(reply.status, 200);
  return reply.body.data[0].phone_number;
}

export async function buyNumber(harness: Harness, tenantId: string, key?: string): Promise<PhoneNumber> {
  const body = { tenant_id: tenantId, phone_number: await findOnSale(harness, key) };
  const reply = await harness.call('POST', '/v1/phone_numbers', { ...(key && { key }), body });
  assert.equal(reply.status, 201);
  return reply.body;
}

/** A tenant, and one of its numbers that can text and call. */
export type Line = { readonly tenantId: string; readonly number: PhoneNumber };

/** Creates a tenant with a number. */
export async function makeLine(harness: Harness, key?: string): Promise<Line> {
  const tenantId = await makeTenant(harness, key);
  return { tenantId, number: await buyNumber(harness, tenantId, key) };
}

/** Starts a product with a tenant and a number, for the tests of the file. */
export async function useLine(options: HarnessOptions = {}): Promise<Line & { harness: Harness; line: Line }> {
  const harness = await useHarness(options);
  const line = await makeLine(harness);
  return { harness, line, ...line };
}

const EVENTS = statement(
  'test_events_of_resource',
  'select type, tenant_id, data from events where resource_id = $1 order by sequence',
);

export type RecordedEvent = { type: string; tenant_id: string; data: PhoneNumber & { previous_status: string } };

export async function eventsOf(harness: Harness, resourceId: string): Promise<RecordedEvent[]> {
  return harness.context.db.query<RecordedEvent>(EVENTS, [resourceId]);
}

const ORDERS = statement(
  'test_simulated_orders',
  'select order_ref, released_at from simulated_numbers where phone_number = $1',
);

/** Returns the orders that the simulated carrier filled for a number. */
export async function ordersOf(
  harness: Harness,
  phoneNumber: string,
): Promise<{ order_ref: string; released_at: Date | null }[]> {
  return harness.context.db.query(ORDERS, [phoneNumber]);
}

const JOBS = statement('test_number_jobs', `select kind from jobs where id like $1 and kind <> 'number.month'`);

/** Returns the kinds of the remaining jobs of a number, except the timer of its next month. */
export async function jobsOf(harness: Harness, numberId: string): Promise<string[]> {
  const rows = await harness.context.db.query<{ kind: string }>(JOBS, [`%:${numberId}`]);
  return rows.map((row) => row.kind);
}
