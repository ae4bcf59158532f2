/** Accounts with their own connections to carriers, which move with them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { insertConnection } from '../../src/carriers/connections/queries.ts';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { newId } from '../../src/lib/ids.ts';
import type { MoveStep } from '../../src/server/cells/move/move-account.ts';
import { makeLine, type Place, startCellInstallation } from '../support/cell-installation.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { clearForTexts, fund } from '../support/money.ts';
import { prepareMoves } from '../support/moves.ts';
import { QUICK, startTelnyx } from '../telnyx/start-telnyx.ts';

/** More attempts than Telnyx makes: on a busy machine a pause may outlast three. */
const telnyx = await startTelnyx({ ...QUICK, attemptsMax: 14 });
const installation = await startCellInstallation([TELNYX_KIND]);
await installation.divide();
const { accounts, call, dialplane, productOf } = installation;
after(async () => {
  await installation.close();
  await telnyx.close();
});
const moves = await prepareMoves(installation);
const { accountId, countRows, moveUntil } = moves;
const key = accounts.first.live_key;

/** Makes a connection to Telnyx that is the account's own. Telnyx reports to the address of the first database. */
async function connectTelnyx(): Promise<string> {
  const { context, connections } = productOf('first');
  const settings = { public_url: installation.process.url, api_url: telnyx.url, business_name: 'Desert Paws Clinic' };
  const credentials = { key: telnyx.apiKey, public_key: telnyx.publicKey };
  const own = { accountId, kind: 'telnyx', name: 'own', settings, credentials };
  const id = await addConnection(context, { ...own, capabilities: CARRIER_CAPABILITIES });
  await connections.refresh();
  await connections.find(id)?.connected.setup();
  return id;
}

const connectionId = await connectTelnyx();
await fund({ context: productOf('first').context, account: accounts.first });
const { number } = await makeLine(call, key);
await clearForTexts(productOf('first'), number.id);
const to = number.phone_number;

/** The steps that change the connection. test/cells/move-steps.test.ts has the other steps. */
const STEPS: readonly MoveStep[] = ['copied ahead', 'quiet', 'fenced', 'switched', 'opened'];

const textsOf = async (person: string): Promise<string[]> =>
  (await call('GET', `/v1/messages?direction=inbound&from=${encodeURIComponent(person)}`, { key })).body.data.map(
    ({ body }: { body: string }) => body,
  );

/** Texts a person until the account takes the text. Returns its id. */
async function sendText(person: string, body: string): Promise<string> {
  let id = '';
  await until('the text is accepted', async () => {
    const sent = await call('POST', '/v1/messages', {
      ...{ key, headers: { 'idempotency-key': `${person} ${body}` } },
      body: { from: number.id, to: person, body },
    });
    if (sent.status === 503) return false;
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    id = sent.body.id;
    return true;
  });
  return id;
}

/** A person texts the number and gets a text from it, each once. */
async function exchange(body: string): Promise<void> {
  const person = newPerson();
  await telnyx.control.textIn({ from: person, to, text: body });
  await until('their text is here', async () => (await textsOf(person)).length > 0, 30_000);
  const id = await sendText(person, body);
  const has = async () => (await telnyx.control.handset({ phoneNumber: person })).map(({ text }) => text);
  await until(
    'the text is delivered',
    async () => {
      return (await call('GET', `/v1/messages/${id}`, { key })).body.status === 'delivered';
    },
    30_000,
  );
  assert.deepEqual([await textsOf(person), await has()], [[body], [body]]);
}

const statusesIn = async (place: Place) =>
  (
    await sql<{ status: string }>(productOf(place).context.db, 'select status from carrier_connections where id = $1', [
      connectionId,
    ])
  ).map(({ status }) => status);

test('an account moves with its numbers and its connection, and no report of the carrier is lost or acted on twice, wherever the move is interrupted', async () => {
  await exchange('Before');
  let home: Place = 'first';
  const people = new Map<string, string>();
  for (const step of STEPS) {
    const target: Place = home === 'first' ? 'west' : 'first';
    const before = await countRows(home);
    const waiting = newPerson();
    const queued = await sendText(newPerson(), `Queued ${step}`);
    await moveUntil(step, [home, target]);
    people.set(waiting, step);
    await telnyx.control.textIn({ from: waiting, to, text: step });
    const check = await dialplane('cells', 'check');
    assert.doesNotMatch(check.out, /both have/, step);
    const again = await dialplane('cells', 'move', accountId, '--to', target);
    assert.equal(again.code, 0, `${step}: ${again.err}`);
    assert.equal((await countRows(target))['phone_numbers'], before['phone_numbers']);
    assert.deepEqual([await statusesIn(home), await statusesIn(target)], [[], ['active']], step);
    await until(`the text of the step ${step} is here`, async () => (await textsOf(waiting)).length > 0, 60_000);
    await until(
      'the queued text is delivered',
      async () => {
        return (await call('GET', `/v1/messages/${queued}`, { key })).body.status === 'delivered';
      },
      60_000,
    );
    await exchange(`After ${step}`);
    home = target;
  }
  for (const [person, step] of people) assert.deepEqual(await textsOf(person), [step]);
  assert.doesNotMatch((await dialplane('cells', 'check')).out, /both have|not finished/);
  const orders = await telnyx.control.requests({ operation: 'POST /number_orders' });
  assert.equal(orders.length, 1, 'the number is ordered once');
});

test('a name of a connection or a number that the other database has keeps the account where it is, and is named', async () => {
  const { db } = productOf('east').context;
  const ofOthers = { settings: {}, credentials: Buffer.alloc(1), account_id: null };
  const otherId = newId('carrier_connection');
  await db.transaction((tx) => insertConnection(tx, { id: otherId, kind: 'reporting', name: 'own', ...ofOthers }));
  const move = () => dialplane('cells', 'move', accountId, '--to', 'east');
  const byName = await move();
  assert.deepEqual([byName.code, /has a connection own already/.test(byName.err)], [1, true], byName.err);
  await sql(db, 'delete from carrier_connections where id = $1', [otherId]);
  // The new database gets more numbers than one comparison covers. The last one is also a number of the account.
  const west = productOf('west').context.db;
  await sql(
    west,
    `insert into live_numbers (phone_number, ledger_id, number_id)
     select '+1999' || (1000000 + n), (select ledger_id from live_numbers limit 1), 'pn_' || n from generate_series(0, 2500) n`,
  );
  await sql(
    db,
    `insert into live_numbers (phone_number, ledger_id, number_id)
     select '+19991002500', id, 'pn_taken' from ledgers where mode = 'live'`,
  );
  const byNumber = await move();
  assert.deepEqual([byNumber.code, /has the number \+19991002500 already/.test(byNumber.err)], [1, true], byNumber.err);
  for (const each of [db, west]) await sql(each, `delete from live_numbers where phone_number like '+1999%'`);
  assert.deepEqual([await statusesIn('west'), await statusesIn('east')], [['active'], []]);
});

test('an aborted move gives the account its connection back, and leaves nothing of it in the other database', async () => {
  await moveUntil('copied', ['west', 'first']);
  assert.deepEqual([await statusesIn('west'), await statusesIn('first')], [['disabled'], ['disabled']]);
  const aborted = await dialplane('cells', 'move', accountId, '--to', 'first', '--abort');
  assert.equal(aborted.code, 0, aborted.err);
  assert.deepEqual([await statusesIn('west'), await statusesIn('first')], [['active'], []]);
  for (const table of ['live_numbers', 'carrier_inbox', 'telnyx_profiles'])
    assert.deepEqual(await sql(productOf('first').context.db, `select 1 from ${table}`), [], table);
  await exchange('After the abort');
});

test('texts whose reports the carrier gave up in the pause are fetched in the new cell, each once', async () => {
  // The clocks of the new database and of the carrier follow the time of the test.
  const positionIn = (place: Place) =>
    sql(
      productOf(place).context.db,
      'select connection_id, asked_until, list_until, next_page from telnyx_missed_reports',
    );
  const sweep = async (place: Place) => {
    const { db } = productOf(place).context;
    await sql(db, `update telnyx_missed_reports set rests_until = clock_timestamp() - interval '1 s'`);
    await runNow(db, 'sweep.telnyx_missed_reports');
  };
  await sweep('west');
  await moveUntil('fenced', ['west', 'first']);
  const position = await positionIn('west');
  assert.equal(position.length, 1);
  const person = newPerson();
  for (const text of ['Hello', 'Are you there?']) await telnyx.control.textIn({ from: person, to, text });
  await telnyx.control.settled({});
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'first')).code, 0);
  assert.deepEqual([await textsOf(person), await positionIn('first')], [[], position]);
  for (let round = 0; round < 2; round++) {
    await sweep('first');
    await until('both texts are here', async () => (await textsOf(person)).length >= 2);
  }
  assert.deepEqual((await textsOf(person)).sort(), ['Are you there?', 'Hello']);
});

test('calls come in and go out in the new cell, and the number is released there', async () => {
  const place: Place = 'first';
  assert.deepEqual(await statusesIn(place), ['active']);
  const caller = newPerson();
  await telnyx.control.callIn({ from: caller, to });
  const find = async () => (await call('GET', `/v1/calls?direction=inbound`, { key })).body.data;
  await until('the call is here', async () => (await find()).some(({ from }: { from: string }) => from === caller));
  await until('the call has ended', async () => (await find())[0].ended_at !== null, 60_000);
  const placed = await call('POST', '/v1/calls', {
    key,
    body: { from: number.id, to: newPerson(), connect_to: newPerson() },
  });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await call('POST', `/v1/calls/${placed.body.id}/hangup`, { key });
  await until('it has ended', async () => (await call('GET', `/v1/calls/${placed.body.id}`, { key })).body.ended_at);
  assert.equal((await call('DELETE', `/v1/phone_numbers/${number.id}`, { key })).status, 200);
});
