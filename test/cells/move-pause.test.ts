/** The data that an account keeps while it moves, and the conditions that keep an account where it is. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { completeJobs } from '../../src/queue/jobs/job-claims.ts';
import { claimLedgerJobs } from '../../src/queue/jobs/worker-claims.ts';
import { moveAccount } from '../../src/server/cells/move/move-account.ts';
import { startCellInstallation } from '../support/cell-installation.ts';
import { sql } from '../support/jobs.ts';
import { prepareMoves } from '../support/moves.ts';

const installation = await startCellInstallation();
await installation.divide();
const { accounts, call, dialplane } = installation;
after(() => installation.close());
const moves = await prepareMoves(installation);
const { key, accountId, number, tenantId, dbOf, placeOf } = moves;
const { ledgersOf, countRows, moveUntil, scheduleText, addContact } = moves;

async function addRouting(name: string): Promise<string> {
  const noAnswer = { type: 'voicemail', greeting_text: 'Please leave a message.' };
  const ring = { type: 'ring', targets: ['application'], strategy: 'simultaneous', no_answer: noAnswer };
  const body = { tenant_id: tenantId, name, open_behavior: ring };
  const reply = await call('POST', '/v1/routing_configs', { key, body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

test('what changes between the first copy and the pause arrives: new rows, changed ones, and deletions', async () => {
  const kept = await addContact('+16025554001');
  const gone = await addContact('+16025554002');
  const [before, after] = [await addRouting('Before'), await addRouting('After')];
  const route = (id: string) =>
    call('PATCH', `/v1/phone_numbers/${number.id}`, { key, body: { routing_config_id: id } });
  assert.equal((await route(before)).status, 200);
  await sql(
    dbOf('first'),
    `insert into users (id, email, role, account_id) values ('usr_1', 'sam@x.com', 'viewer', $1)`,
    [accountId],
  );
  let changing: Promise<void> | undefined;
  const change = async () => {
    assert.equal((await call('PATCH', `/v1/contacts/${kept}`, { key, body: { name: 'Beth' } })).status, 200);
    assert.equal((await call('DELETE', `/v1/contacts/${gone}`, { key })).status, 204);
    const once = { 'idempotency-key': 'once' };
    const added = { tenant_id: tenantId, name: 'Cid', phone_numbers: ['+16025554003'] };
    assert.equal((await call('POST', '/v1/contacts', { key, body: added, headers: once })).status, 201);
    // The user is an operator from now on, so no row of the account has it.
    await sql(dbOf('first'), `update users set role = 'operator', account_id = null where id = 'usr_1'`);
    // The number no longer refers to the deleted config, but its copy still does.
    assert.equal((await route(after)).status, 200);
    assert.equal((await call('DELETE', `/v1/routing_configs/${before}`, { key })).status, 204);
  };
  await moveAccount({
    ...{ accountId, source: placeOf('first'), target: placeOf('west'), waitMs: 5_000 },
    onProgress: (text) => {
      if (/rows of contacts/.test(text)) changing = change();
    },
    onStep: (step) => {
      if (step === 'paused') assert.ok(changing !== undefined);
    },
  });
  await changing;
  assert.equal((await call('GET', `/v1/contacts/${kept}`, { key })).body.name, 'Beth');
  assert.equal((await call('GET', `/v1/contacts/${gone}`, { key })).status, 404);
  assert.equal((await call('GET', '/v1/contacts?limit=10', { key })).body.data.length, 2);
  assert.equal((await call('GET', `/v1/phone_numbers/${number.id}`, { key })).body.routing_config_id, after);
  assert.equal((await call('GET', `/v1/routing_configs/${before}`, { key })).status, 404);
  assert.deepEqual(await sql(dbOf('west'), `select * from users where id = 'usr_1'`), []);
  assert.deepEqual(await sql(dbOf('first'), 'select * from moving_changes'), []);
  assert.deepEqual(await sql(dbOf('first'), `select tgname from pg_trigger where tgname like 'moving%'`), []);
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'first')).code, 0);
});

test('in the pause reads go on and writes are refused, and an aborted move leaves the account as it was', async () => {
  const before = await countRows('first');
  await moveUntil('copied', ['first', 'west']);
  assert.equal((await call('GET', `/v1/tenants/${tenantId}`, { key })).status, 200);
  const refused = await call('PATCH', `/v1/tenants/${tenantId}`, { key, body: { name: 'No' } });
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'database_unavailable']);
  const other = await call('POST', '/v1/tenants', { key: accounts.west.test_key, body: { name: 'Other' } });
  assert.equal(other.status, 201, 'another account of the target is refused');
  const elsewhere = await dialplane('cells', 'move', accountId, '--to', 'east');
  assert.match(elsewhere.err, /A move of the account to cell west was interrupted/);
  const aborted = await dialplane('cells', 'move', accountId, '--to', 'west', '--abort');
  assert.equal(aborted.code, 0, aborted.err);
  assert.deepEqual(await countRows('first'), before);
  assert.deepEqual(
    Object.values(await countRows('west')).reduce((sum, rows) => sum + rows),
    0,
  );
  assert.equal((await call('PATCH', `/v1/tenants/${tenantId}`, { key, body: { name: 'Yes' } })).status, 200);
  await scheduleText(99);
});

test('a worker that slept through a move cannot commit, and a request that slept is refused', async () => {
  const [ledger] = await ledgersOf('first');
  const ledgerId = ledger?.id as number;
  const db = dbOf('first');
  await sql(
    db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at, due_at) values ($1, 'slept', 'default', 'test.slept', 'null', now(), now())`,
    [ledgerId],
  );
  const jobs = await claimLedgerJobs(db, ledgerId, {
    ...{ kinds: ['test.slept'], leaseMs: 1, leaseToken: 'sleeper', jobsMax: 1, dueForMs: 0 },
  });
  assert.equal(jobs.length, 1);
  await moveUntil('fenced', ['first', 'west']);
  // A worker that slept wants to write during the pause, and again after the move.
  const commit = () => db.transaction((tx) => completeJobs(tx, jobs));
  await assert.rejects(commit(), /is lost/);
  const rename = () => sql(db, `update tenants set name = 'Slept' where ledger_id = $1`, [ledgerId]);
  await assert.rejects(rename(), { code: 'database_unavailable' });
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'west')).code, 0);
  await assert.rejects(commit(), /is lost/);
  await rename();
  assert.notEqual((await call('GET', `/v1/tenants/${tenantId}`, { key })).body.name, 'Slept');
  const [waiting] = await sql<{ due: boolean }>(
    dbOf('west'),
    `select due_at <= now() as due from jobs where id = 'slept'`,
  );
  assert.equal(waiting?.due, true, 'the job is due in the new database');
  await sql(dbOf('west'), `delete from jobs where id = 'slept'`);
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'first')).code, 0);
});

test('an account with running calls stays, unless the command waits for their end', async () => {
  const placed = await call('POST', '/v1/calls', {
    key,
    body: { from: number.id, to: '+16025555001', connect_to: '+16025555002' },
  });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const refused = await dialplane('cells', 'move', accountId, '--to', 'west');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /has 1 running calls, and a call cannot move/);
  assert.deepEqual(
    (await ledgersOf('first')).map(({ state }) => state),
    ['active', 'active'],
  );
  const moving = dialplane('cells', 'move', accountId, '--to', 'west', '--wait', '600');
  assert.equal((await call('POST', `/v1/calls/${placed.body.id}/hangup`, { key })).status, 200);
  const moved = await moving;
  assert.equal(moved.code, 0, moved.err);
  assert.notEqual((await call('GET', `/v1/calls/${placed.body.id}`, { key })).body.ended_at, null);
});

test('draining a cell moves every account of it, and names those that stay', async () => {
  const bound = accounts.west.id;
  await sql(
    dbOf('west'),
    `with shared as (
       insert into carrier_connections (id, kind, name, settings, credentials, status)
       values ('con_shared', 'sip', 'shared', '{}', '\\x00', 'disabled') returning id)
     insert into carrier_requests (id, connection_id, ledger_id, operation, ref)
     select 'req_shared', shared.id, l.id, 'send', 'msg_1' from shared, ledgers l where account_id = $1 and mode = 'live'`,
    [bound],
  );
  const drained = await dialplane('cells', 'drain', 'west', '--to', 'east', '--json');
  assert.equal(drained.code, 1, drained.err);
  const { moved, stayed } = JSON.parse(drained.out);
  assert.deepEqual([moved, stayed.map(({ account }: { account: string }) => account)], [1, [bound]]);
  assert.match(stayed[0].reason, /uses SIP engines that others use too.*: shared \(1 requests to a carrier\)/);
  await sql(dbOf('west'), `delete from carrier_requests where id = 'req_shared'`);
  assert.equal((await dialplane('cells', 'drain', 'west', '--to', 'east')).code, 0);
  assert.equal((await call('GET', '/v1/tenants', { key: accounts.west.test_key })).body.data.length > 0, true);
  const list = JSON.parse((await dialplane('accounts', 'list', '--cell', 'west', '--json')).out);
  assert.deepEqual(list, []);
});
