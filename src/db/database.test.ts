import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { gate, openJobsDatabase, silentLog, sql, until } from '../../test/support/jobs.ts';
import { ApiError } from '../lib/errors/errors.ts';
import { type Database, openDatabase } from './database.ts';
import { statement } from './statement.ts';

let open: Awaited<ReturnType<typeof openJobsDatabase>>;
let db: Database;
before(async () => {
  open = await openJobsDatabase();
  ({ db } = open);
  await sql(db, 'create table slots (id integer primary key, taken integer not null default 0)');
  await sql(db, 'insert into slots select generate_series(1, 9)');
});
after(() => open.close());

const TAKE = statement('slots_take', 'update slots set taken = taken + 1 where id = $1 returning taken');

const seesWaiting = (on: Database, text: string) => async () => {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like $1`;
  return (await sql(on, waiting, [text])).length > 0;
};

test('a process that stops in a transaction blocks others from its rows for ten seconds, not for ever', async () => {
  const stopped = open.openOther();
  const [taken, resumed] = [gate(), gate()];
  const stoppedWork = stopped.transaction(async (tx) => {
    const timeout = 'idle_in_transaction_session_timeout';
    assert.deepEqual(await sql(tx, `show ${timeout}`), [{ [timeout]: '10s' }]);
    // Shortens the limit from ten seconds.
    await sql(tx, `set ${timeout} = 300`);
    await tx.query(TAKE, [1]);
    taken.open();
    await resumed.opened;
    return tx.query(TAKE, [2]);
  });
  stoppedWork.catch(() => undefined);
  await taken.opened;
  const rows = await db.query<{ taken: number }>(TAKE, [1]);
  assert.deepEqual(rows, [{ taken: 1 }], 'the work of the stopped process is rolled back');
  resumed.open();
  await assert.rejects(stoppedWork, (error) => error instanceof ApiError && error.code === 'database_unavailable');
  assert.deepEqual(await stopped.query(TAKE, [2]), [{ taken: 1 }], 'it continues over another connection');
});

test('a statement that PostgreSQL ends to resolve a deadlock is repeated', async () => {
  const both = statement(
    'slots_take_both',
    `with first as materialized (update slots set taken = taken + 1 where id = 3 returning taken),
       second as materialized (select 1 from slots where id = 4 and (select count(*) from first) = 1 for update)
     select count(*)::int as found from second`,
  );
  const other = await db.connect('test');
  /** Returns true if the pool's statement was ended, and the other session's was not. */
  const collide = async () => {
    await other.query('begin');
    await other.query('update slots set taken = 10 where id = 4');
    const taking = db.query<{ found: number }>(both, []);
    await until('the statement waits for the second row', seesWaiting(db, '%for update)%'));
    const isOtherKept = await other.query('update slots set taken = 10 where id = 3').then(
      () => true,
      (error) => (error.code === '40P01' ? false : Promise.reject(error)),
    );
    await other.query(isOtherKept ? 'commit' : 'rollback');
    assert.deepEqual(await taking, [{ found: 1 }]);
    return isOtherKept;
  };
  try {
    // The other session waits longer before it looks for a deadlock. It is ended only if the machine stood still while
    // the first session looked.
    await other.query(`set deadlock_timeout = '4s'`);
    let isEnded = false;
    for (let attempt = 1; attempt <= 5 && !isEnded; attempt++) isEnded = await collide();
    assert.ok(isEnded);
  } finally {
    await other.end();
  }
  assert.deepEqual(await sql(db, 'select taken from slots where id = 3'), [{ taken: 11 }]);
});

test('the reserved connection is available when the pool is exhausted', async () => {
  const [busy, resumed] = [gate(), gate()];
  let held = 0;
  const work = Array.from({ length: 10 }, () =>
    db.transaction(async () => {
      if (++held === 10) busy.open();
      await resumed.opened;
    }),
  );
  await busy.opened;
  let waits = true;
  const inPool = db.query(TAKE, [5]).finally(() => {
    waits = false;
  });
  assert.deepEqual(await db.reserved.query(TAKE, [6]), [{ taken: 1 }]);
  assert.ok(waits, 'the pool is exhausted');
  resumed.open();
  await Promise.all([...work, inPool]);
});

test('a plan made on a nearly empty table does not read the whole table after it has grown', async () => {
  await sql(db, 'create table visits (id integer primary key, note text) with (autovacuum_enabled = off)');
  await sql(db, `insert into visits values (1, 'first')`);
  const note = statement(
    'visits_note',
    'update visits set note = $2 where ctid = any(array(select ctid from visits where id = $1))',
  );
  // From the sixth run on, PostgreSQL reuses the plan of a statement. The transaction keeps all runs on one connection.
  await db.transaction(async (tx) => {
    for (let run = 1; run <= 6; run++) await tx.query(note, [1, `run ${run}`]);
    await tx.query(statement('visits_fill', 'insert into visits select i, null from generate_series(2, 5000) i'), []);
    const rowsRead = statement(
      'visits_rows_read',
      `select pg_stat_get_xact_tuples_returned('visits'::regclass)::int as rows`,
    );
    const [before] = await tx.query<{ rows: number }>(rowsRead, []);
    await tx.query(note, [4_000, 'found']);
    const [after] = await tx.query<{ rows: number }>(rowsRead, []);
    assert.ok(before !== undefined && after !== undefined);
    assert.ok(after.rows - before.rows < 100, `read ${after.rows - before.rows} rows`);
  });
});

test('a server that stops answering is reported as unavailable, and the next statement uses a new connection', async () => {
  const proxy = await startDatabaseProxy(open.url);
  const other = openDatabase({ url: proxy.url, connectionsMax: 2, log: silentLog, statementMs: 2_000 });
  try {
    await other.query(TAKE, [3]);
    proxy.stall();
    const gone = { name: 'ApiError', code: 'database_unavailable' };
    const alone = assert.rejects(other.query(TAKE, [3]), gone);
    const within = assert.rejects(
      other.transaction((tx) => tx.query(TAKE, [4])),
      gone,
    );
    await Promise.all([alone, within]);
    proxy.resume();
    await until('a statement succeeds again', async () => {
      const rows = await other.query(TAKE, [5]).catch(() => []);
      return rows.length === 1;
    });
  } finally {
    await other.close();
    await proxy.cut();
  }
});

test('a statement that fails does not lose its connection', async () => {
  const one = openDatabase({ url: open.url, connectionsMax: 1, log: silentLog });
  const who = statement('slots_who', 'select pg_backend_pid() as pid');
  const double = statement('slots_double', 'insert into slots (id) values (1)');
  try {
    const [before] = await one.query<{ pid: number }>(who, []);
    await assert.rejects(one.query(double, []), { code: '23505' });
    assert.deepEqual(await one.query(who, []), [before]);
  } finally {
    await one.close();
  }
});

test('a transaction with a statement that failed is not committed, also if its work goes on', async () => {
  const takenNow = () => sql(db, 'select taken from slots where id = 5');
  const before = await takenNow();
  const signals: string[] = [];
  db.onSignal(({ topic }) => signals.push(topic));
  const committed = db.transaction(async (tx) => {
    await tx.query(TAKE, [5]);
    tx.signal({ topic: 'taken' });
    await assert.rejects(tx.query({ name: '', text: 'select 1 / 0' }, []));
  });
  await assert.rejects(committed, /rolled back/);
  assert.deepEqual(signals, []);
  assert.deepEqual(await takenNow(), before);
});

test('a listener that throws neither undoes a commit nor drops the signals and work that follow it', async () => {
  const other = open.openOther();
  const done: string[] = [];
  other.onSignal(({ topic }) => {
    if (topic === 'bad') throw new Error('a listener fails');
  });
  other.onSignal(({ topic }) => done.push(topic));
  const rows = await other.transaction(async (tx) => {
    tx.signal({ topic: 'bad' });
    tx.afterCommit(() => {
      throw new Error('work fails');
    });
    tx.signal({ topic: 'good' });
    tx.afterCommit(() => done.push('work'));
    return tx.query(TAKE, [7]);
  });
  assert.deepEqual(rows, [{ taken: 1 }]);
  assert.deepEqual(done, ['bad', 'good', 'work']);
  other.signal({ topic: 'bad' });
  assert.deepEqual(done.slice(3), ['bad']);
});
