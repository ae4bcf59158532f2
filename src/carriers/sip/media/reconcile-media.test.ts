import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeEngine } from '../../../../test/support/fake-engine.ts';
import { silentLog, sql, useJobsDatabase } from '../../../../test/support/jobs.ts';
import { newId } from '../../../lib/ids.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { createEngineClient } from '../ari-client.ts';
import type { SipLine } from '../sip-line.ts';
import { reconcileMedia } from './reconcile-media.ts';

const { db, ledgerId } = await useJobsDatabase();

test('a stream without a channel ends at a comparison, unless the request for the channel may be in progress', async (t) => {
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
  await sql(
    db,
    `insert into sip_streams (ledger_id, connection_id, stream_ref, track, call_ref, leg_ref, leg_channel_id, engine,
       channel_id, plays, created_at, started_at)
     select $1, $2, name, 'inbound', 'call_1', 'leg_1', 'leg_1.0', 'a', name || '-m', true,
       clock_timestamp() - make_interval(secs => age_s), case when has_audio then clock_timestamp() end
     from (values ('requested', 3, false), ('never made', 6, false), ('had audio', 3, true)) as s (name, age_s, has_audio)`,
    [ledgerId, connectionId],
  );
  const ended: string[] = [];
  const sink = async (_ledger: number, events: readonly VoiceEvent[]) => {
    for (const event of events) if ('streamRef' in event) ended.push(`${event.streamRef}: ${event.type}`);
  };
  const line = { db, log: silentLog, connectionId, sink } as unknown as SipLine;
  await reconcileMedia(line, engine, (_thing, work) => work());
  assert.deepEqual(ended.sort(), ['had audio: stream.ended', 'never made: stream.failed']);
});
