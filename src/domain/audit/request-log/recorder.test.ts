import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { startHarness, useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { skip } from '../../../../test/support/stepping-time.ts';
import type { RequestRecord } from '../../../http/edge/record-requests.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { createMetrics } from '../../../lib/metrics.ts';
import { now } from '../../../lib/time/time.ts';
import { insertRequests } from './queries.ts';
import { createRequestRecorder, HELD_MAX } from './recorder.ts';

const harness = await useHarness({ startWorkers: false });
const { context } = harness;
const ledgerId = await testLedger(harness);

function makeRecord(): RequestRecord {
  return {
    ...{ ledgerId, id: newId('request'), createdMs: now(), method: 'GET', path: '/v1/tenants' },
    ...{ route: '/v1/tenants', status: 200, errorCode: null, durationMs: 1.5, keyId: 'key_x', tenantId: null },
    ...{ resourceId: null, idempotencyKey: null, isReplay: false },
  };
}

/** Opens a recorder whose statements are counted. They fail while an error is set. */
function openRecorder(settings = context.settings) {
  const metrics = createMetrics();
  const seen = { statements: 0, error: undefined as Error | undefined };
  const db: typeof context.db = {
    ...context.db,
    query: (statement, values) => {
      seen.statements++;
      return seen.error === undefined ? context.db.query(statement, values) : Promise.reject(seen.error);
    },
  };
  const dropped = async (reason: string) =>
    (await metrics.requestLogDropped.get()).values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
  return { seen, dropped, ...createRequestRecorder({ db, log: context.log, metrics, settings }) };
}

const stored = async (ids: readonly string[]): Promise<string[]> =>
  (
    await sql<{ id: string }>(
      context.db,
      'select id from request_log where ledger_id = $1 and id = any($2) order by logged_at',
      [ledgerId, ids],
    )
  ).map(({ id }) => id);

test('requests that come together are written together, by themselves and in their order', async () => {
  const { add, seen } = openRecorder();
  const records = Array.from({ length: 250 }, makeRecord);
  for (const record of records) add(record);
  assert.equal(seen.statements, 0);
  const ids = records.map(({ id }) => id);
  await until('they are written', async () => (await stored(ids)).length === 250);
  assert.ok(seen.statements <= 5, `${seen.statements} statements for 250 requests`);
  assert.deepEqual(await stored(ids), ids);
});

test('beyond the bound the oldest requests are dropped and counted', async () => {
  const { add, flush, dropped } = openRecorder();
  const records = Array.from({ length: HELD_MAX + 3 }, makeRecord);
  for (const record of records) add(record);
  assert.equal(await dropped('full'), 3);
  await flush();
  const ids = records.map(({ id }) => id);
  assert.deepEqual(await stored(ids), ids.slice(3));
});

test('requests wait while the database is unavailable, and are written once', async () => {
  const { add, flush, seen, dropped } = openRecorder();
  const [first, second] = [makeRecord(), makeRecord()];
  seen.error = new ApiError('database_unavailable');
  add(first);
  await flush();
  add(second);
  await flush();
  seen.error = undefined;
  await flush();
  assert.deepEqual(await stored([first.id, second.id]), [first.id, second.id]);
  assert.equal(await dropped('failed'), 0);
});

test('requests that the database refuses are counted, and later ones are written', async () => {
  const { add, flush, dropped } = openRecorder();
  const [wrong, right] = [{ ...makeRecord(), path: 'a\0b' }, makeRecord()];
  add(wrong);
  await flush();
  add(right);
  await flush();
  assert.equal(await dropped('failed'), 1);
  assert.deepEqual(await stored([wrong.id, right.id]), [right.id]);
});

test('a stop writes what is held', async () => {
  const { add, close } = openRecorder();
  const record = makeRecord();
  add(record);
  await close();
  assert.deepEqual(await stored([record.id]), [record.id]);
});

test('a recorder that was closed while the database was away tries no more', async () => {
  const { add, close, flush, seen } = openRecorder();
  seen.error = new ApiError('database_unavailable');
  add(makeRecord());
  await close();
  await flush();
  const { statements } = seen;
  await skip(60_000);
  assert.equal(seen.statements, statements);
});

test('of refusals by the rate limit one a second of each key is kept, and the others are counted', async () => {
  const { add, flush, dropped } = openRecorder();
  const createdMs = now();
  const refuse = (keyId: string, afterMs: number): string => {
    const record = { ...makeRecord(), errorCode: 'rate_limited', keyId, createdMs: createdMs + afterMs };
    add(record);
    return record.id;
  };
  const ids = [
    refuse('key_a', 0),
    refuse('key_a', 10),
    refuse('key_b', 20),
    refuse('key_a', 999),
    refuse('key_a', 1_000),
  ];
  const other = { ...makeRecord(), errorCode: 'not_found', keyId: 'key_a' };
  add(other);
  await flush();
  assert.deepEqual(await stored([...ids, other.id]), [ids[0], ids[2], ids[4], other.id]);
  assert.equal(await dropped('flood'), 2);
});

test('a process writes after one that has begun to write, so that a reader that goes forward misses nothing', async () => {
  const route = '/v1/turns';
  const [early, late] = [
    { ...makeRecord(), route },
    { ...makeRecord(), route },
  ];
  const forward = async () => {
    const page = await harness.call('GET', `/v1/request_log?order=asc&route=${route}`);
    return page.body.data.map(({ id }: Json) => id);
  };
  let isWritten = false;
  const { writing } = await context.db.transaction(async (tx) => {
    await insertRequests(tx, [early]);
    const writing = insertRequests(context.db, [late]).then(() => {
      isWritten = true;
    });
    await until('the other writer waits', async () => {
      const waiting = await sql(context.db, `select 1 from pg_locks where locktype = 'advisory' and not granted`);
      return isWritten || waiting.length > 0;
    });
    assert.deepEqual(await forward(), []);
    return { writing };
  });
  await writing;
  assert.deepEqual(await forward(), [early.id, late.id]);
});

test('a process that stops writes what it holds', async () => {
  const other = await startHarness({ databaseUrl: harness.databaseUrl, startWorkers: false, serveMedia: false });
  const { headers } = await other.call('GET', '/v1/balance');
  await other.close();
  const id = headers.get('request-id');
  assert.equal((await sql(context.db, 'select 1 from request_log where id = $1', [id])).length, 1);
});

test('with a retention of 0 days nothing is kept', async () => {
  const { add, flush, seen } = openRecorder({ ...context.settings, requestLogDays: 0 });
  add(makeRecord());
  await flush();
  assert.equal(seen.statements, 0);
});
