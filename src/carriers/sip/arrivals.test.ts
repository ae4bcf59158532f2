/** Calls that arrive at an engine while its process dies, or while two processes receive them. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addConnectionNumber } from '../../../test/support/connection-numbers.ts';
import { startFakeEngine } from '../../../test/support/fake-engine.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { gate, silentLog, sql, until } from '../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../test/support/live-line.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { applyVoiceEvents } from '../../domain/voice/index.ts';
import { newId } from '../../lib/ids.ts';
import { today } from '../../lib/time/time.ts';
import type { TakeEvents } from '../ports/carrier.ts';
import { createEngineClient } from './ari-client.ts';
import { carryOutEvents } from './engine-events.ts';
import { SIP_KIND } from './index.ts';
import { reconcile } from './reconcile.ts';
import type { SipLine } from './sip-line.ts';

const harness = await useHarness({ adapterKinds: [SIP_KIND], startWorkers: false });
const { db, carriers, metrics } = harness.context;
const { ledgerId } = await openLiveLine(harness);
const to = LIVE_NUMBER.phone_number;
await sql(db, 'insert into live_numbers (phone_number, ledger_id, number_id) values ($1, $2, $3)', [
  ...[to, ledgerId, LIVE_NUMBER.id],
]);
const connectionId = await addConnection(harness.context, {
  kind: 'sip',
  settings: {
    engines: 'a=http://127.0.0.1:9',
    dialplane_url: 'http://127.0.0.1:3000',
    trunks: '[{"name":"main","host":"203.0.113.9"}]',
  },
  credentials: { ari_password: 'a-long-password' },
  capabilities: [],
});
await sql(db, 'update phone_numbers set voice_connection_id = $1', [connectionId]);
await until('the connection is known', () => {
  try {
    return carriers.voice({ ledgerId, accountId: harness.account.id, mode: 'live' }, connectionId) !== undefined;
  } catch {
    return false;
  }
});
const apply = applyVoiceEvents(harness.context);

/** A caller at a separate engine. The trunk is registered, so the extension is the name of the account. */
async function callIn(t: TestContext) {
  const engine = await startFakeEngine();
  t.after(engine.close);
  const client = createEngineClient({
    ...{ name: newId('call'), url: engine.url, password: 'p', connection: connectionId, log: silentLog },
  });
  t.after(client.close);
  const from = newPerson();
  const dialplan = { context: 'from-outside', exten: 'account', app_name: 'Stasis', app_data: '' };
  const channel = { id: newId('call'), name: 'PJSIP/trunk-main-1', state: 'Ring', caller: { number: from }, dialplan };
  const args = ['arrival', to, 'signed%2C%20twice', ''];
  dialplan.app_data = ['dialplane', ...args].join();
  engine.channels = [channel];
  /** Returns the adapter of a process. `take` receives its reports. */
  const processWith = (take: TakeEvents = apply) => {
    const parts = { db, log: silentLog, metrics, connectionId, settings: { trunks: [], phones: [] }, takeEvents: take };
    const sink: SipLine['sink'] = (ledger, events) => db.transaction((tx) => take(tx, ledger, events));
    const of = { line: { ...parts, sink } as unknown as SipLine, engine: client };
    return {
      hear: (event: object) => carryOutEvents(of, [{ type: 'StasisStart', args, channel, ...event }]),
      compare: () => reconcile(of.line, client, { seenAt: today(), isWaiting: () => false, isWanted: () => true }),
    };
  };
  return {
    ...{ engine, channel, processWith },
    listCalls: () =>
      sql<{ status: string; legs: number; begun: number; identity: string | null }>(
        db,
        `select status, (select detail ->> 'identity' from call_events where call_id = c.id and type = 'initiated') as identity,
           (select count(*)::int from sip_legs where call_ref = c.id) as legs,
           (select count(*)::int from events where resource_id = c.id and type = 'call.started') as begun
         from calls c where "from" = $1`,
        [from],
      ),
    attestationOf: () => sql(db, 'select attestation from calls where "from" = $1', [from]),
    nameOf: () => sql<{ caller_name: string | null }>(db, 'select caller_name from calls where "from" = $1', [from]),
    listLegs: () => sql(db, 'select 1 from sip_legs where channel_id = $1', [channel.id]),
    ring: `POST channels/${channel.id}/ring`,
  };
}

const RINGING = { status: 'ringing', identity: 'signed, twice', legs: 1, begun: 1 };

const dying: TakeEvents = async (...report) => {
  await apply(...report);
  throw new Error('the process dies');
};

test('a call whose process died while it received the call arrives by the next comparison, and once', async (t) => {
  const { engine, processWith, listCalls, listLegs, ring } = await callIn(t);
  await assert.rejects(processWith(dying).hear({}), /the process dies/);
  assert.deepEqual([await listCalls(), await listLegs(), engine.requests], [[], [], []]);
  for (let times = 0; times < 3; times++) await processWith().compare();
  assert.deepEqual([await listCalls(), engine.requests], [[RINGING], [ring]]);
});

for (const dies of [false, true])
  test(`a call that a process is receiving ${dies ? 'as it dies ' : ''}is received once`, async (t) => {
    const { engine, processWith, listCalls, ring } = await callIn(t);
    const { opened, open } = gate();
    t.after(open);
    let isReceiving = false;
    const first = processWith(async (...report) => {
      await apply(...report);
      isReceiving = true;
      await opened;
      if (dies) throw new Error('the process dies');
    }).hear({});
    const heard = dies ? assert.rejects(first, /the process dies/) : first;
    await until('it receives the call', () => isReceiving);
    const others = [processWith().compare(), processWith().hear({})];
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until('the others wait for it', async () => (await sql(db, waits)).length === others.length);
    open();
    await Promise.all([heard, ...others]);
    assert.deepEqual([await listCalls(), engine.requests], [[RINGING], [ring]]);
  });

test('the arrival of a call that is answered, or has ended, changes nothing', async (t) => {
  const { engine, channel, processWith, listCalls, ring } = await callIn(t);
  const { hear, compare } = processWith();
  await hear({});
  await hear({ type: 'ChannelStateChange', channel: { ...channel, state: 'Up' } });
  // The engine has listed its channels before the call was answered.
  await compare();
  await hear({});
  assert.deepEqual([await listCalls(), engine.requests], [[{ ...RINGING, status: 'in_progress' }], [ring]]);
  await hear({ type: 'StasisEnd' });
  await hear({});
  assert.deepEqual([await listCalls(), engine.requests], [[{ ...RINGING, status: 'completed' }], [ring]]);
});

/** The dial plan's arguments about presentation: CALLERID(pres), Privacy, Remote-Party-ID. */
const WITHHELD = [
  ['prohib_passed_screen', '', ''],
  ['allowed', 'id', ''],
  ['allowed', '', '"Dana" <sip:+13035550111@trunk.example>;party=calling;screen=yes;privacy=full'],
];

for (const given of WITHHELD)
  test(`a caller whose number is withheld is anonymous (${given.filter(Boolean).join(' ')})`, async (t) => {
    const { channel, processWith, listCalls } = await callIn(t);
    const args = ['arrival', to, 'signed', encodeURIComponent(`<sip:${channel.caller.number}@trunk.example>`)];
    await processWith().hear({ args: [...args, ...given.map(encodeURIComponent)] });
    assert.deepEqual(await listCalls(), [], 'no call has the number');
    const [leg] = await sql<{ call_ref: string }>(db, 'select call_ref from sip_legs where channel_id = $1', [
      channel.id,
    ]);
    const [call] = await sql(
      db,
      `select "from", conversation_id, (select detail from call_events where call_id = c.id and type = 'initiated') as detail
       from calls c where id = $1`,
      [leg?.call_ref],
    );
    assert.deepEqual(call, { from: 'anonymous', conversation_id: null, detail: { from: 'anonymous', to } });
  });

test('a caller who asks for no privacy is shown', async (t) => {
  const { processWith, listCalls } = await callIn(t);
  await processWith().hear({ args: ['arrival', to, '', '', 'allowed_not_screened', 'none', ''] });
  assert.deepEqual((await listCalls()).length, 1);
});

/** The sources of a caller's name: the header P-Asserted-Identity, From, the channel, and the name of the call. */
const NAMED = [
  ['"Dana \\"Dee\\" 田中" <sip:+13035550111@trunk.example>', '"Lee" <sip:a@b>', 'trunk-main', 'Dana "Dee" 田中'],
  ['<sip:+13035550111@trunk.example>', '"Lee\u0007" <sip:a@b>;tag=1', 'trunk-main', 'Lee'],
  ['', '"Anonymous" <sip:anonymous@anonymous.invalid>', 'trunk-main', null],
  ['', '<sip:a@b>', 'trunk-main', null],
  // A telephone attests no caller (RFC 3325, 5). It only sends its name.
  ['"Dana" <sip:+13035550111@trunk.example>', '"Lee" <sip:a@b>', 'phone-13035550101', 'Lee'],
] as const;

for (const [asserted, said, endpoint, name] of NAMED)
  test(`the name of a caller (${asserted || 'none'}; ${said}) of ${endpoint} is ${name ?? 'none'}`, async (t) => {
    const { channel, processWith, nameOf } = await callIn(t);
    const args = ['arrival', to, '', asserted, 'allowed', '', '', '', '', said].map(encodeURIComponent);
    await processWith().hear({ args, channel: { ...channel, name: `PJSIP/${endpoint}-1` } });
    assert.deepEqual(await nameOf(), [{ caller_name: name }]);
  });

/** The header P-Asserted-Identity, From, the channel, and the attestation of the call. */
const ATTESTED = [
  ['<tel:+13035550111;verstat=TN-Validation-Passed-A>', '<sip:a;verstat=TN-Validation-Failed@b>', 'trunk-main', 'A'],
  ['<tel:+13035550111>', '<sip:a;verstat=No-TN-Validation@b>', 'trunk-main', 'none'],
  ['<tel:+13035550111>', '"a;verstat=TN-Validation-Passed-A" <sip:a@b>', 'trunk-main', null],
  ['<tel:+13035550111;verstat=TN-Validation-Passed-A>', '<sip:a;verstat=TN-Validation-Passed-A@b>', 'phone-1', null],
] as const;

for (const [asserted, said, endpoint, attestation] of ATTESTED)
  test(`the attestation of a call (${asserted}; ${said}) of ${endpoint} is ${attestation}`, async (t) => {
    const { channel, processWith, attestationOf } = await callIn(t);
    const args = ['arrival', to, '', asserted, 'allowed', '', '', '', '', said].map(encodeURIComponent);
    await processWith().hear({ args, channel: { ...channel, name: `PJSIP/${endpoint}-1` } });
    assert.deepEqual(await attestationOf(), [{ attestation }]);
  });

test('a caller whose number is withheld has no name', async (t) => {
  const { channel, processWith } = await callIn(t);
  const args = ['arrival', to, '', '"Dana" <sip:+13035550111@a>', 'allowed', 'id', '', '', '', '"Dana" <sip:a@b>'];
  await processWith().hear({ args: args.map(encodeURIComponent) });
  const named = `select c.caller_name, c.state ->> 'customerName' as state from calls c join sip_legs l on l.call_ref = c.id
    where l.channel_id = $1`;
  assert.deepEqual(await sql(db, named, [channel.id]), [{ caller_name: null, state: null }]);
});

test('a call to a number of another connection is refused, and counted', async (t) => {
  const { engine, channel, processWith, listCalls } = await callIn(t);
  const phoneNumber = newPerson();
  await addConnectionNumber(db, { ledgerId, phoneNumber, connectionId: newId('carrier_connection') });
  const counted = async () =>
    (await metrics.carrierNotices.get()).values.find(({ labels }) => labels.result === 'foreign')?.value ?? 0;
  const before = await counted();
  await processWith().hear({ args: ['arrival', phoneNumber, '', ''] });
  assert.deepEqual([await listCalls(), await counted()], [[], before + 1]);
  assert.deepEqual(engine.requests, [`DELETE channels/${channel.id}?reason=unallocated`]);
});
