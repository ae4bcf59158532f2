/** The changes that requests made in the database, and the webhooks that they sent. */
import assert from 'node:assert/strict';
import { LEDGER_TABLES } from '../../src/db/ledger-tables.ts';
import { until } from '../support/until.ts';
import type { World } from './world.ts';

/** Tables of the platform itself. Changes of their rows are not effects of an operation. */
const BOOKKEEPING = [
  'idempotency_keys',
  // How many codes of a sole proprietor were tried.
  'brand_codes',
  'jobs',
  'lanes',
  'usage_entries',
  'usage_archive',
  'usage_hours',
  'usage_days',
];

/** Usage rows, which a sweep moves from one table to the other. */
const FACTS = ['usage_entries', 'usage_archive'];

const TABLES = [...LEDGER_TABLES, 'api_keys', 'audit_log'].filter((table) => !BOOKKEEPING.includes(table));

/** Updates of these tables are not effects: the last use of a key, and the remaining count of a simulated fault. */
const UPDATED_BY_USE = ['api_keys', 'simulated_faults'];

const columns = TABLES.map((table) => {
  // Each version of a row has the number of the transaction that wrote it, so an update changes the sum.
  const versions = UPDATED_BY_USE.includes(table) ? '0' : 'coalesce(sum(xmin::text::bigint), 0)';
  return `(select count(*) || ' rows, version ' || ${versions} from ${table}) as ${table}`;
});
const facts = FACTS.map((table) => `(select count(*) from ${table})`).join(' + ');
const TEXT = `select ${columns.join(', ')}, (${facts}) || ' rows' as usage_facts`;

/** By table, the number and the versions of its rows. */
export type Effects = Readonly<Record<string, string>>;

type Place = Pick<World, 'harness' | 'receiver'>;

/** Counts the rows of each table in all ledgers, and the requests to the receiver. */
export async function effectsIn({ harness, receiver }: Place): Promise<Effects> {
  const { db } = harness.context;
  let row: Effects = {};
  await until('the commands of calls are dispatched', async () => {
    // Named, so that PostgreSQL plans the long statement once.
    [row = {}] = await db.query<Effects>({ name: 'contract_effects', text: TEXT }, []);
    return row['call_commands']?.startsWith('0 ') === true;
  });
  return { ...row, received: `${receiver.received.length} requests` };
}

/**
 * Returns the increase of rows and requests from the first state to the second, by table. Leaves out unchanged tables.
 */
export function addedBetween(before: Effects, after: Effects): Record<string, number> {
  const added = Object.entries(after).map(([table, rows]) => {
    return [table, Number.parseInt(rows, 10) - Number.parseInt(before[table] ?? '0', 10)] as const;
  });
  return Object.fromEntries(added.filter(([, rows]) => rows !== 0));
}

/** Fails if anything has changed between two states. The message has `what` and the changed tables. */
export function assertUnchanged(what: string, before: Effects, now: Effects): void {
  const changes = Object.keys(now).flatMap((table) =>
    now[table] === before[table] ? [] : [`${table}: ${before[table]} -> ${now[table]}`],
  );
  assert.ok(changes.length === 0, `${what} had an effect: ${changes.join('; ')}`);
}

/** Returns a check that fails if anything has changed since this call, or since the last check. */
export async function watchEffects(place: Place): Promise<(what: string) => Promise<void>> {
  let last = await effectsIn(place);
  return async (what) => {
    const before = last;
    last = await effectsIn(place);
    assertUnchanged(what, before, last);
  };
}
