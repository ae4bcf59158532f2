import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { databaseMs, gate, sql, until } from '../../../test/support/jobs.ts';
import { useLanes } from '../../../test/support/lanes.ts';
import { endAllLeases } from '../worker/lease.ts';
import type { Lane } from './lane.ts';
import { postponeLane } from './lanes.ts';

const lanes = useLanes();

test('a drain that throws adds nothing to failures that the handler counts itself', async () => {
  const seen: number[] = [];
  await lanes.add('a', 1);
  lanes.work(
    {
      countsItself: true,
      drain: async (lane) => {
        seen.push(lane.failures);
        if (seen.length === 1) throw new Error('no');
        if (seen.length === 2) await lanes.db.transaction((tx) => postponeLane(tx, lane, { delayMs: 1 }));
        else await lanes.settle(lane, 1);
      },
    },
    { settings: { retryMinMs: 10 } },
  );
  await until('the lane is empty', async () => (await lanes.countLanes()) === 0);
  assert.deepEqual(seen, [0, 0, 1]);
});

test('an urgent lane is due again 5 s after its worker died, another lane after 30 s', async () => {
  const leaseLasts = async (urgent: boolean, leaseMs: number) => {
    const beganMs = await databaseMs(lanes.db);
    await lanes.add('a', 1);
    const mayEnd = gate();
    const workers = lanes.work({
      urgent,
      drain: async (lane) => {
        assert.equal(lane.leaseMs, leaseMs);
        await mayEnd.opened;
        await lanes.settle(lane, 1);
      },
    });
    await until(
      'the lane is claimed',
      async () => (await sql(lanes.db, 'select 1 from lanes where lease_token > $1', [''])).length > 0,
    );
    const [row] = await sql<{ run_at: Date }>(lanes.db, 'select run_at from lanes');
    const readMs = await databaseMs(lanes.db);
    mayEnd.open();
    await workers.stop();
    const endsMs = row?.run_at.getTime() ?? Number.NaN;
    assert.ok(endsMs >= beganMs + leaseMs && endsMs <= readMs + leaseMs, `${endsMs - readMs} ms`);
  };
  await leaseLasts(true, 5_000);
  await leaseLasts(false, 30_000);
});

test('logs of a lane leave out a phone number in its key', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  await lanes.add('ten_1:+16025550100', 2);
  let drains = 0;
  const drain = async (lane: Lane) => {
    drains++;
    if (drains === 1) throw new Error('no');
    await sql(lanes.db, `update lanes set lease_token = 'of another'`);
    await lanes.settle(lane, 1);
  };
  lanes.work({ drain }, { settings: { retryMinMs: 10 }, log });
  await until('the lane has failed and its claim was lost', () =>
    lines.some((line) => line.includes('another worker has the lane')),
  );
  assert.match(lines.join(''), /lane failed.*ten_1|ten_1.*lane failed/);
  assert.doesNotMatch(lines.join(''), /\+1\d/);
});

test('ending all leases makes the claimed lanes of a dead process due now, and paused ones stay paused', async () => {
  await lanes.add('a', 1);
  await lanes.add('paused', 1, 'of_paused', true);
  await sql(lanes.db, `update lanes set lease_token = 'dead', run_at = now() + interval '30 seconds'`);
  await endAllLeases(lanes.db);
  const rows = await sql<{ lane_key: string; due: boolean }>(
    lanes.db,
    `select lane_key, run_at <= now() and lease_token is null as due from lanes order by lane_key`,
  );
  assert.deepEqual(rows, [
    { lane_key: 'a', due: true },
    { lane_key: 'paused', due: false },
  ]);
});
