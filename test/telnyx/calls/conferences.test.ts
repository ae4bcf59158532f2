import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHER, useCallLine } from './call-line.ts';

const { call, dialUp, act, done, events, typesOf, payloadOf, legOf } = await useCallLine();

/** Opens a conference with a leg. Returns its id. */
async function open(id: string, more: object = {}): Promise<string> {
  const reply = await call('POST', '/conferences', { call_control_id: id, name: 'aside', ...more });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return (reply.data as { id: string }).id;
}

function leave(conferenceId: string, id: string) {
  return call('POST', `/conferences/${conferenceId}/actions/leave`, { call_control_id: id });
}

test('a leg opens a conference, and is parked again when it leaves', async () => {
  const id = await dialUp();
  const conference = await open(id, { client_state: 'YQ==' });
  assert.equal((await leave(conference, id)).status, 200);
  assert.deepEqual((await typesOf(id)).slice(2), [
    'conference.created',
    'conference.participant.joined',
    'conference.participant.left',
    'conference.ended',
  ]);
  const { conference_id, reason, client_state } = await payloadOf(id, 'conference.ended');
  assert.deepEqual([conference_id, reason, client_state], [conference, 'all_left', 'YQ==']);
  assert.equal((await legOf(id)).state, 'answered');
  assert.equal((await leave(conference, id)).status, 404);
});

test('a leg leaves its bridge for a conference, and the conference for a bridge', async () => {
  const [one, other] = [await dialUp(), await dialUp({ to: OTHER })];
  await done(one, 'bridge', { call_control_id: other, park_after_unbridge: 'self' });
  const conference = await open(other);
  assert.deepEqual([(await legOf(one)).state, (await legOf(one)).partner], ['answered', null]);
  assert.equal((await leave(conference, one)).code, '10015');
  await done(one, 'bridge', { call_control_id: other });
  assert.equal((await leave(conference, other)).status, 404);
  assert.equal((await legOf(other)).partner, one);
  await open(other);
  assert.equal((await legOf(one)).state, 'ended');
});

test('a conference ends with its last leg', async () => {
  const id = await dialUp();
  await open(id);
  await done(id, 'hangup');
  assert.deepEqual((await typesOf(id)).slice(-3), ['conference.participant.left', 'conference.ended', 'hangup']);
});

test('the repeat of a conference is ignored, and a leg that is not answered opens none', async () => {
  const id = await dialUp();
  const first = await open(id, { command_id: 'open-1' });
  assert.equal(await open(id, { command_id: 'open-1' }), first);
  assert.equal((await events()).filter(({ event_type }) => event_type === 'conference.created').length, 1);
  await done(id, 'hangup');
  const request = { call_control_id: id, name: 'aside' };
  assert.equal((await call('POST', '/conferences', request)).code, '90018');
  assert.equal((await act(id, 'hangup')).code, '90018');
});
