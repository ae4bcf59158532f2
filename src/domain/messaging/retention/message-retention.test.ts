import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import type { Database } from '../../../db/database.ts';
import { sweepMessages } from './message-retention.ts';

const { harness, tenantId } = await useLine({ startWorkers: false });
const { db } = harness.context;
const ledgerId = await testLedger(harness);

const left = async () =>
  Number((await sql<{ n: string }>(db, 'select count(*) as n from messages where tenant_id = $1', [tenantId]))[0]?.n);

/** Returns the database. After each of its transactions `onEnd` is called. */
function watched(onEnd: () => Promise<void>): Database {
  return {
    ...db,
    transaction: async (work, options) => {
      const result = await db.transaction(work, options);
      await onEnd();
      return result;
    },
  };
}

test('a sweep of old texts commits after every 25, so that no lock is held for long', async () => {
  const old = 110;
  await sql(
    db,
    `insert into messages (ledger_id, id, tenant_id, direction, origin, "from", "to", body, status, segments,
       status_history, created_at)
     select $1, 'msg_old_' || n, $2, 'outbound', 'api', '+16025550100', '+16025550101', 'Hello ' || n, 'delivered', 1,
       '[]', ledger_now($1) - interval '10 days'
     from generate_series(1, ${old}) n`,
    [ledgerId, tenantId],
  );
  await harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { retention: { message_days: 1 } } });
  const counts = [await left()];
  const rows = await sweepMessages(
    watched(async () => {
      counts.push(await left());
    }),
    { rowsMax: 1_000 },
  );
  assert.deepEqual([rows, counts], [old, [110, 85, 60, 35, 10, 0]]);
});

test('a round finds no more texts than it is asked for', async () => {
  await sql(
    db,
    `insert into messages (ledger_id, id, tenant_id, direction, origin, "from", "to", body, status, segments,
       status_history, created_at)
     select $1, 'msg_more_' || n, $2, 'inbound', 'handset', '+16025550101', '+16025550100', 'Hello ' || n, 'received', 1,
       '[]', ledger_now($1) - interval '10 days'
     from generate_series(1, 12) n`,
    [ledgerId, tenantId],
  );
  assert.deepEqual([await sweepMessages(db, { rowsMax: 10 }), await left()], [10, 2]);
  assert.deepEqual([await sweepMessages(db, { rowsMax: 10 }), await left()], [2, 0]);
});
