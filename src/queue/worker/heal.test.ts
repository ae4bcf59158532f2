import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { silentLog, sql, useJobsDatabase } from '../../../test/support/jobs.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { heal, type Unreported } from './heal.ts';

const { db } = await useJobsDatabase();

const rowsOf = (...ids: string[]): Unreported[] =>
  ids.map((id) => ({ ledger_id: 1, account_id: 'acct_1', id, connection_id: 'ccn_1' }));

test('what carriers say of one row is applied, whatever becomes of the others', async () => {
  const levels: number[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => levels.push(JSON.parse(line).level) });
  const applied: string[] = [];
  const healed = await heal(rowsOf('away', 'broken', 'known', 'refused', 'missed'), {
    ...{ db, log, what: 'things' },
    ask: async ({ id }) => {
      if (id === 'away') throw new ApiError('carrier_unavailable');
      if (id === 'broken') throw new Error('the adapter is broken');
      return id === 'known' ? undefined : id;
    },
    apply: async (tx, ledger, id) => {
      await sql(tx, 'insert into accounts (id, name) values ($1, $1)', [id]);
      if (id === 'refused') throw new Error('it does not fit');
      applied.push(`${ledger.mode} ${id}`);
    },
  });
  assert.deepEqual([healed, applied], [1, ['live missed']]);
  const written = await sql<{ id: string }>(db, `select id from accounts where id in ('refused', 'missed')`);
  assert.deepEqual(written, [{ id: 'missed' }], 'each is a transaction of its own');
  assert.deepEqual(levels, [40, 50, 40], 'a carrier that is away is no news here');
});

test('rows are asked about side by side, by a limited number at a time', async () => {
  let asking = 0;
  let most = 0;
  await heal(rowsOf(...Array.from({ length: 60 }, (_, index) => `row_${index}`)), {
    ...{ db, log: silentLog, what: 'things' },
    ask: async () => {
      most = Math.max(most, ++asking);
      await Promise.resolve();
      asking--;
      return undefined;
    },
    apply: async () => assert.fail('there is nothing to apply'),
  });
  assert.ok(most > 1 && most < 30, `${most} at a time`);
});
