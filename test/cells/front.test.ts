/** Requests to an installation with cells reach the database that has their account. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { now } from '../../src/lib/time/time.ts';
import { keyedRoutes } from '../contract/document.ts';
import { assertAll, assertRefused, pathOf } from '../contract/requests.ts';
import { createInjector, type Reply } from '../support/caller.ts';
import { makeLine, PLACES, type Place, startCellInstallation } from '../support/cell-installation.ts';
import { TEST_METRICS_TOKEN } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { signReport } from '../support/reporting-carrier.ts';
import { countStatements } from '../support/statement-counts.ts';
import { sleep } from '../support/stepping-time.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, productOf } = installation;
after(() => installation.close());

test('a text of each database is delivered and answered at one address, and no key reads the texts of another', async () => {
  const texts: Record<string, string> = {};
  for (const place of PLACES) {
    const { test_key: key } = accounts[place];
    const { number } = await makeLine(call, key);
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
    // The second refusal comes after the first answer has expired in the cache.
    for (const waitMs of [3_100, 0]) {
      const refused = await call('GET', '/v1/tenants', { key: wrong });
      assert.deepEqual([refused.status, refused.body.error.code], [401, 'invalid_api_key']);
      // One query by the front, and one by the app that refuses the key.
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

/** Sends requests together on one connection. `statuses` returns the statuses of the replies received until now. */
function sendAtOnce(requests: readonly (readonly [path: string, key?: string])[]) {
  const socket = connect(Number(new URL(installation.process.url).port), '127.0.0.1').setEncoding('utf8');
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

test('a request whose address has the scheme and the host reaches the cell of its key', async () => {
  const sent = sendAtOnce([
    ['http://localhost/v1/tenants', accounts.west.test_key],
    ['HTTP://localhost/v1/tenants?limit=1', accounts.first.test_key],
    ['http://localhost/cells/west/v1/tenants', accounts.west.test_key],
    ['http://localhost'],
  ]);
  try {
    await until('all are answered', () => sent.statuses().length === 4);
    assert.deepEqual(sent.statuses(), [200, 200, 200, 308]);
  } finally {
    sent.close();
  }
});

test('a carrier reports to the address of a cell, and the text arrives in the cell', async () => {
  const secret = 'of the carrier';
  const { context, connections } = productOf('west');
  const id = await addConnection(context, { kind: 'reporting', credentials: { secret }, capabilities: [] });
  await connections.refresh();
  const report = [{ id: 'notice-1', key: 'k', type: 'text', to: '+16025550100', from: '+16025550143', body: 'Hello' }];
  const body = JSON.stringify(report);
  const post = (path: string, connection = id) =>
    fetch(`${installation.process.url}${path}/carrier/reporting/${connection}`, {
      method: 'POST',
      body,
      headers: signReport(secret, body, now()),
    });
  assert.equal((await post('/cells/west')).status, 200);
  // The address may name an earlier cell of the connection's account.
  for (const path of ['', '/cells/east']) assert.equal((await post(path)).status, 200);
  assert.equal((await post('/cells/west', 'ccn_none')).status, 404);
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

test('every operation is answered in the cell of its key as by the cell itself, and refused without a key', async () => {
  const { test_key: key } = accounts.west;
  const inside = createInjector(productOf('west').app, key);
  const refusals = [
    [null, 'missing_api_key'],
    [`svc_test_${'0'.repeat(32)}`, 'invalid_api_key'],
  ] as const;
  const outcome = ({ status, body }: Reply) => [status, body?.error?.code];
  await assertAll(
    keyedRoutes.map((route) => ({
      what: route.name,
      run: async () => {
        const path = pathOf(route, {});
        for (const [wrong, code] of refusals) {
          assertRefused(await call(route.method, path, { key: wrong }), 401, code);
        }
        assert.deepEqual(outcome(await call(route.method, path, { key })), outcome(await inside(route.method, path)));
      },
    })),
  );
});
