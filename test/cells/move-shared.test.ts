/** Accounts that share a connection to a carrier with others, and move without them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listDefaults } from '../../src/carriers/connections/queries.ts';
import { storeNotices } from '../../src/carriers/inbox/queries.ts';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import type { CreatedAccount } from '../../src/domain/accounts/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { MOVE_STEPS } from '../../src/server/cells/move/move-account.ts';
import { makeLine, type Place, startCellInstallation } from '../support/cell-installation.ts';
import { sql, until } from '../support/jobs.ts';
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
const { accountId, moveUntil } = moves;

const connectionId = newId('carrier_connection');
{
  const { context, connections } = productOf('first');
  const settings = { public_url: installation.process.url, api_url: telnyx.url, business_name: 'Desert Paws Clinic' };
  const credentials = { key: telnyx.apiKey, public_key: telnyx.publicKey };
  const shared = { id: connectionId, kind: 'telnyx', name: 'shared', settings, credentials };
  await addConnection(context, { ...shared, capabilities: CARRIER_CAPABILITIES });
  await connections.refresh();
  await connections.find(connectionId)?.connected.setup();
}

/** The line of an account in the first database: its key and its number. */
async function openLine(account: CreatedAccount) {
  await fund({ context: productOf('first').context, account });
  const { number } = await makeLine(call, account.live_key);
  await clearForTexts(productOf('first'), number.id);
  return { key: account.live_key, id: number.id, to: number.phone_number };
}
type Line = Awaited<ReturnType<typeof openLine>>;

const made = await dialplane('accounts', 'create', 'Stays', '--json');
const moving = await openLine(accounts.first);
const staying = await openLine(JSON.parse(made.out));

const textsOf = async ({ key }: Line, person: string): Promise<string[]> =>
  (await call('GET', `/v1/messages?direction=inbound&from=${encodeURIComponent(person)}`, { key })).body.data.map(
    ({ body }: { body: string }) => body,
  );

/** Texts a person until the account takes the text. Returns its id. */
async function sendText({ key, id: from }: Line, person: string, body: string): Promise<string> {
  let id = '';
  await until('the text is accepted', async () => {
    const headers = { 'idempotency-key': `${person} ${body}` };
    const sent = await call('POST', '/v1/messages', { key, headers, body: { from, to: person, body } });
    if (sent.status === 503) return false;
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    id = sent.body.id;
    return true;
  });
  return id;
}

const isDelivered = async ({ key }: Line, id: string) =>
  (await call('GET', `/v1/messages/${id}`, { key })).body.status === 'delivered';

/** A person texts the number of a line and gets a text from it, each once. */
async function exchange(line: Line, body: string): Promise<void> {
  const person = newPerson();
  await telnyx.control.textIn({ from: person, to: line.to, text: body });
  await until('their text is here', async () => (await textsOf(line, person)).length > 0, 60_000);
  const id = await sendText(line, person, body);
  await until('the text is delivered', () => isDelivered(line, id), 60_000);
  const received = (await telnyx.control.handset({ phoneNumber: person })).map(({ text }) => text);
  assert.deepEqual([await textsOf(line, person), received], [[body], [body]]);
}

/** A person calls the number of a line, and the line calls another person. Each call ends once. */
async function callBothWays({ key, id: from, to }: Line): Promise<void> {
  const caller = newPerson();
  await telnyx.control.callIn({ from: caller, to });
  const list = async () => {
    const calls: { from: string; ended_at: string | null }[] = (
      await call('GET', '/v1/calls?direction=inbound', { key })
    ).body.data;
    return calls.filter((each) => each.from === caller);
  };
  await until('the call is here', async () => (await list()).length > 0, 60_000);
  await until('the call has ended', async () => (await list())[0]?.ended_at !== null, 60_000);
  assert.equal((await list()).length, 1);
  const body = { from, to: newPerson(), connect_to: newPerson() };
  const placed = await call('POST', '/v1/calls', { key, body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await call('POST', `/v1/calls/${placed.body.id}/hangup`, { key });
  const read = async () => (await call('GET', `/v1/calls/${placed.body.id}`, { key })).body;
  await until('it has ended', async () => (await read()).ended_at !== null, 60_000);
}

/** Returns the number that was texted and the state of each text that arrived in a database, without repeats. */
const arrivalsIn = async (place: Place) => {
  const rows = await sql<{ number: string; state: string }>(
    productOf(place).context.db,
    `select distinct body #>> '{payload,to,0,phone_number}' as number, state from carrier_inbox
     where type = 'message.received' order by 1, 2`,
  );
  return rows.map(({ number, state }) => `${number === moving.to ? 'moving' : 'staying'} ${state}`);
};

test('an account leaves a connection of all accounts with its numbers, and no report is lost or acted on twice, wherever the move is interrupted', async () => {
  for (const line of [moving, staying]) await exchange(line, 'Before');
  let home: Place = 'first';
  const waiting: { line: Line; person: string; step: string }[] = [];
  for (const step of MOVE_STEPS) {
    const target: Place = home === 'first' ? 'west' : 'first';
    const queued = await sendText(moving, newPerson(), `Queued ${step}`);
    await moveUntil(step, [home, target]);
    for (const line of [moving, staying]) {
      const person = newPerson();
      waiting.push({ line, person, step });
      await telnyx.control.textIn({ from: person, to: line.to, text: step });
    }
    await exchange(staying, `During ${step}`);
    const again = await dialplane('cells', 'move', accountId, '--to', target);
    assert.equal(again.code, 0, `${step}: ${again.err}`);
    for (const { line, person } of waiting)
      await until('their text is here', async () => (await textsOf(line, person)).length > 0, 60_000);
    await until('the queued text is delivered', () => isDelivered(moving, queued), 60_000);
    for (const line of [moving, staying]) await exchange(line, `After ${step}`);
    home = target;
  }
  for (const { line, person, step } of waiting) assert.deepEqual(await textsOf(line, person), [step]);
  assert.equal(home, 'west');
  const orders = await telnyx.control.requests({ operation: 'POST /number_orders' });
  assert.equal(orders.length, 2, 'each number is ordered once');
  const check = await dialplane('cells', 'check');
  assert.doesNotMatch(check.out, /both have|differs|not finished/);
});

test('calls of both accounts work in their databases, each report arrives in the database of its account alone', async () => {
  for (const place of ['first', 'west'] as const) await sql(productOf(place).context.db, 'delete from carrier_inbox');
  for (const line of [moving, staying]) {
    await exchange(line, 'Alone');
    await callBothWays(line);
  }
  assert.deepEqual([await arrivalsIn('first'), await arrivalsIn('west')], [['staying done'], ['moving done']]);
});

/** A report of a person's text to a number, as Telnyx makes it. */
const reportOf = (person: string, to: string) => ({
  ...{ id: newId('event'), key: person, type: 'message.received' },
  body: { payload: { id: person, from: { phone_number: person }, to: [{ phone_number: to }], text: 'Passed on' } },
});

/** Returns what has become of a report in the first database and in west. */
async function statesOf(reportId: string): Promise<string[]> {
  const states: string[] = [];
  for (const place of ['first', 'west'] as const) {
    const query = 'select state from carrier_inbox where notice_id = $1';
    const [row] = await sql<{ state: string }>(productOf(place).context.db, query, [reportId]);
    states.push(row?.state ?? 'absent');
  }
  return states;
}

test('a report that is in the wrong database is passed on to the right one, and one that no database knows to all', async () => {
  const { db } = productOf('first').context;
  const person = newPerson();
  const report = reportOf(person, moving.to);
  await storeNotices(db, connectionId, [report]);
  await until('it has been passed on', async () => (await textsOf(moving, person)).length > 0, 60_000);
  await until('the first is done with it', async () => (await statesOf(report.id))[0] === 'ignored');
  const unknown = reportOf(newPerson(), '+16025550000');
  await storeNotices(db, connectionId, [unknown]);
  await until('all are done with it', async () => (await statesOf(unknown.id)).every((state) => state === 'ignored'));
  assert.deepEqual(await textsOf(moving, person), ['Passed on']);
});

test('the account goes on to use the connection for what is new, also where others are the default', async () => {
  const { context } = productOf('west');
  const own = (await listDefaults(context.db)).filter(({ account_id }) => account_id === accountId);
  assert.deepEqual(
    own.map(({ capability, connection_id }) => [capability, connection_id]),
    CARRIER_CAPABILITIES.toSorted().map((capability) => [capability, connectionId]),
  );
  const { number } = await makeLine(call, moving.key);
  await clearForTexts(productOf('west'), number.id);
  await exchange({ key: moving.key, id: number.id, to: number.phone_number }, 'New number');
});

test('a report of another connection about the number of an account that shares one is acted on nowhere', async () => {
  const otherId = newId('carrier_connection');
  const places = ['first', 'west'] as const;
  for (const place of places) {
    const { context, connections } = productOf(place);
    const settings = { public_url: installation.process.url, api_url: telnyx.url };
    const credentials = { key: telnyx.apiKey, public_key: telnyx.publicKey };
    await addConnection(context, { id: otherId, kind: 'telnyx', name: 'other', settings, credentials });
    await connections.refresh();
  }
  const report = reportOf(newPerson(), moving.to);
  await storeNotices(productOf('first').context.db, otherId, [report]);
  await until('all are done with it', async () => (await statesOf(report.id)).every((state) => state === 'ignored'));
  assert.deepEqual(await textsOf(moving, report.key), []);
});

test('a sound of a call is read from the database that has it, at the address that all have', async () => {
  const { db } = productOf('west').context;
  await sql(
    db,
    `insert into telnyx_playbacks (connection_id, id, ledger_id, call_ref, leg_ref)
     select $1, 'sound_west', id, 'call', 'leg' from ledgers where account_id = $2 and mode = 'live'`,
    [connectionId, accountId],
  );
  const address = `${installation.process.url}/carrier/telnyx/${connectionId}/sounds`;
  const [known, unknown] = await Promise.all(['sound_west', 'sound_none'].map((id) => fetch(`${address}/${id}.wav`)));
  const heads = [known, unknown].map((reply) => [reply?.status, reply?.headers.get('content-type')?.split(';')[0]]);
  assert.deepEqual(heads, [
    [200, 'audio/wav'],
    [404, 'application/json'],
  ]);
  await Promise.all([known, unknown].map((reply) => reply?.arrayBuffer()));
});

test('a database that is away delays the reports of its account, and none of the others', async () => {
  const [away, near] = [newPerson(), newPerson()];
  await installation.proxy.cut();
  await telnyx.control.textIn({ from: away, to: moving.to, text: 'Are you there?' });
  await telnyx.control.textIn({ from: near, to: staying.to, text: 'Hello' });
  await until('the text of the other is here', async () => (await textsOf(staying, near)).length > 0, 60_000);
  await installation.proxy.reopen();
  await until('it is here', async () => (await textsOf(moving, away)).length > 0, 60_000);
  assert.deepEqual([await textsOf(moving, away), await textsOf(staying, near)], [['Are you there?'], ['Hello']]);
});

test('a connection that was changed in one of its databases alone is named by the check', async () => {
  const text = `update carrier_connections set settings = (settings::jsonb || '{"business_name": "Paws"}')::json where id = $1`;
  await sql(productOf('first').context.db, text, [connectionId]);
  const check = await dialplane('cells', 'check');
  assert.match(check.out, /the connection shared differs in status, settings or credentials/);
  assert.equal((await dialplane('carriers', 'change', 'shared', '--set', 'business_name=Paws')).code, 0);
  assert.doesNotMatch((await dialplane('cells', 'check')).out, /differs/);
});
