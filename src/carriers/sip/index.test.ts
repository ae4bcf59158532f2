import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { silentLog, sql, until } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { decodeWav } from '../../audio/wav.ts';
import { newId } from '../../lib/ids.ts';
import type { Ledger } from '../../lib/scope.ts';
import { createSynthesizer } from '../../speech/speech-synthesis.ts';
import { SIP_KIND } from './index.ts';

const harness = await useHarness({ adapterKinds: [SIP_KIND] });
const { db } = harness.context;

const connection = {
  name: 'desk',
  settings: {
    engines: 'a=http://127.0.0.1:9',
    dialplane_url: 'http://127.0.0.1:3000',
    trunks: '[{"name":"main","host":"203.0.113.9"}]',
  },
  credentials: { ari_password: 'a-long-password' },
};

test('without an engine that works a dial is unavailable, and a hang-up is accepted', async () => {
  const id = await addConnection(harness.context, { kind: 'sip', ...connection, capabilities: [] });
  const parts = { db, log: silentLog, synthesizer: createSynthesizer({ log: silentLog }) } as never;
  const { carrier, close } = SIP_KIND.make(parts).connect({ id, ...connection });
  const { voice = assert.fail() } = carrier;
  const ledger: Ledger = { ledgerId: 1, accountId: 'acc_1', mode: 'live' };
  const [callRef, legRef] = [newId('call'), newId('call_leg')];
  const from = '+13035550199';
  const instruction = {
    do: 'dial',
    legRef,
    party: 'agent',
    to: '+13035550111',
    from,
    shownAs: from,
    ringMs: 9_000,
  } as const;
  const command = { callRef, commandRef: `${callRef}:1`, instruction };
  assert.deepEqual(await voice.dispatch(ledger, command), { outcome: 'unavailable', cause: 'unreachable' });
  assert.deepEqual(await voice.findCommand(ledger, command), { found: 'absent' });
  const hangUp = { do: 'hang_up', legRef, reason: 'ended' } as const;
  const ended = await voice.dispatch(ledger, { callRef, commandRef: `${callRef}:2`, instruction: hangUp });
  assert.deepEqual(ended, { outcome: 'accepted' });
  assert.deepEqual(await voice.dispatch(ledger, command), { outcome: 'rejected', reason: 'leg_gone' });
  await close?.();
});

test('an engine fetches a sound that is being played, may keep it for an hour, and then learns that it is the same', async () => {
  const settings = { ...connection.settings };
  const id = await addConnection(harness.context, {
    kind: 'sip',
    ...connection,
    name: 'sounds',
    settings,
    capabilities: [],
  });
  const sound = '0123456789abcdef0123456789abcdef';
  const row = [id, 'p1', 1, 'call_1', 'leg_1', 'a', 'beep', 300, sound];
  await sql(
    db,
    `insert into sip_playbacks (connection_id, id, ledger_id, call_ref, leg_ref, engine, kind, duration_ms, sound)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    row,
  );
  const get = () => fetch(`${harness.url}/carrier/sip/${id}/sounds/${sound}.wav`);
  await until('the connection is known', async () => (await get()).ok);
  const reply = await get();
  assert.equal(reply.headers.get('cache-control'), 'private, max-age=3600');
  assert.equal(decodeWav(new Uint8Array(await reply.arrayBuffer())).pcm.length, 2_400);
  const headers = { 'if-none-match': reply.headers.get('etag') ?? '' };
  for (const method of ['GET', 'HEAD']) assert.equal((await fetch(reply.url, { method, headers })).status, 304);
  await sql(db, 'update sip_playbacks set ended_at = clock_timestamp() where connection_id = $1', [id]);
  assert.equal((await get()).status, 404);
});
