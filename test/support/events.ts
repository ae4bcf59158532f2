import { listLedgers } from '../../src/domain/accounts/index.ts';
import { type EventEnvelope, type EventType, emitEvents } from '../../src/domain/events/index.ts';
import type { Harness } from './harness.ts';

/** Returns the test ledger of the harness's account. */
export async function testLedger({ context, account }: Pick<Harness, 'context' | 'account'>): Promise<number> {
  const ledgers = await listLedgers(context.db, account.id);
  return ledgers.find((ledger) => ledger.mode === 'test')?.id as number;
}

/** Returns how far the clock of an account's test ledger has been moved, in milliseconds. */
export async function clockOffsetMs({ context, account }: Pick<Harness, 'context' | 'account'>): Promise<number> {
  const [row] = await context.db.query<{ ms: number }>(
    { name: '', text: 'select extract(epoch from clock_offset)::float8 * 1000 as ms from ledgers where id = $1' },
    [await testLedger({ context, account })],
  );
  return (row as { ms: number }).ms;
}

export type EmittedEvent = {
  resource: string;
  type?: EventType;
  tenantId?: string | null;
  data?: Record<string, unknown>;
};

/** Emits events in one transaction, as the modules of the product do. */
export async function happen(harness: Harness, ...events: readonly EmittedEvent[]): Promise<EventEnvelope[]> {
  const ledgerId = await testLedger(harness);
  return harness.context.db.transaction((tx) =>
    emitEvents(
      tx,
      ledgerId,
      events.map(({ resource, type = 'message.received', tenantId = 'tnt_1', data = {} }) => ({
        type,
        tenantId,
        resourceId: resource,
        data: { object: 'message', id: resource, ...data },
      })),
    ),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they find in replies
export type Json = any;

/**
 * Returns the events of a resource, in order. With the order `asc`, the API would wait for transactions that are still
 * open.
 */
export async function listEvents(harness: Harness, resourceId: string): Promise<Json[]> {
  const reply = await harness.call('GET', `/v1/events?resource_id=${encodeURIComponent(resourceId)}&limit=100`);
  if (reply.status !== 200) throw new Error(`no events: ${JSON.stringify(reply.body)}`);
  return reply.body.data.reverse();
}

/** Registers an endpoint. Fails unless the API accepts it. */
export async function register(harness: Harness, body: Record<string, unknown>): Promise<Json> {
  const reply = await harness.call('POST', '/v1/webhook_endpoints', { body });
  if (reply.status !== 201) throw new Error(`not registered: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** Returns the deliveries of an endpoint, newest first. */
export async function deliveriesOf(harness: Harness, endpointId: string, query = ''): Promise<Json[]> {
  const reply = await harness.call('GET', `/v1/webhook_endpoints/${endpointId}/deliveries?limit=100${query}`);
  if (reply.status !== 200) throw new Error(`no deliveries: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}
