import assert from 'node:assert/strict';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../support/jobs.ts';
import { countWork } from '../support/product-process.ts';
import type { CrashClient, Text } from './crash-client.ts';
import type { OrderWatch } from './watch-order.ts';

type Stored = {
  id: string;
  to: string;
  marker: string | null;
  origin: 'api' | 'confirmation' | 'handset';
  status: string;
  error_code: string | null;
  history: string[];
};

const MESSAGES = `select id, "to", metadata->>'marker' as marker, origin, status, error_code,
  array(select entry->>'status' from json_array_elements(status_history) entry) as history from messages`;

/** Fails unless every acknowledged effect happened exactly once and no work is left. */
export async function assertNothingLostNorTwice(db: Database, client: CrashClient): Promise<void> {
  const messages = await sql<Stored>(db, MESSAGES);
  const byMarker = Map.groupBy(
    messages.filter(({ origin }) => origin === 'api'),
    ({ marker }) => marker,
  );
  for (const text of client.texts) assertOnce(text, byMarker.get(text.marker) ?? []);
  for (const message of messages) assertEnded(message);
  for (const [person, changes] of client.changes) {
    const confirmations = messages.filter(({ to, origin }) => to === person && origin === 'confirmation');
    assert.equal(confirmations.length, changes, `${person} changed their mind ${changes} times`);
  }
  await assertHandsets(db, messages);
  await assertEvents(db, messages, client);
  assert.deepEqual(await countWork(db), { jobs: 0, lanes: 0, waiting: 0, undelivered: 0 });
}

function assertOnce({ marker, keyed, id, lost }: Text, stored: readonly Stored[]): void {
  const ids = stored.map((message) => message.id);
  if (id !== undefined) {
    assert.deepEqual(ids, [id], `${marker} was acknowledged as ${id}`);
  } else {
    assert.ok(lost && !keyed, `${marker} was not acknowledged, and its client kept retrying`);
    assert.ok(ids.length <= 1, `${marker} was requested once and exists ${ids.length} times`);
  }
}

function assertEnded({ id, to, origin, status, error_code, history }: Stored): void {
  const seen = { error_code, history };
  if (origin === 'handset') {
    assert.deepEqual({ status, ...seen }, { status: 'received', error_code: null, history: ['received'] }, id);
    return;
  }
  const expected = to === MAGIC.deliveryFails ? 'carrier_rejected' : to === MAGIC.sendFails ? 'send_failed' : null;
  const end = expected === null ? 'delivered' : 'failed';
  assert.deepEqual({ status, ...seen }, { status: end, error_code: expected, history: ['queued', end] }, id);
}

/** Fails unless the simulated network has each accepted text exactly once, and nothing else. */
async function assertHandsets(db: Database, messages: readonly Stored[]): Promise<void> {
  const taken = await sql<{ ref: string }>(db, 'select ref from simulated_messages order by ref');
  const expected = messages.filter(({ origin, to }) => origin !== 'handset' && to !== MAGIC.sendFails);
  assert.deepEqual(
    taken.map(({ ref }) => ref),
    expected.map(({ id }) => id).sort(),
  );
}

type EventRow = { id: string; type: string; resource_id: string; sequence: number };

const EVENTS = 'select id, type, resource_id, sequence from events order by resource_id, sequence';

/** Fails unless each message has one event, and each person's opt-outs alternate with gapless sequence numbers. */
async function assertEvents(db: Database, messages: readonly Stored[], client: CrashClient): Promise<void> {
  const byResource = Map.groupBy(await sql<EventRow>(db, EVENTS), (event) => event.resource_id);
  for (const { id, status } of messages) {
    const types = byResource.get(id)?.map(({ type }) => type);
    assert.deepEqual(types, [`message.${status}`], id);
  }
  for (const [person, changes] of client.changes) {
    const [, events = []] = [...byResource].find(([resource]) => resource.endsWith(`:${person}`)) ?? [];
    assert.deepEqual(
      events.map(({ type, sequence }) => `${sequence} ${type}`),
      Array.from({ length: changes }, (_, n) => `${n + 1} opt_out.${n % 2 === 0 ? 'created' : 'removed'}`),
    );
  }
}

/** Fails unless the receiver accepted every event, and the events of each resource in order. */
export async function assertAllTaken(db: Database, watch: OrderWatch): Promise<void> {
  const events = await sql<{ id: string }>(db, 'select id from events');
  const taken = watch.taken();
  const missing = events.filter(({ id }) => !taken.has(id)).map(({ id }) => id);
  assert.deepEqual(missing, [], 'events that were never taken');
  assert.equal(taken.size, events.length, 'something was delivered that is no event');
  assert.deepEqual(watch.violations(), []);
}
