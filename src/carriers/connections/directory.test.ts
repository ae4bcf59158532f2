import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { silentLog, sql, until } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { freePort } from '../../../test/support/ports.ts';
import { connectWire } from '../../../test/wire/adapter.ts';
import { startWire } from '../../../test/wire/start-wire.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { now } from '../../lib/time/time.ts';
import type { Adapter } from '../adapter.ts';
import { sealCredentials } from './credentials.ts';
import { createConnectionDirectory } from './directory.ts';
import { type ConnectionStatus, changeConnection, moveConnection } from './queries.ts';

const [key, secret] = ['key of the wire', 'secret of the wire'];
const harness = await useHarness({ startWorkers: false, serveMedia: false });
const { db, cipher } = harness.context;

/**
 * Opens a directory with one connection to the wire carrier. That carrier may not run yet. The directory's clock does
 * not move.
 */
async function openDirectory(name: string) {
  const clock = { ms: now() };
  const attempts = { starts: 0, ends: 0, endFails: false };
  // A connection that is to receive reports sends the carrier its address.
  const wireKind: Adapter = {
    connect: (connection) => {
      const wire = connectWire(connection);
      const start = async () => {
        attempts.starts++;
        await wire.setup();
      };
      const close = async () => {
        attempts.ends++;
        if (attempts.endFails) throw new Error('the socket does not close');
      };
      return { ...wire, start, close };
    },
  };
  const port = await freePort();
  const settings = { url: `http://127.0.0.1:${port}`, public_url: harness.url };
  const credentials = { key, secret };
  const id = await addConnection(harness.context, {
    kind: name,
    name,
    settings,
    credentials,
    capabilities: ['messaging'],
  });
  const directory = createConnectionDirectory({
    db,
    cipher,
    log: silentLog,
    clock: { now: () => clock.ms },
    adapters: new Map([[name, wireKind]]),
    wrap: (carrier) => carrier,
  });
  closeAfterTests(async () => {
    attempts.endFails = false;
    await directory.close();
  });
  const move = async (status: ConnectionStatus) => {
    await db.transaction((tx) => moveConnection(tx, name, status));
    await directory.refresh();
  };
  const startCarrier = async () => {
    const wire = await startWire({ port, key, secret });
    closeAfterTests(() => wire.close());
  };
  const change = async (more: Readonly<Record<string, string>>) => {
    const sealed = sealCredentials(cipher, id, credentials);
    const changed = { id, settings: { ...settings, ...more }, credentials: sealed };
    await db.transaction((tx) => changeConnection(tx, changed));
    await directory.refresh();
  };
  return { directory, clock, attempts, move, change, startCarrier, statusOf: () => directory.find(id)?.status };
}

test('a connection that does not start is tried again after a minute, and then used', async () => {
  const { directory, clock, attempts, startCarrier, statusOf } = await openDirectory('late');
  await directory.start({ listen: true });
  const ledger = { ledgerId: 1, accountId: harness.account.id, mode: 'live' } as const;
  const choose = () => directory.choose('messaging', ledger).name;
  assert.throws(choose, (error) => error instanceof ApiError && error.code === 'carrier_unavailable');
  await startCarrier();
  clock.ms += 59_000;
  await directory.refresh();
  assert.deepEqual([statusOf(), attempts.starts], [undefined, 1]);
  assert.equal(attempts.ends, 1, 'what the attempt has opened is closed');
  clock.ms += 1_000;
  await directory.refresh();
  assert.equal(choose(), 'late');
  await directory.refresh();
  assert.equal(attempts.starts, 2);
});

test('a connection that does not end is disabled all the same, and is ended again after a minute', async () => {
  const { directory, clock, attempts, move, startCarrier, statusOf } = await openDirectory('stuck');
  await startCarrier();
  await directory.start({ listen: true });
  attempts.endFails = true;
  await move('disabled');
  await directory.refresh();
  assert.deepEqual([statusOf(), attempts.ends], ['disabled', 1]);
  attempts.endFails = false;
  clock.ms += 60_000;
  await directory.refresh();
  await directory.refresh();
  assert.deepEqual([statusOf(), attempts.ends], ['disabled', 2]);
});

test('a connection that does not start again stays known, and starts at once when the operator asks again', async () => {
  const { directory, attempts, move, startCarrier, statusOf } = await openDirectory('again');
  await move('disabled');
  await directory.start({ listen: true });
  await move('active');
  assert.deepEqual([statusOf(), attempts.starts], ['disabled', 1]);
  await startCarrier();
  await move('disabled');
  await move('active');
  assert.deepEqual([statusOf(), attempts.starts], ['active', 2]);
});

test('a refresh shows what was stored before it, also while an earlier one is reading', async () => {
  const { directory, startCarrier, statusOf } = await openDirectory('read late');
  await startCarrier();
  await directory.start({ listen: true });
  const waits = "select 1 from pg_locks where relation = 'carrier_defaults'::regclass and not granted";
  let refreshed: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await sql(tx, 'lock table carrier_defaults');
    // This refresh has read the connections and is waiting for the defaults.
    const early = directory.refresh();
    await until('the earlier one waits', async () => (await sql(db, waits)).length > 0);
    await db.transaction((other) => moveConnection(other, 'read late', 'disabled'));
    refreshed = Promise.all([early, directory.refresh()]);
  });
  await refreshed;
  assert.equal(statusOf(), 'disabled');
});

test('a connection whose settings have changed is closed, and opened with the new ones', async () => {
  const { directory, attempts, change, startCarrier, statusOf } = await openDirectory('changed');
  await startCarrier();
  await directory.start({ listen: true });
  await change({ note: 'new' });
  assert.deepEqual([statusOf(), attempts.starts, attempts.ends], ['active', 2, 1]);
  await directory.refresh();
  assert.equal(attempts.starts, 2);
});

test('a connection that was disabled is opened again with a new one', async () => {
  const { directory, attempts, move, startCarrier } = await openDirectory('back');
  await startCarrier();
  await directory.start({ listen: true });
  const [before] = directory.list();
  await move('disabled');
  await move('active');
  const [after] = directory.list();
  assert.deepEqual([attempts.starts, attempts.ends], [2, 1]);
  assert.notEqual(after?.connected, before?.connected);
});

test('a connection whose row is gone, because it has moved to another database, is closed once', async () => {
  const { directory, attempts, startCarrier, statusOf } = await openDirectory('moved');
  await startCarrier();
  await directory.start({ listen: true });
  assert.equal(statusOf(), 'active');
  await sql(
    db,
    `delete from carrier_defaults where connection_id in (select id from carrier_connections where name = 'moved')`,
  );
  await sql(db, `delete from carrier_connections where name = 'moved'`);
  await directory.refresh();
  await directory.refresh();
  assert.deepEqual([statusOf(), attempts.ends], [undefined, 1]);
});
