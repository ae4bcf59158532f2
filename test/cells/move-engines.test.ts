/** Accounts with their own SIP engine, which moves with them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setDefault } from '../../src/carriers/connections/queries.ts';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { importNumbers } from '../../src/domain/numbers/phone-numbers/import-numbers.ts';
import { newId } from '../../src/lib/ids.ts';
import { today } from '../../src/lib/time/time.ts';
import { createLedgerPlaces } from '../../src/server/cells/ledger-places.ts';
import { readMoved } from '../../src/server/cells/move/account-queries.ts';
import { findHolds } from '../../src/server/cells/move/hold-queries.ts';
import { MOVE_STEPS } from '../../src/server/cells/move/move-account.ts';
import { type Place, startCellInstallation } from '../support/cell-installation.ts';
import { startFakeEngine } from '../support/fake-engine.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { prepareMoves } from '../support/moves.ts';

const engine = await startFakeEngine();
const installation = await startCellInstallation([SIP_KIND]);
await installation.divide();
const { accounts, call, dialplane, process, productOf } = installation;
after(async () => {
  await installation.close();
  engine.close();
});
const { accountId, moveUntil } = await prepareMoves(installation);
const key = accounts.first.live_key;
const to = '+16025550199';
const PATIENCE_MS = 60_000;

/** Makes a connection to the engine, of the account or of all. */
async function connectEngine(account: string | null, name: string): Promise<string> {
  const { context, connections } = productOf('first');
  const phones = [{ name: 'front', tenant: tenantId, number: to }];
  const settings = {
    ...{ engines: `a=${engine.url}`, dialplane_url: process.url, phones: JSON.stringify(phones) },
    trunks: '[{"name":"main","host":"203.0.113.9"}]',
  };
  const credentials = { ari_password: 'a-long-password', passwords: '{"front":"secret"}' };
  const id = await addConnection(context, { accountId: account, kind: 'sip', name, settings, credentials });
  await connections.refresh();
  return id;
}

const ledger = await fund({ context: productOf('first').context, account: accounts.first });
const tenant = await call('POST', '/v1/tenants', { key, body: { name: 'Desert Paws Clinic' } });
const tenantId: string = tenant.body.id;
engine.endpoints = [{ resource: 'phone-front', state: 'online' }];
const connectionId = await connectEngine(accountId, 'desk');
await productOf('first').context.db.transaction((tx) =>
  importNumbers(tx, ledger, { tenantId, phoneNumbers: [to], connectionId, capabilities: ['voice'] }),
);

type Held = { readonly ready: boolean; readonly seen_at: Date };
const listHolds = (place: Place) =>
  sql<Held>(
    productOf(place).context.db,
    'select owner is not null and ready_at is not null as ready, seen_at from sip_engines where connection_id = $1',
    [connectionId],
  );
const isReady = async (place: Place) => (await listHolds(place)).some(({ ready }) => ready);

/** Knows which cell the audio of a ledger belongs to. In this process only messages about moves make it read that. */
const { context, keys } = productOf('first');
const cells = () => process.cells.list();
const places = createLedgerPlaces({ db: context.db, keys, log: silentLog, cells });
const numberOf = (place: Place) => cells().find(({ name }) => name === place)?.number ?? 0;

/** The caller whose channel waits in the application of the engine. */
function ring() {
  const from = newPerson();
  const dialplan = { context: 'from-outside', exten: to, app_name: 'Stasis', app_data: '' };
  const channel = { id: newId('call'), name: 'PJSIP/trunk-main-1', state: 'Ring', caller: { number: from }, dialplan };
  const args = ['arrival', to, '', ''];
  dialplan.app_data = ['dialplane', ...args].join();
  engine.channels = [channel];
  return {
    channel,
    from,
    enter: () => engine.send({ type: 'StasisStart', timestamp: today(), args, channel }),
    leave: () => {
      engine.channels = [];
      engine.send({ type: 'ChannelDestroyed', timestamp: today(), cause: 16, channel });
    },
  };
}

const callsFrom = async (person: string) => {
  const { status, body } = await call('GET', '/v1/calls?direction=inbound&limit=100', { key });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.filter(({ from }: { from: string }) => from === person);
};

/** A caller rings, is in one call of the account, and hangs up. */
async function answerCaller(enters: boolean, caller = ring()): Promise<void> {
  if (enters) caller.enter();
  await until('the call is here', async () => (await callsFrom(caller.from)).length > 0, PATIENCE_MS);
  assert.ok(!engine.requests.includes(`DELETE channels/${caller.channel.id}`), 'the caller is not hung up');
  caller.leave();
  await until('the call has ended', async () => (await callsFrom(caller.from))[0].ended_at !== null, PATIENCE_MS);
  assert.equal((await callsFrom(caller.from)).length, 1);
}

const registrations = async () =>
  (await call('GET', '/v1/sip_phones', { key })).body.data.map(
    ({ registration, registered_since }: Record<string, string>) => [registration, registered_since],
  );

test('an account moves with its SIP engine, wherever the move is interrupted: one database holds it, and no caller is hung up', async () => {
  await until('the engine is held', () => isReady('first'), PATIENCE_MS);
  await until('the telephone is registered', async () => (await registrations())[0]?.[0] === 'registered');
  const registered = await registrations();
  await answerCaller(true);
  let home: Place = 'first';
  for (const step of MOVE_STEPS) {
    const target: Place = home === 'first' ? 'west' : 'first';
    await moveUntil(step, [home, target]);
    if (['fenced', 'copied', 'switched'].includes(step))
      await until(`${step}: the engine is free`, () => engine.open() === 0, PATIENCE_MS);
    // A move that starts again before the switch first frees the engine for the old database. A call there would keep
    // the account.
    const waiting = step === 'switched' ? ring() : undefined;
    const again = await dialplane('cells', 'move', accountId, '--to', target);
    assert.equal(again.code, 0, `${step}: ${again.err}`);
    await until(`${step}: the engine is held`, () => isReady(target), PATIENCE_MS);
    assert.deepEqual([await listHolds(home), engine.open()], [[], 1], step);
    await until(`${step}: its place is known`, () => places.numberOf(ledger.ledgerId) === numberOf(target));
    await answerCaller(waiting === undefined, waiting);
    await until(`${step}: telephones`, async () => (await registrations())[0]?.[0] === 'registered', PATIENCE_MS);
    assert.deepEqual(await registrations(), registered, step);
    home = target;
  }
});

test('an aborted move gives the database the engine back, and leaves nothing of it in the other', async () => {
  const home: Place = 'west';
  const target: Place = 'first';
  await moveUntil('copied', [home, target]);
  assert.deepEqual(
    (await listHolds(target)).map(({ ready }) => ready),
    [false],
  );
  const aborted = await dialplane('cells', 'move', accountId, '--to', target, '--abort');
  assert.equal(aborted.code, 0, aborted.err);
  await until('the engine is held', () => isReady(home), PATIENCE_MS);
  assert.deepEqual([await listHolds(target), engine.open()], [[], 1]);
  await answerCaller(true);
});

test('a process that goes on to hold the engine keeps no move from the fence, and loses its hold behind it', async () => {
  const { db } = productOf('west').context;
  await until('the engine is held', () => isReady('west'), PATIENCE_MS);
  await sql(db, `update sip_engines set owner = 'stalled', owned_until = clock_timestamp() + interval '12 s'`);
  await moveUntil('fenced', ['west', 'first']);
  const held = await sql(db, `select from sip_engines where owned_until > clock_timestamp() - interval '2 s'`);
  assert.deepEqual(held, []);
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'first')).code, 0);
  await until('the engine is held', () => isReady('first'), PATIENCE_MS);
  await answerCaller(true);
});

test('an engine that others use too keeps the account, also if the account has only chosen it', async () => {
  const id = await connectEngine(null, 'shared');
  const { db } = productOf('first').context;
  const chosen = { capability: 'voice', account_id: accountId, connection_id: id } as const;
  await db.transaction((tx) => setDefault(tx, chosen));
  const refused = await dialplane('cells', 'move', accountId, '--to', 'west');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /uses SIP engines that others use too.*: shared \(the default for its calls\)/);
});

test('what keeps an account is looked for with each statement once', async () => {
  const [source, target] = [
    await productOf('first').context.db.connect('move'),
    await productOf('west').context.db.connect('move'),
  ];
  const asked: string[] = [];
  const query = source.query.bind(source);
  source.query = ((text: string, values: unknown[]) => {
    asked.push(`${text} ${JSON.stringify(values)}`);
    return query(text, values);
  }) as typeof source.query;
  try {
    const moved = await readMoved(source, accountId);
    await sql(productOf('first').context.db, 'delete from carrier_defaults where account_id = $1', [accountId]);
    assert.equal(await findHolds(source, target, moved), undefined);
    assert.deepEqual(asked, [...new Set(asked)]);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
});
