import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startFakeEngine } from '../../../../test/support/fake-engine.ts';
import { silentLog, sql, useJobsDatabase } from '../../../../test/support/jobs.ts';
import { newId } from '../../../lib/ids.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { createEngineClient } from '../ari-client.ts';
import type { SipLine } from '../sip-line.ts';
import { reconcileMedia } from './reconcile-media.ts';

const { db, ledgerId } = await useJobsDatabase();

const ADD_STREAMS = `insert into sip_streams (ledger_id, connection_id, stream_ref, track, call_ref, leg_ref,
    leg_channel_id, engine, channel_id, plays, created_at, started_at)
  select $1, $2, name, 'inbound', 'call_1', 'leg_1', 'leg_1.0', 'a', name || '-m', true,
    clock_timestamp() - make_interval(secs => age_s), case when has_audio then clock_timestamp() end
  from json_to_recordset($3) as s (name text, age_s integer, has_audio boolean)`;

/** Starts a fake engine, and a connection with one leg that has the tracks `streams`. */
async function startEngine(t: TestContext, streams: readonly { name: string; age_s: number; has_audio: boolean }[]) {
  const connectionId = newId('carrier_connection');
  const fake = await startFakeEngine();
  t.after(fake.close);
  const engine = createEngineClient({
    ...{ name: 'a', url: fake.url, password: 'p', connection: connectionId, log: silentLog },
  });
  t.after(engine.close);
  await sql(
    db,
    `insert into carrier_connections (id, kind, name, settings, credentials) values ($1, 'sip', $1, '{}', '')`,
    [connectionId],
  );
  await sql(db, ADD_STREAMS, [ledgerId, connectionId, JSON.stringify(streams)]);
  const reported: string[] = [];
  const sink = async (_ledger: number, events: readonly VoiceEvent[]) => {
    for (const event of events) if ('streamRef' in event) reported.push(`${event.streamRef}: ${event.type}`);
  };
  const line = { db, log: silentLog, connectionId, sink } as unknown as SipLine;
  return { fake, reported, connectionId, compare: () => reconcileMedia(line, engine, (_thing, work) => work()) };
}

test('a stream without a channel ends at a comparison, unless the request for the channel may be in progress', async (t) => {
  const { reported, compare } = await startEngine(t, [
    { name: 'requested', age_s: 3, has_audio: false },
    { name: 'never made', age_s: 6, has_audio: false },
    { name: 'had audio', age_s: 3, has_audio: true },
  ]);
  await compare();
  assert.deepEqual(reported.sort(), ['had audio: stream.ended', 'never made: stream.failed']);
});

test('a comparison gives silence to a leg that is alone, and asks again if the engine does not answer', async (t) => {
  const { fake, connectionId, compare } = await startEngine(t, [{ name: 'talks', age_s: 3, has_audio: true }]);
  fake.channels = [{ id: 'talks-m', state: 'Up' }];
  await sql(
    db,
    `insert into sip_legs (ledger_id, connection_id, leg_ref, call_ref, party, engine, channel_id)
     values ($1, $2, 'leg_1', 'call_1', 'customer', 'a', 'leg_1.0')`,
    [ledgerId, connectionId],
  );
  fake.cuts = 2;
  await compare();
  assert.deepEqual(fake.requests, Array(3).fill('POST channels/leg_1.0/silence'));
});
