/** An installation of three databases: the first, a cell that is a schema of it, and a cell of another database. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { createBus } from '../../src/db/bus.ts';
import { cellContext } from '../../src/db/cells.ts';
import { createSchema } from '../../src/db/schema.ts';
import { statement } from '../../src/db/statement.ts';
import { type CreatedAccount, createAccount } from '../../src/domain/accounts/index.ts';
import { cellNumberOf } from '../../src/lib/cells.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { now, sleep } from '../../src/lib/time/time.ts';
import { createCellSet } from '../../src/server/cells/cell-set.ts';
import type { Product } from '../../src/server/compose.ts';
import { startServer } from '../../src/server/lifecycle/start.ts';
import { readConfig } from '../../src/server/settings/config.ts';
import { type Caller, createCaller } from '../support/caller.ts';
import { type CellProcess, startCellProcess } from '../support/cells.ts';
import { runHere } from '../support/cli-process.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { TEST_METRICS_TOKEN, TEST_SECRET, TEST_SETTINGS } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { freePort } from '../support/ports.ts';
import { REPORTING_KIND, signReport } from '../support/reporting-carrier.ts';
import { countStatements } from '../support/statement-counts.ts';
import { connectWebClient } from '../support/web-clients.ts';

const folder = await mkdtemp(join(tmpdir(), 'dialplane-cells-'));
let database: TestDatabase;
let far: TestDatabase;
let used: TestDatabase | undefined;
let proxy: DatabaseProxy;
let cellProcess: CellProcess;
let call: Caller;

type Place = 'first' | 'east' | 'west';
const PLACES = ['first', 'east', 'west'] as const;
const accounts = {} as Record<Place, CreatedAccount>;

const dialplane = (...words: string[]) => dialplaneWith(TEST_SECRET, ...words);
const dialplaneWith = (secret: string, ...words: string[]) =>
  runHere(words, { DATABASE_URL: database.url, DIALPLANE_SECRET: secret }, [REPORTING_KIND]);

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'address');
  await writeFile(file, text);
  return file;
}

async function startProcess(): Promise<CellProcess> {
  const blobs = { kind: 'folder', folder } as const;
  const parts = { secret: TEST_SECRET, metricsToken: TEST_METRICS_TOKEN, log: silentLog, connectionsMax: 5 };
  return startCellProcess({
    options: { ...parts, blobs, databaseUrl: database.url, adapterKinds: [REPORTING_KIND], settings: TEST_SETTINGS },
    startCell: ({ app, start }, url) => start({ server: app.server, work: true, gateway: { server: app.server, url } }),
  });
}

before(async () => {
  database = await cloneDatabase();
  far = await cloneDatabase();
  proxy = await startDatabaseProxy(far.url);
  cellProcess = await startProcess();
  call = createCaller(cellProcess.url, '');
});

after(async () => {
  await cellProcess.close();
  await proxy.cut();
  await Promise.all([database.drop(), far.drop(), used?.drop(), rm(folder, { recursive: true })]);
});

const productOf = (name: Place): Product => {
  const product =
    name === 'first' ? cellProcess.first : cellProcess.cells.list().find((cell) => cell.name === name)?.product;
  return product ?? assert.fail(`${name} is not open`);
};

const isOpen = (name: string) =>
  cellProcess.cells.list().some((cell) => cell.name === name && cell.product !== undefined);

test('without cells a key costs the one look-up that it cost before', async () => {
  const { db } = cellProcess.first.context;
  const { test_key: key } = await db.transaction((tx) => createAccount(tx, 'Alone'));
  const counts = countStatements(db);
  try {
    for (const path of ['/v1/tenants', '/v1/messages', '/v1/tenants'])
      assert.equal((await call('GET', path, { key })).status, 200);
    assert.equal(counts.take()['api_keys_find_holder'], 1);
  } finally {
    counts.stop();
  }
});

test('a cell that an operator adds is served without a restart, on another database or in a schema of the first', async () => {
  const east = await dialplane('cells', 'add', 'east', '--url-from', await fileOf(database.url), '--schema', 'east');
  assert.equal(east.code, 0, east.err);
  assert.ok(!`${east.out}${east.err}`.includes(database.url));
  const west = await dialplane('cells', 'add', 'west', '--url-from', await fileOf(proxy.url));
  assert.equal(west.code, 0, west.err);
  await until('the cells are open', () => isOpen('east') && isOpen('west'));
  const listed = JSON.parse((await dialplane('cells', 'list', '--json')).out);
  assert.deepEqual(
    listed.map(({ number, name, state }: { number: number; name: string; state: string }) => [number, name, state]),
    [
      [1, 'east', 'open'],
      [2, 'west', 'open'],
    ],
  );
  assert.equal((await dialplane('cells', 'check')).code, 0);
});

test('accounts are made in cells, and no two databases give a ledger the same id', async () => {
  const ids = new Set<number>();
  for (const place of PLACES) {
    const made = await dialplane(
      'accounts',
      'create',
      place,
      ...(place === 'first' ? [] : ['--cell', place]),
      '--json',
    );
    assert.equal(made.code, 0, made.err);
    accounts[place] = JSON.parse(made.out);
    const rows = await sql<{ id: number }>(productOf(place).context.db, 'select id from ledgers');
    for (const { id } of rows) {
      assert.equal(cellNumberOf(id), PLACES.indexOf(place));
      assert.ok(!ids.has(id));
      ids.add(id);
    }
  }
  assert.equal(ids.size, 8);
});

/** Makes a tenant with a number, and returns them. */
async function makeLine(key: string) {
  const tenant = await call('POST', '/v1/tenants', { key, body: { name: 'Tenant' } });
  assert.equal(tenant.status, 201, JSON.stringify(tenant.body));
  const [found] = (await call('GET', '/v1/phone_numbers/available?area_code=602&limit=1', { key })).body.data;
  const body = { tenant_id: tenant.body.id, phone_number: found.phone_number };
  const number = await call('POST', '/v1/phone_numbers', { key, body });
  assert.equal(number.status, 201, JSON.stringify(number.body));
  return { tenantId: tenant.body.id as string, number: number.body as { id: string; phone_number: string } };
}

test('a text of each database is delivered and answered at one address, and no key reads the texts of another', async () => {
  const texts: Record<string, string> = {};
  for (const place of PLACES) {
    const { test_key: key } = accounts[place];
    const { number } = await makeLine(key);
    const sent = await call('POST', '/v1/messages', {
      key,
      body: { from: number.id, to: '+16025550143', body: `From ${place}` },
    });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    texts[place] = sent.body.id;
    await call('POST', '/v1/test/clock', { key, body: { advance_seconds: 5 } });
    assert.equal((await call('GET', `/v1/messages/${sent.body.id}`, { key })).body.status, 'delivered');
    const reply = { from: '+16025550143', to: number.phone_number, body: 'Thanks' };
    assert.equal((await call('POST', '/v1/test/inbound_messages', { key, body: reply })).status, 201);
  }
  for (const place of PLACES) {
    for (const [other, id] of Object.entries(texts)) {
      const { status } = await call('GET', `/v1/messages/${id}`, { key: accounts[place].test_key });
      assert.equal(status, place === other ? 200 : 404, `${place} reads ${other}`);
    }
    const rows = await sql<{ count: number }>(productOf(place).context.db, 'select count(*)::int from messages');
    assert.deepEqual(rows, [{ count: 2 }]);
  }
});

test('a wrong key is refused, and so is a key that has been revoked in its cell', async () => {
  const wrong = `svc_test_${'0'.repeat(32)}`;
  const counts = countStatements(productOf('first').context.db);
  try {
    // Also when its first answer is no longer used.
    for (const waitMs of [3_100, 0]) {
      const refused = await call('GET', '/v1/tenants', { key: wrong });
      assert.deepEqual([refused.status, refused.body.error.code], [401, 'invalid_api_key']);
      // By the front, and by the app that refuses it.
      assert.equal(counts.take()['api_keys_find_holder'], 2);
      await sleep(waitMs);
    }
  } finally {
    counts.stop();
  }
  const { test_key: key } = accounts.west;
  const made = await call('POST', '/v1/api_keys', { key, body: { name: 'Short' } });
  assert.equal(made.status, 201);
  assert.equal((await call('GET', '/v1/tenants', { key: made.body.key })).status, 200);
  assert.equal((await call('DELETE', `/v1/api_keys/${made.body.id}`, { key })).status, 204);
  assert.equal((await call('GET', '/v1/tenants', { key: made.body.key })).status, 401);
});

/** Sends requests at once on one connection. `statuses` returns those of the replies so far. */
function sendAtOnce(requests: readonly (readonly [path: string, key?: string])[]) {
  const socket = connect(Number(new URL(cellProcess.url).port), '127.0.0.1').setEncoding('utf8');
  let text = '';
  let isClosed = false;
  socket.on('data', (more) => {
    text += more;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  const heads = requests.map(
    ([path, key]) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`,
  );
  socket.write(heads.join(''));
  return {
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    isClosed: () => isClosed,
    close: () => socket.destroy(),
  };
}

test('requests that come at once on one connection are answered in their order, whichever database has them', async () => {
  const sent = sendAtOnce([
    ['/v1/tenants', accounts.first.live_key],
    ['/nowhere'],
    ['/v1/tenants', accounts.west.live_key],
    ['/cells/west/nowhere'],
    ['/v1/tenants', `svc_test_${'2'.repeat(32)}`],
    ['/v1/tenants', accounts.east.live_key],
  ]);
  try {
    await until('all are answered', () => sent.statuses().length === 6);
    assert.deepEqual(sent.statuses(), [200, 404, 200, 404, 401, 200]);
  } finally {
    sent.close();
  }
});

test('a connection with too many requests that wait for the look-up of a key is closed, and looks up one at a time', async () => {
  const counts = countStatements(productOf('west').context.db);
  try {
    const sent = sendAtOnce(
      Array.from({ length: 300 }, (_, index) => ['/v1/tenants', `svc_test_${`${index}`.padStart(32, '3')}`] as const),
    );
    await until('the connection is closed', sent.isClosed);
    const { api_keys_find_holder: count = 0 } = counts.take();
    assert.ok(count < 100, `${count}`);
  } finally {
    counts.stop();
  }
});

test('a realtime token opens the socket of its cell, at the address of the cell and at that of the installation', async () => {
  const { test_key: key } = accounts.west;
  const { token, url } = (await call('POST', '/v1/realtime/tokens', { key })).body;
  assert.match(url, /\/cells\/west\/v1\/realtime$/);
  const root = cellProcess.url.replace('http', 'ws');
  const sockets = await Promise.all(
    [`${root}/v1/realtime`, `${root}/cells/west/v1/realtime`].map(async (address) => {
      const socket = new WebSocket(`${address}?token=${token}`);
      const types: string[] = [];
      socket.on('message', (text) => types.push(JSON.parse(String(text)).type));
      await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
      return { socket, types };
    }),
  );
  const { number } = await makeLine(key);
  const text = { from: '+16025550143', to: number.phone_number, body: 'Hello' };
  assert.equal((await call('POST', '/v1/test/inbound_messages', { key, body: text })).status, 201);
  await until('both sockets got the event', () => sockets.every(({ types }) => types.includes('message.received')));
  for (const { socket } of sockets) socket.terminate();
});

test('a web client of a cell logs in at the address of the installation, with its token in the address or in a message', async () => {
  const { test_key: key } = accounts.west;
  const { tenantId } = await makeLine(key);
  const made = await call('POST', '/v1/web_clients', { key, body: { tenant_id: tenantId } });
  assert.equal(made.status, 201);
  for (const isInAddress of [true, false]) {
    const minted = await call('POST', `/v1/web_clients/${made.body.id}/tokens`, { key });
    const { token } = minted.body;
    const client = await connectWebClient(cellProcess, isInAddress ? token : undefined);
    if (!isInAddress) client.send({ type: 'register', token });
    await client.receive('registered');
    await client.close();
  }
});

test('a cell in a schema of another database does not receive the messages of that database', async () => {
  const received: string[] = [];
  for (const place of ['first', 'east'] as const) {
    productOf(place).context.bus.subscribe('probe', (text, remote) => received.push(`${place} ${text} ${remote}`));
  }
  const others = (['first', 'east'] as const).map((place) =>
    createBus(productOf(place).context.db, silentLog, place === 'first' ? undefined : place),
  );
  try {
    for (const [index, bus] of others.entries()) {
      await bus.start();
      bus.publish('probe', `${index}`);
      await until('the message arrives', () => received.length > index);
    }
    assert.deepEqual(received, ['first 0 true', 'east 1 true']);
  } finally {
    await Promise.all(others.map((bus) => bus.close()));
  }
});

test('a link to the console of a cell leads below its path', async () => {
  const { out } = await dialplane('console', '--cell', 'west', '--json');
  assert.match(JSON.parse(out).url, /^http:\/\/localhost:\d+\/cells\/west\/console\/sign-in#/);
  const rows = await sql(productOf('west').context.db, 'select 1 from console_links');
  assert.equal(rows.length, 1);
});

test('an address below the path of a cell needs the key of that cell', async () => {
  const status = async (place: Place) =>
    (await call('GET', '/cells/west/v1/tenants', { key: accounts[place].test_key })).status;
  assert.deepEqual([await status('west'), await status('east'), await status('first')], [200, 401, 401]);
  assert.equal((await call('GET', '/cells/west/docs/errors/not_found', { key: null })).status, 200);
  for (const path of [
    '/cells/north/docs',
    '/cells/west/readyz',
    '/cells/west/%72eadyz',
    '/cells/west/metrics',
    '/cells/WEST/docs',
    '/cells/',
  ]) {
    assert.equal((await call('GET', path, { key: TEST_METRICS_TOKEN })).status, 404, path);
  }
});

test('a carrier reports to the address of a cell, and the text arrives in the cell', async () => {
  const secret = 'of the carrier';
  const { context, connections } = productOf('west');
  const id = await addConnection(context, { kind: 'reporting', credentials: { secret }, capabilities: [] });
  await connections.refresh();
  const report = [{ id: 'notice-1', key: 'k', type: 'text', to: '+16025550100', from: '+16025550143', body: 'Hello' }];
  const body = JSON.stringify(report);
  const post = (path: string) =>
    fetch(`${cellProcess.url}${path}/carrier/reporting/${id}`, {
      method: 'POST',
      body,
      headers: signReport(secret, body, now()),
    });
  assert.equal((await post('/cells/west')).status, 200);
  assert.equal((await post('')).status, 404);
  const rows = await sql(context.db, 'select notice_id from carrier_inbox');
  assert.deepEqual(rows, [{ notice_id: 'notice-1' }]);
});

test('the metrics of a process have those of its cells, with the label cell', async () => {
  const { body } = await call('GET', '/metrics', { key: TEST_METRICS_TOKEN });
  for (const label of ['state="busy"', 'state="busy",cell="east"', 'state="busy",cell="west"']) {
    assert.ok(body.includes(`dialplane_db_pool_connections{${label}} `), label);
  }
  for (const name of ['east', 'west']) assert.ok(body.includes(`dialplane_cell_open{cell="${name}"} 1`), name);
  assert.equal(body.split('# TYPE dialplane_db_pool_connections gauge').length, 2);
});

test('a cell whose database is away costs the others nothing: its own keys and strange keys get 503 meanwhile', async () => {
  await proxy.cut();
  const status = async (key: string) => (await call('GET', '/v1/tenants', { key })).status;
  assert.deepEqual(
    [await status(accounts.first.test_key), await status(accounts.east.test_key), await status(accounts.east.live_key)],
    [200, 200, 200],
  );
  const away = await call('GET', '/v1/tenants', { key: accounts.west.live_key });
  assert.deepEqual([away.status, away.body.error.code], [503, 'database_unavailable']);
  assert.ok(Number(away.headers.get('retry-after')) > 0);
  // Until the answer for the key is no longer used.
  await sleep(3_100);
  const counts = countStatements(productOf('east').context.db);
  assert.equal(await status(accounts.west.test_key), 503);
  assert.equal(counts.take()['api_keys_find_holder'], undefined);
  counts.stop();
  assert.equal(await status(`svc_test_${'1'.repeat(32)}`), 503);
  const measured = await cellProcess.first.context.metrics.registry.getSingleMetricAsString(
    'dialplane_http_request_duration_seconds',
  );
  assert.match(measured, /_count\{method="GET",route="unrouted",status="503"\} [1-9]/);
  const ofPage = { key: `svcbs_test_${'1'.repeat(32)}`, headers: { origin: 'https://app.example' } };
  const unread = await call('GET', '/v1/messages', ofPage);
  assert.deepEqual([unread.status, unread.headers.get('access-control-allow-origin')], [503, 'https://app.example']);
  // A process that starts now serves the others too, and the cell once its database is back.
  const second = await startProcess();
  try {
    const other = createCaller(second.url, accounts.east.test_key);
    assert.equal((await other('GET', '/v1/tenants')).status, 200);
    assert.equal((await other('GET', '/v1/tenants', { key: accounts.west.test_key })).status, 503);
    assert.equal((await other('GET', '/cells/west/docs', { key: null })).status, 503);
    await proxy.reopen();
    await until(
      'the cell is served',
      async () => (await other('GET', '/v1/tenants', { key: accounts.west.test_key })).status === 200,
    );
  } finally {
    await second.close();
  }
  await until('the first process serves it again', async () => (await status(accounts.west.live_key)) === 200);
});

test('a started program serves the cells, migrates them, and ends with them', async () => {
  await sql(productOf('west').context.db, 'delete from schema_migrations where number = 115');
  await sql(productOf('west').context.db, 'alter table installation drop column cell_number, drop column cell_name');
  await sql(productOf('west').context.db, 'drop table cells');
  const migrated = await dialplane('migrate', '--json');
  assert.deepEqual(JSON.parse(migrated.out).cells, [{ cell: 'west', applied: ['0115_cells'] }]);
  await sql(productOf('west').context.db, `update installation set cell_number = 2, cell_name = 'west'`);
  const port = await freePort();
  const env = { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET, PORT: `${port}`, DIALPLANE_DATA: folder };
  const config = readConfig({ ...env, HOST: 'localhost', DIALPLANE_CONSOLE: 'off', DIALPLANE_METRICS_PORT: 'off' });
  const running = await startServer({ config, log: silentLog, onProgress: () => undefined });
  const ask = createCaller(`http://127.0.0.1:${port}`, accounts.west.test_key);
  try {
    assert.equal((await ask('GET', '/v1/tenants')).status, 200);
    assert.equal((await ask('GET', '/v1/tenants', { key: accounts.first.test_key })).status, 200);
    // One listener: a second one would pass the front by.
    await assert.rejects(createCaller(`http://[::1]:${port}`, accounts.west.test_key)('GET', '/v1/tenants'));
    const { body } = await ask('POST', '/v1/realtime/tokens');
    assert.equal(body.url, `ws://localhost:${port}/cells/west/v1/realtime`);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?token=${body.token}`);
    const closed = once(socket, 'close');
    await once(socket, 'open');
    await running.drain({ lameDuck: false });
    assert.equal((await closed)[0], 1012);
  } finally {
    await running.stop();
  }
});

test('a process that stops answers the requests of its cells that are under way', async () => {
  const { context } = productOf('west');
  const { test_key: key } = accounts.west;
  const { tenantId } = await makeLine(key);
  const second = await startProcess();
  const ask = createCaller(second.url, key);
  const [found] = (await ask('GET', '/v1/phone_numbers/available?area_code=602&limit=1')).body.data;
  const isLocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const locking = context.db.transaction(async (tx) => {
    await tx.query(statement('test_lock_tenants', 'lock table tenants in access exclusive mode'), []);
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  const order = ask('POST', '/v1/phone_numbers', { body: { tenant_id: tenantId, phone_number: found.phone_number } });
  const waits = `select 1 from pg_locks where relation = 'tenants'::regclass and not granted`;
  await until('the order waits', async () => (await sql(context.db, waits)).length > 0);
  const closing = second.close();
  await sleep(500);
  release.resolve();
  await locking;
  const { status, body } = await order;
  assert.equal(status, 201, JSON.stringify(body));
  await closing;
});

test('a cell whose address leads to another database is found, and not served', async () => {
  const { db, cipher } = cellProcess.first.context;
  const write = (number: number, url: string) =>
    sql(db, 'update cells set url = $2 where number = $1', [number, cipher.encrypt(url, cellContext(number))]);
  await write(2, database.url);
  const second = await startProcess();
  try {
    const check = await dialplane('cells', 'check');
    assert.equal(check.code, 1);
    assert.match(check.out, /cell west +its address leads to a database that is no cell/);
    const list = await dialplane('accounts', 'list', '--cell', 'west');
    assert.deepEqual([list.code, /not the cell's/.test(list.err)], [1, true]);
    const { status } = await createCaller(second.url, accounts.west.test_key)('GET', '/v1/tenants');
    assert.equal(status, 503);
  } finally {
    await second.close();
    await write(2, proxy.url);
  }
});

test('an address that leads to a database that is not the cell is not migrated', async () => {
  const { db, cipher } = cellProcess.first.context;
  const write = (url: string) =>
    sql(db, 'update cells set url = $1 where number = 2', [cipher.encrypt(url, cellContext(2))]);
  await createSchema(database.url, 'stray');
  const setting = encodeURIComponent('-c search_path=stray');
  await write(`${database.url}${database.url.includes('?') ? '&' : '?'}options=${setting}`);
  const second = await startProcess();
  try {
    const { status } = await createCaller(second.url, accounts.west.test_key)('GET', '/v1/tenants');
    assert.equal(status, 503);
    assert.deepEqual(await sql(db, `select tablename from pg_tables where schemaname = 'stray'`), []);
  } finally {
    await second.close();
    await write(proxy.url);
  }
});

test('a cell that cannot end in order keeps no other from its end', async () => {
  const { db, cipher } = cellProcess.first.context;
  const ended: string[] = [];
  const open = async ({ name }: { name: string }): Promise<Product> => {
    const end = async () => {
      if (name === 'west') throw new Error('its database is away');
      ended.push(name);
    };
    return { ...productOf('east'), leave: end, drain: end, close: end };
  };
  const cells = createCellSet({ db, cipher, log: silentLog, metrics: createMetrics(), open });
  await cells.read();
  await cells.start();
  await cells.leave(0);
  await cells.drain(0);
  await cells.close();
  assert.deepEqual(ended, ['east', 'east', 'east']);
});

test('a live number that two databases have is found', async () => {
  for (const place of ['east', 'west'] as const) {
    const { context } = productOf(place);
    const [ledger] = await sql<{ id: number }>(context.db, `select id from ledgers where mode = 'live'`);
    await sql(context.db, 'insert into live_numbers (phone_number, ledger_id, number_id) values ($1, $2, $3)', [
      '+16025550199',
      ledger?.id,
      'pn_1',
    ]);
  }
  const check = await dialplane('cells', 'check');
  assert.equal(check.code, 1);
  assert.match(check.out, /cell east and cell west +both have \+16025550199/);
  await sql(productOf('west').context.db, 'delete from live_numbers');
});

test('a database with accounts, a database of another cell and a name that is taken are refused', async () => {
  const add = async (name: string, url: string) => dialplane('cells', 'add', name, '--url-from', await fileOf(url));
  assert.match((await add('west', far.url)).err, /There is a cell west already/);
  assert.match((await add('north', far.url)).err, /it is cell west/);
  assert.match((await add('north', database.url)).err, /it has cells of its own/);
  assert.match((await add('north', 'mysql://somewhere')).err, /begins with postgres/);
  used = await cloneDatabase();
  const cutOff = await startDatabaseProxy(used.url);
  await cutOff.cut();
  assert.equal((await add('north', cutOff.url)).code, 1);
  assert.match((await dialplane('accounts', 'list', '--cell', 'north')).err, /no open cell north/);
  assert.equal((await add('north', used.url)).code, 0);
  assert.deepEqual(
    JSON.parse((await dialplane('cells', 'list', '--json')).out).map(({ number }: { number: number }) => number),
    [1, 2, 3],
  );
  await until('the third cell is open', () => isOpen('north'));
});

test('what a cell still needs of an older secret is told before that secret is dropped', async () => {
  const secrets = `a newer secret that is only good for tests,${TEST_SECRET}`;
  const atFirst = await dialplaneWith(secrets, 'cells', 'check');
  assert.match(atFirst.out, /cell west +open; older secrets are needed for .*1 text that checks the secret/);
  const first = await dialplaneWith(secrets, 'reencrypt');
  assert.match(first.out, /Drop the older ones .* after ".* reencrypt --cell NAME" for east, west, north/);
  assert.equal((await dialplaneWith(secrets, 'reencrypt', '--cell', 'west')).code, 0);
  const atLast = await dialplaneWith(secrets, 'cells', 'check');
  assert.match(atLast.out, /cell east +open; older secrets are needed/);
  assert.match(atLast.out, /cell west +open\n/);
});
