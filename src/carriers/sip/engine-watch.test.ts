import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addConnectionNumber } from '../../../test/support/connection-numbers.ts';
import { startFakeEngine } from '../../../test/support/fake-engine.ts';
import { gate, silentLog, sql, until, useJobsDatabase } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { newId } from '../../lib/ids.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { monotonicMs, now } from '../../lib/time/time.ts';
import type { CarrierEventSink, TakeEvents } from '../ports/carrier.ts';
import type { VoiceEvent } from '../ports/voice.ts';
import { createEngineClient } from './ari-client.ts';
import { carryOutEvents, isReport } from './engine-events.ts';
import { holdEngine, isEngineReady } from './engine-queries.ts';
import { watchEngine } from './engine-watch.ts';
import type { SipLine } from './sip-line.ts';

const { db, ledgerId, openOther } = await useJobsDatabase();
const other = openOther();

/** An engine with its own connection, and a watch that has not started. The sink of its events may fail or wait. */
async function makeWatch(
  t: TestContext,
  take: (event: VoiceEvent) => Promise<void> = async () => undefined,
  parts: Partial<Pick<SipLine, 'db' | 'log'>> = {},
) {
  const connectionId = newId('carrier_connection');
  await sql(
    db,
    `insert into carrier_connections (id, kind, name, settings, credentials) values ($1, 'sip', $1, '{}', '')`,
    [connectionId],
  );
  const engine = await startFakeEngine();
  t.after(engine.close);
  const taken: VoiceEvent[] = [];
  const sink: CarrierEventSink = async (_ledger, events) => {
    for (const event of events as VoiceEvent[]) {
      await take(event);
      taken.push(event);
    }
  };
  const takeEvents: TakeEvents = (_tx, ledger, events) => sink(ledger, events);
  const client = createEngineClient({
    ...{ name: 'a', url: engine.url, password: 'p', connection: connectionId, log: silentLog },
  });
  t.after(client.close);
  const line = {
    ...{ db, log: silentLog, ...parts },
    metrics: createMetrics(),
    alarms: { raise: () => undefined },
    connectionId,
    settings: { trunks: [], phones: [] },
    sink,
    takeEvents,
  } as unknown as SipLine;
  let passedMs = 0;
  const watch = watchEngine({
    ...{ line, client, isReport, onEvents: (events) => carryOutEvents({ line, engine: client }, events) },
    times: { againMs: 1, giveUpMs: 0 },
    nowMs: () => monotonicMs() + passedMs,
  });
  t.after(watch.close);
  const name = { connectionId, name: 'a' };
  return {
    ...{ engine, watch, name, taken },
    isReady: () => isEngineReady(db, name),
    /** Advances the time until an engine is compared again. */
    pass: () => {
      passedMs += 6_000;
    },
    /** Stores a leg that has a channel. */
    addLeg: async () => {
      const [legRef, callRef] = [newId('call_leg'), newId('call')];
      await sql(
        db,
        `insert into sip_legs (ledger_id, connection_id, leg_ref, call_ref, party, engine, channel_id)
         values ($1, $2, $3, $4, 'customer', 'a', $3)`,
        [ledgerId, connectionId, legRef, callRef],
      );
      return { legRef, callRef };
    },
    row: async () => {
      const [row] = await sql<{ owner: string | null; owned_until: Date | null; seen_at: Date | null }>(
        db,
        'select owner, owned_until, seen_at from sip_engines where connection_id = $1',
        [connectionId],
      );
      return row ?? assert.fail('the engine has no row');
    },
    isOver: async (legRef: string) =>
      (await sql(db, 'select 1 from sip_legs where leg_ref = $1 and ended_at is not null', [legRef])).length === 1,
  };
}

test('an engine that does not say at first what it has is ready when it says it, over the same socket', async (t) => {
  const { engine, watch, isReady } = await makeWatch(t);
  engine.failures = 2;
  watch.start();
  await until('the engine is ready', isReady);
  assert.equal(engine.failures, -1);
  assert.equal(engine.asked(), 1);
});

test('a leg whose end cannot be reported keeps neither the engine from being ready nor other legs from ending', async (t) => {
  const legs: string[] = [];
  const { watch, isReady, addLeg, isOver } = await makeWatch(t, async (event) => {
    if (event.type === 'leg.ended' && event.legRef === legs[0]) throw new Error('this leg always fails');
  });
  for (let i = 0; i < 2; i++) legs.push((await addLeg()).legRef);
  legs.sort();
  watch.start();
  await until('the engine is ready', isReady);
  assert.deepEqual(await Promise.all(legs.map(isOver)), [false, true]);
});

test('a watch whose database does not answer says so once in ten seconds', async (t) => {
  const lines: string[] = [];
  let [tries, isAway] = [0, true];
  const log = {
    ...silentLog,
    error: (_: object, message: string) => lines.push(message),
  } as unknown as typeof silentLog;
  const query = async () => {
    tries++;
    if (isAway) throw new Error('the database is away');
    return [];
  };
  const { watch } = await makeWatch(t, undefined, {
    log,
    db: { ...db, query, transaction: query } as unknown as typeof db,
  });
  watch.start();
  await until('it has tried for 25 s', () => tries > 50, 60_000);
  assert.ok(lines.length >= 2 && lines.length <= 3, `${lines.length} lines for ${tries} tries`);
  isAway = false;
});

test('a watch that is closed while it takes the engine opens no socket', async (t) => {
  const { engine, watch, name, row } = await makeWatch(t);
  await sql(db, "insert into sip_engines (connection_id, name) values ($1, 'a')", [name.connectionId]);
  let closed: Promise<void> | undefined;
  await other.transaction(async (tx) => {
    await sql(tx, 'select 1 from sip_engines where connection_id = $1 for update', [name.connectionId]);
    watch.start();
    await until('it waits for the row', async () => {
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await sql(db, waits)).length > 0;
    });
    closed = watch.close();
  });
  await closed;
  assert.deepEqual([engine.asked(), engine.open()], [0, 0]);
  assert.equal((await row()).owner, null);
});

test('a watch that is closed while its socket opens leaves none open', async (t) => {
  const { engine, watch, row } = await makeWatch(t);
  const { opened, open } = gate();
  engine.mayOpen = opened;
  watch.start();
  await until('a socket is asked for', () => engine.asked() === 1);
  const closed = watch.close();
  open();
  await closed;
  await until('the socket is closed', () => engine.open() === 0);
  assert.equal(engine.asked(), 1);
  assert.equal((await row()).owner, null);
});

test('an engine stays with its process while a comparison takes long', async (t) => {
  const { opened, open } = gate();
  t.after(open);
  let isHeld = false;
  const { watch, row, name, isReady, addLeg } = await makeWatch(t, () => {
    isHeld = true;
    return opened;
  });
  await addLeg();
  watch.start();
  await until('a leg is being ended', () => isHeld);
  const { owned_until: first, seen_at } = await row();
  await until('it is renewed again and again', async () => {
    const { owned_until } = await row();
    return Number(owned_until) - Number(first) > 2_500;
  });
  assert.equal(await holdEngine(db, name, { owner: 'another', isReady: false }), undefined);
  // Until the comparison has ended, the last connection to the engine is the date of earlier calls.
  assert.deepEqual((await row()).seen_at, seen_at);
  assert.equal(await isReady(), false);
  open();
  await until('the engine is ready', isReady);
});

test('a comparison ends early when another process has the engine', async (t) => {
  const { opened, open } = gate();
  t.after(open);
  let tries = 0;
  const { engine, watch, name, addLeg, taken } = await makeWatch(t, () => {
    tries++;
    return opened;
  });
  await addLeg();
  await addLeg();
  watch.start();
  await until('a leg is being ended', () => tries === 1);
  const take = `update sip_engines set owner = 'another', owned_until = clock_timestamp() + interval '1 h' where connection_id = $1`;
  await sql(db, take, [name.connectionId]);
  await until('the socket is closed', () => engine.open() === 0);
  open();
  await until('the leg is ended', () => taken.length === 1);
  await watch.close();
  assert.equal(tries, 1);
});

test('a leg whose last event is dropped ends by a comparison soon, at the time of the event', async (t) => {
  let failures = 0;
  const { engine, watch, addLeg, isReady, isOver, pass } = await makeWatch(t, async ({ type }) => {
    if (type === 'leg.ended' && failures++ < 2) throw new Error('this event always fails');
  });
  const { legRef } = await addLeg();
  const channel = { id: legRef, name: 'PJSIP/main-1', state: 'Up' };
  engine.channels = [channel];
  watch.start();
  await until('the engine is ready', isReady);
  pass();
  await until('it has been compared again', () => engine.said() === 2);
  engine.channels = [];
  engine.send({ type: 'ChannelDestroyed', channel });
  await until('the event is dropped', () => failures === 2);
  const droppedAt = now();
  pass();
  await until('the leg has ended', () => isOver(legRef));
  const [leg] = await sql<{ ended_at: Date }>(db, 'select ended_at from sip_legs where leg_ref = $1', [legRef]);
  assert.ok(Number(leg?.ended_at) <= droppedAt, `${leg?.ended_at}`);
});

test('a telephone that talks to 911 is not hung up by a comparison, and another channel without a leg is', async (t) => {
  const { engine, watch, isReady, pass } = await makeWatch(t);
  const of = (context: string) => ({
    ...{ id: `channel-${context}`, name: 'PJSIP/phone-1', state: 'Up', creationtime: '2020-01-01T00:00:00.000+0000' },
    dialplan: { context, exten: '911', app_name: 'Dial', app_data: '' },
  });
  engine.channels = [of('emergency'), of('elsewhere')];
  watch.start();
  await until('the engine is ready', isReady);
  const removed = () => engine.requests.filter((request) => request.startsWith('DELETE channels/'));
  await until('the other is hung up', () => {
    pass();
    return removed().length > 0;
  });
  assert.ok(
    removed().every((request) => request.includes('channel-elsewhere')),
    removed().join(),
  );
});

/** Makes a number of the ledger. Returns the channel of its caller, and the event of the arrival. */
async function callIn(connectionId: string) {
  const to = newPerson();
  await addConnectionNumber(db, { ledgerId, phoneNumber: to, connectionId });
  const dialplan = { context: 'from-outside', exten: to, app_name: 'Stasis', app_data: `dialplane,arrival,${to},,` };
  const channel = { id: newId('call'), name: 'PJSIP/main-1', state: 'Ring', caller: { number: '' }, dialplan };
  return { channel, arrival: { type: 'StasisStart', args: ['arrival', to, '', ''], channel } };
}

test('a call whose arrival is dropped arrives by a comparison soon, and once', async (t) => {
  let failures = 0;
  const { engine, watch, isReady, pass, taken, name } = await makeWatch(t, async () => {
    if (failures++ < 2) throw new Error('this event always fails');
  });
  const { channel, arrival } = await callIn(name.connectionId);
  watch.start();
  await until('the engine is ready', isReady);
  engine.channels = [channel];
  engine.send(arrival);
  await until('the event is dropped', () => failures === 2);
  for (let times = 0; times < 2; times++) {
    const before = engine.said();
    await until('it has been compared again', () => {
      pass();
      return engine.said() > before;
    });
  }
  assert.deepEqual(
    taken.map(({ type }) => type),
    ['call.arrived'],
  );
  assert.deepEqual(engine.requests, [`POST channels/${channel.id}/ring`]);
});

test('a comparison does not wait for an arrival that is being carried out', async (t) => {
  const { opened, open } = gate();
  t.after(open);
  let tries = 0;
  const { engine, watch, isReady, pass, taken, name } = await makeWatch(t, () => {
    tries++;
    return opened;
  });
  const { channel, arrival } = await callIn(name.connectionId);
  watch.start();
  await until('the engine is ready', isReady);
  engine.channels = [channel];
  engine.send(arrival);
  await until('the arrival is being carried out', () => tries === 1);
  const before = engine.said();
  await until('one comparison has ended, and another begun', () => {
    pass();
    return engine.said() >= before + 2;
  });
  open();
  await until('the caller hears ringing', () => engine.requests.length === 1);
  await watch.close();
  assert.deepEqual([tries, taken.length, engine.requests.length], [1, 1, 1]);
});
