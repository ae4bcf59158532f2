import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { place } from '../../../test/support/voice.ts';
import { makeWebClient } from '../../../test/support/web-clients.ts';
import { createAudioAuthorizer, readGrantStates } from './audio-authorizer.ts';
import { type AudioChange, createAudioState, createSetAudio } from './signals.ts';

const harness = await useHarness({ startWorkers: false, serveMedia: false });

test('the audio address of a web client names the node that has its call, and is absent while no node is up', async () => {
  const { context } = harness;
  const authorizer = createAudioAuthorizer(context);
  const { number } = await makeLine(harness);
  const { id: callId } = await place(harness, number.id);
  const webClient = { ledgerId: await testLedger(harness), webClientId: 'wcl_1' };
  const leg = { callId, legId: 'leg_1' };
  assert.equal(await authorizer.authorize(webClient, leg), undefined);
  await sql(
    context.db,
    `insert into gateway_nodes (node_id, url, seen_at) values ('one', 'ws://x', now()), ('two', 'ws://y', now())`,
  );
  await harness.advance(2);
  const { body } = await harness.call('POST', `/v1/calls/${callId}/streams`, { body: {} });
  const node = new URL((body as Json).url).pathname.split('/')[3];
  const address = await authorizer.authorize(webClient, leg);
  assert.equal(address?.url, `ws://localhost/v1/softphone/audio/${node}`);
  assert.deepEqual(authorizer.verifyToken(address?.token ?? ''), { ...webClient, ...leg });
});

test('a web client that was hung up is heard by nobody, and hears nobody, before its leg has ended', async () => {
  const { db } = harness.context;
  const { number, tenantId } = await makeLine(harness);
  const { id: callId } = await place(harness, number.id);
  const { id: webClientId } = await makeWebClient(harness, tenantId);
  const ledgerId = await testLedger(harness);
  const grant = { ledgerId, webClientId, callId, legId: 'leg_1' };
  const placeIn = async (state: string) => {
    const legs = JSON.stringify([{ id: grant.legId, party: 'agent', state }]);
    await sql(db, `update calls set state = jsonb_set(state, '{legs}', $2) where id = $1`, [callId, legs]);
    const isUp = async () => new Set([grant.legId]);
    return (await readGrantStates(db, { listLegsUp: isUp }, ledgerId, [grant]))(grant);
  };
  assert.deepEqual(await placeIn('up'), { into: ['outbound'], isApart: false });
  assert.deepEqual(await placeIn('ending'), { into: [], isApart: true, isDeaf: true });
});

test('of changes that arrive out of order, the latest of each setting counts', () => {
  const state = createAudioState();
  const changes: readonly [AudioChange, boolean, boolean][] = [
    [{ at: 5, mute: true }, true, false],
    [{ at: 4, mute: false }, true, false],
    [{ at: 3, hold: true }, true, true],
    [{ at: 6, mute: false }, false, true],
    [{ at: 6, mute: true }, false, true],
    [{ at: 7, hold: false }, false, false],
  ];
  for (const [change, mute, hold] of changes) {
    state.apply(change);
    assert.deepEqual([state.mute, state.hold], [mute, hold], JSON.stringify(change));
  }
});

test('changes made in the same millisecond are distinct and ordered', () => {
  const sent: string[] = [];
  const bus = { ...harness.context.bus, publish: (_: string, payload: string) => void sent.push(payload) };
  const setAudio = createSetAudio({ ...harness.context, bus });
  for (const mute of [true, false, true]) setAudio('leg_1', { mute });
  assert.equal(new Set(sent).size, 3);
  const changes = sent.map((payload) => (JSON.parse(payload) as [string, AudioChange])[1]);
  assert.deepEqual(
    changes.map(({ mute }) => mute),
    [true, false, true],
  );
  for (const [index, { at }] of changes.entries()) assert.ok(at > (changes[index - 1]?.at ?? 0));
});
