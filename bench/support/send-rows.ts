/**
 * What one row of the send statement costs in PostgreSQL, over one connection and without other work of the product.
 */
import pg from 'pg';
import { PLANNING } from '../../src/db/connection-pool.ts';
import { bind } from '../../src/db/statement.ts';
import { checkDraft } from '../../src/domain/messaging/messages/draft.ts';
import { SEND, type Send } from '../../src/domain/messaging/messages/send-queries.ts';
import { newId } from '../../src/lib/ids.ts';
import { cpuOf } from './cpu.ts';

const BODY = 'Your appointment is tomorrow at 9:30. Reply C to confirm.';
const RECIPIENTS = 20_000;

function makeSend({ ledgerId, from }: { ledgerId: number; from: string }): Send {
  const to = `+1602${2_000_000 + Math.floor(Math.random() * RECIPIENTS)}`;
  return {
    scope: { ledgerId, accountId: 'acct_bench', mode: 'test', tenantId: null, keyId: 'key_bench' },
    draft: { ...checkDraft({ from, to, body: BODY }), sendAt: null },
    messageId: newId('message'),
    conversationId: newId('conversation'),
    idempotency: undefined,
    traceparent: null,
  };
}

/** Runs the statement with one row and with 32 rows, three times in turn. Prints the costs. */
export async function printRowCosts(url: string, sender: { ledgerId: number; from: string }): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(PLANNING);
  await client.query('create extension if not exists pg_stat_statements');
  const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const run = async (rows: number, times: number) => {
    for (let i = 0; i < times; i++) {
      await client.query(bind(SEND, { sends: Array.from({ length: rows }, () => makeSend(sender)) }));
    }
  };
  await run(32, 1_000);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await run(32, 20);
  for (let round = 1; round <= 3; round++) {
    for (const rows of [1, 32]) {
      await client.query('select pg_stat_statements_reset()');
      const times = rows === 1 ? 1_000 : 500;
      const before = cpuOf(own[0]?.pid ?? 0);
      await run(rows, times);
      const cpuUs = (cpuOf(own[0]?.pid ?? 0) - before) / times / rows;
      const { rows: counted } = await client.query(
        `select mean_exec_time * 1000 as mean, min_exec_time * 1000 as least, wal_bytes::float8 / calls as wal
         from pg_stat_statements where query like 'with input%' and calls >= $1`,
        [times],
      );
      const { mean, least, wal } = counted[0];
      console.log(
        `${String(rows).padStart(2)} rows: ${(mean / rows).toFixed(0)} µs a row (least ${(least / rows).toFixed(0)}), ` +
          `${cpuUs.toFixed(0)} µs of processor, ${(wal / rows).toFixed(0)} B of WAL with full pages`,
      );
    }
  }
  await client.end();
}
