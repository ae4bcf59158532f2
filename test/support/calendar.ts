/** Ledger time, for tests that move a test ledger's clock by the calendar. */
import assert from 'node:assert/strict';
import type { Harness } from './harness.ts';
import { read } from './messages.ts';

/** Returns the test ledger's present time. */
async function ledgerTime(harness: Harness): Promise<Date> {
  const reply = await harness.call('GET', '/v1/test/clock');
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return new Date(reply.body.now);
}

/** Moves the clock to a moment, or at most a second later. Fails if the moment is in the past. */
export async function advanceTo(harness: Harness, moment: Date): Promise<void> {
  const seconds = Math.ceil((moment.getTime() - (await ledgerTime(harness)).getTime()) / 1000);
  assert.ok(seconds >= 0, `${moment.toISOString()} has passed by ${-seconds} s`);
  await harness.advance(seconds);
}

/** Returns the year of the next 31 January 18:00 UTC. */
export async function yearOfNextJanuary(harness: Harness): Promise<number> {
  const now = await ledgerTime(harness);
  const year = now.getUTCFullYear();
  return now < new Date(Date.UTC(year, 0, 31, 18)) ? year : year + 1;
}

/** Returns the usage over [start, end), both YYYY-MM-DD, by kind. With `tenantId`, returns the usage of that tenant. */
export async function usageOf(
  harness: Harness,
  start: string,
  end: string,
  tenantId?: string,
): Promise<Record<string, number>> {
  const tenant = tenantId === undefined ? '' : `&tenant_id=${tenantId}`;
  const { data } = await read(harness, `/usage?start=${start}&end=${end}${tenant}`);
  return Object.fromEntries(data.map(({ kind, quantity }: { kind: string; quantity: number }) => [kind, quantity]));
}
