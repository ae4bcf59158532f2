/** The commands of a connection that several databases have, because accounts in each use it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findConnection } from '../../src/carriers/connections/queries.ts';
import { type Place, startCellInstallation } from '../support/cell-installation.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { PAPER_KEY, PAPER_KIND } from '../support/paper-carrier.ts';

const PROGRAM = fileURLToPath(new URL('../support/cli-program.ts', import.meta.url));

const installation = await startCellInstallation([PAPER_KIND]);
await installation.divide();
const { accounts, dialplane, productOf, proxy } = installation;
after(() => installation.close());

const secrets = join(installation.folder, 'secrets');
const add = async (name: string, ...more: string[]) => {
  await writeFile(secrets, `api_key=${PAPER_KEY}\n`);
  const words = ['carriers', 'add', 'paper', name, '--set', 'region=us', '--secrets-from', secrets, ...more];
  const added = await dialplane(...words);
  assert.equal(added.code, 0, added.err);
};

// Two accounts are in the first database. One moves to west, with its choice of the connection.
const staying = await dialplane('accounts', 'create', 'Stays', '--json');
await add('shared');
await dialplane('carriers', 'use', 'voice', 'shared', '--account', accounts.first.id);
const moved = await dialplane('cells', 'move', accounts.first.id, '--to', 'west');
assert.equal(moved.code, 0, moved.err);

const read = async (place: Place, name = 'shared') => {
  const row = await findConnection(productOf(place).context.db, name);
  return row && [row.status, row.settings];
};
const inBoth = async () => [await read('first'), await read('west')];

/** Returns how many changes of connections the log of a database's accounts has. */
const countRecords = async (place: Place): Promise<number> => {
  const query = `select count(*)::int as count from audit_log where action like 'carrier_connection.%'`;
  const [row] = await sql<{ count: number }>(productOf(place).context.db, query);
  return row?.count ?? 0;
};

const UNTOUCHED = ['active', { region: 'us' }];

test('each command changes the connection in every database that has it, and prints the outcome of each', async () => {
  for (const [verb, status] of [
    ['drain', 'draining'],
    ['disable', 'disabled'],
    ['enable', 'active'],
  ] as const) {
    const done = await dialplane('carriers', verb, 'shared');
    assert.deepEqual([done.code, done.err], [0, ''], verb);
    assert.equal(
      done.out,
      `The connection shared is ${status}; nodes notice within 5 seconds.\n  the first database: changed\n  cell west: changed\n`,
    );
    assert.deepEqual(await inBoth(), [
      [status, { region: 'us' }],
      [status, { region: 'us' }],
    ]);
  }
  const before = [await countRecords('first'), await countRecords('west')];
  await writeFile(secrets, 'api_key=another\n');
  const changed = await dialplane(
    ...['carriers', 'change', 'shared', '--set', 'profile=p1', '--secrets-from', secrets, '--cell', 'west', '--json'],
  );
  assert.deepEqual(JSON.parse(changed.out), {
    ...{ name: 'shared', changed: ['profile', 'api_key'] },
    databases: [
      { cell: 'west', outcome: 'changed' },
      { cell: null, outcome: 'changed' },
    ],
  });
  assert.deepEqual((await inBoth())[0], ['active', { region: 'us', profile: 'p1' }]);
  assert.match(
    (await dialplane('carriers', 'check', 'shared')).out,
    /In the first database:\n.* {2}key: refused[\s\S]*In cell west:\n.* {2}key: refused/,
  );
  const logged = [await countRecords('first'), await countRecords('west')];
  for (const [index, count] of before.entries())
    assert.ok((logged[index] ?? 0) > count, 'each database has it in its log');
  const again = await dialplane('carriers', 'change', 'shared', '--set', 'profile=p1', '--secrets-from', secrets);
  assert.match(again.out, /first database: had the change already\n {2}cell west: had the change already/);
  assert.deepEqual([await countRecords('first'), await countRecords('west')], logged, 'nothing is recorded');
  assert.match((await dialplane('carriers', 'setup', 'shared')).out, /first database: Made .*\n {2}cell west: Made/);
  await writeFile(secrets, `api_key=${PAPER_KEY}\n`);
  await dialplane('carriers', 'change', 'shared', '--set', 'profile=', '--secrets-from', secrets);
  assert.deepEqual(await inBoth(), [UNTOUCHED, UNTOUCHED]);
  assert.doesNotMatch((await dialplane('cells', 'check')).out, /differs/);
});

test('a database that is away stops no other; the command names it, fails, and completes the change when run again', async () => {
  await proxy.cut();
  const cut = await dialplane('carriers', 'disable', 'shared', '--json');
  const halfChecked = await dialplane('carriers', 'check', 'shared', '--json');
  await proxy.reopen();
  assert.equal(halfChecked.code, 1);
  assert.match(halfChecked.err, /^Not checked in cell west: /);
  assert.deepEqual(
    new Set(JSON.parse(halfChecked.out).map(({ cell }: { cell: string | null }) => cell)),
    new Set([null]),
  );
  assert.equal(cut.code, 1);
  assert.match(cut.err, /^Cell west: not done: .+\nIf shared is in such a database.*Run the command again when/m);
  const { databases } = JSON.parse(cut.out);
  assert.deepEqual(databases[0], { cell: null, outcome: 'changed' });
  assert.deepEqual([databases.length, databases[1].cell, databases[1].outcome], [2, 'west', 'failed']);
  assert.deepEqual(await inBoth(), [['disabled', { region: 'us' }], UNTOUCHED]);
  for (const check of [['cells', 'check'], ['doctor']])
    assert.match((await dialplane(...check)).out, /the connection shared differs/);
  const again = await dialplane('carriers', 'disable', 'shared');
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /first database: had the change already\n {2}cell west: changed/);
  assert.doesNotMatch((await dialplane('cells', 'check')).out, /differs/);
  await dialplane('carriers', 'enable', 'shared');
});

test('a command that is killed between two databases leaves one as it was, and completes the change when run again', async () => {
  const { db } = productOf('west').context;
  const isChanged = async () => (await read('first'))?.[0] === 'draining';
  await db.transaction(async (tx) => {
    // A busy machine may take longer to start the command.
    await sql(tx, 'set local idle_in_transaction_session_timeout = 0');
    await sql(tx, `select 1 from carrier_connections where name = 'shared' for update`);
    const child = spawn(process.execPath, [PROGRAM, 'carriers', 'drain', 'shared'], {
      env: { DATABASE_URL: installation.database.url, DIALPLANE_SECRET: TEST_SECRET },
    });
    await until('the first database has the change', isChanged, 60_000);
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  assert.deepEqual(await inBoth(), [['draining', { region: 'us' }], UNTOUCHED]);
  assert.equal((await dialplane('carriers', 'drain', 'shared')).code, 0);
  assert.deepEqual((await inBoth())[1], ['draining', { region: 'us' }]);
  await dialplane('carriers', 'enable', 'shared');
});

test('a value that the carrier does not take changes no database, and a database that refuses alone is named', async () => {
  const refused = await dialplane('carriers', 'change', 'shared', '--set', 'region=mars');
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.deepEqual(await inBoth(), [UNTOUCHED, UNTOUCHED]);
  const { db } = productOf('west').context;
  await sql(db, `update carrier_connections set settings = '{"region": "us", "colour": "red"}' where name = 'shared'`);
  const half = await dialplane('carriers', 'change', 'shared', '--set', 'profile=p1');
  assert.equal(half.code, 1);
  assert.match(half.out, /^Changed profile of shared.*\n.*\n {2}the first database: changed\n$/);
  assert.match(half.err, /^Cell west: not done: .*there is no "colour"/);
});

test('connections of one name that are not the same are changed one at a time, and one in cells alone is found', async () => {
  await add('twin');
  await add('twin', '--cell', 'east');
  assert.match((await dialplane('carriers', 'drain', 'twin')).out, /^The connection twin is draining.*\n$/);
  assert.deepEqual(
    [await read('first', 'twin'), await read('east', 'twin')],
    [['draining', { region: 'us' }], UNTOUCHED],
  );
  await add('far', '--cell', 'east');
  assert.match((await dialplane('carriers', 'check', 'far')).out, /^In cell east:\n.*far {2}key: /);
  assert.equal((await dialplane('carriers', 'drain', 'far')).code, 0);
  assert.deepEqual(await read('east', 'far'), ['draining', { region: 'us' }]);
  await add('far', '--cell', 'west');
  assert.match(
    (await dialplane('carriers', 'drain', 'far')).err,
    /Several cells have a connection far: east, west\. Add/,
  );
  assert.equal((await dialplane('carriers', 'drain', 'far', '--cell', 'west')).code, 0);
  assert.match(
    (await dialplane('carriers', 'drain', 'shared', '--cell', 'east')).err,
    /no connection shared in cell east/,
  );
  assert.match((await dialplane('carriers', 'drain', 'none')).err, /no connection none; .*carriers list --all-cells/);
});

/** Returns the connections that the database uses for new calls, with their accounts. */
const choicesOf = async (place: Place): Promise<string[]> => {
  const rows = await sql<{ account_id: string | null; name: string }>(
    productOf(place).context.db,
    `select d.account_id, c.name from carrier_defaults d join carrier_connections c on c.id = d.connection_id
     where d.capability = 'voice' order by d.account_id nulls first`,
  );
  return rows.map(({ account_id, name }) => `${name} for ${account_id ?? 'all'}`);
};

test('a connection is chosen for all accounts in every database that has it, and for one account in its database', async () => {
  const { id } = accounts.first;
  const chosen = await dialplane('carriers', 'use', 'voice', 'shared');
  assert.deepEqual([chosen.code, chosen.err], [0, '']);
  assert.match(
    chosen.out,
    /^shared is used for new voice of all .*\n {2}the first database: chosen\n {2}cell west: chosen\n$/,
  );
  assert.ok((await choicesOf('first')).includes('shared for all'));
  assert.ok((await choicesOf('west')).includes('shared for all'));
  for (const place of ['first', 'west'] as const)
    await sql(productOf(place).context.db, 'delete from carrier_defaults where account_id = $1', [id]);
  const own = await dialplane('carriers', 'use', 'voice', 'shared', '--account', id);
  assert.equal(own.code, 0, own.err);
  assert.match(own.out, /\n {2}the first database: does not have the account\n {2}cell west: chosen\n$/);
  assert.deepEqual(await choicesOf('west'), ['shared for all', `shared for ${id}`]);
  assert.deepEqual(await choicesOf('first'), ['shared for all'], 'the account has left');
  const nobody = await dialplane('carriers', 'use', 'voice', 'shared', '--account', 'acc_nobody');
  assert.deepEqual([nobody.code, nobody.out], [1, '']);
  assert.match(nobody.err, /acc_nobody/);
});

test('notices and requests without an answer are listed from every database', async () => {
  for (const place of ['first', 'west'] as const) {
    const { db } = productOf(place).context;
    const [row] = await sql<{ id: string }>(db, `select id from carrier_connections where name = 'shared'`);
    await sql(
      db,
      `insert into carrier_inbox (connection_id, notice_id, lane_key, type, body, state)
       values ($1, $2, 'call', 'paper', '{}', 'done')`,
      [row?.id, `notice-${place}`],
    );
    await sql(
      db,
      `insert into carrier_requests (id, connection_id, ledger_id, operation, ref, sent_at)
       select $2, $1, id, 'order', 'ref', clock_timestamp() - interval '1 day' from ledgers limit 1`,
      [row?.id, `crq_${place}`],
    );
  }
  const listed = await dialplane('carriers', 'notices', 'shared');
  assert.equal(listed.code, 0, listed.err);
  assert.match(listed.out, /west .*notice-west[\s\S]*notice-first/);
  await proxy.cut();
  const half = await dialplane('carriers', 'notices', 'shared', '--json');
  await proxy.reopen();
  assert.equal(half.code, 1);
  assert.match(half.err, /^The notices of cell west are missing: /);
  assert.deepEqual(
    JSON.parse(half.out).map(({ cell, id }: { cell: null; id: string }) => [cell, id]),
    [[null, 'notice-first']],
  );
  const open = await dialplane('carriers', 'reconcile', '--all-cells', '--json');
  assert.deepEqual(
    JSON.parse(open.out).map(({ cell, id }: { cell: null; id: string }) => [cell, id]),
    [
      [null, 'crq_first'],
      ['west', 'crq_west'],
    ],
  );
});

test('a connection of one account is changed although another database is away', async () => {
  await add('alone', '--account', JSON.parse(staying.out).id);
  await proxy.cut();
  const done = await dialplane('carriers', 'drain', 'alone');
  await proxy.reopen();
  assert.deepEqual([done.code, done.err], [0, '']);
});
