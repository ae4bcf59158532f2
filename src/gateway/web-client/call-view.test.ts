import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/jobs.ts';
import type { WebClientLeg, WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Database } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioDoor, AudioInvitation } from './audio-authorizer.ts';
import { createWebClientView } from './call-view.ts';
import type { ServerMessage } from './protocol.ts';

const LEDGER: Ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'test' };
const RUNG: WebClientLeg = {
  callId: 'call_1',
  legId: 'leg_1',
  wasRung: true,
  state: 'ringing',
  other: null,
  endReason: null,
};
const UP: WebClientLeg = { ...RUNG, state: 'up', other: 'up' };

/** A web client whose legs, database and gateway are what the test says. */
function makeView() {
  const world = { legs: [] as WebClientLeg[], isAway: false, invitation: undefined as AudioInvitation | undefined };
  const said: ServerMessage[] = [];
  const call = { direction: 'inbound', from: '+16025550143', to: '+16025550100', outcome: 'answered' };
  const query = async () => {
    if (world.isAway) throw new Error('the database is away');
    return [call];
  };
  const listLegs: WebClientPort['listLegs'] = async (_ledger, _web_client, known) =>
    world.legs.filter(({ legId, state }) => state !== 'ended' || known.includes(legId));
  const view = createWebClientView(
    { db: { query } as unknown as Database, log: silentLog },
    {
      webClient: { ledgerId: 1, webClientId: 'wcl_1' },
      ledger: LEDGER,
      port: { listLegs } as WebClientPort,
      audio: { invite: async () => world.invitation } as unknown as AudioDoor,
      send: (message) => said.push(message),
      isOpen: () => true,
    },
  );
  return { view, world, said, typesOf: () => said.map(({ type }) => type) };
}

const settle = async () => {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate);
};

test('what could not be told as a read failed is told a second later, and once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { view, world, typesOf } = makeView();
  world.legs = [RUNG];
  world.isAway = true;
  await view.look();
  assert.deepEqual(typesOf(), []);
  world.isAway = false;
  t.mock.timers.tick(1_000);
  await settle();
  assert.deepEqual(typesOf(), ['incoming']);
  await view.look();
  assert.deepEqual(typesOf(), ['incoming']);
});

test('a call that the web client made is told with its ref, also where it is over at the first look', async () => {
  const { view, world, said } = makeView();
  view.expect('leg_1', 'mine');
  await view.look();
  world.legs = [{ ...RUNG, wasRung: false, state: 'ended', endReason: 'hangup' }];
  await view.look();
  await view.look();
  const view_ = { call_id: 'call_1', direction: 'inbound', from: '+16025550143', to: '+16025550100' };
  assert.deepEqual(said, [
    { type: 'dialing', ...view_, ref: 'mine' },
    { type: 'ended', call_id: 'call_1', reason: 'hung_up', outcome: 'answered' },
  ]);
});

test('a call that was not made after all is not waited for', async () => {
  const { view, world, typesOf } = makeView();
  view.expect('leg_1', 'mine');
  view.forget('leg_1');
  world.legs = [{ ...RUNG, state: 'ended', endReason: 'hangup' }];
  await view.look();
  assert.deepEqual(typesOf(), []);
});

test('a web client is told where its audio goes as soon as there is a gateway for it, and of the rest meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { view, world, typesOf } = makeView();
  world.legs = [UP];
  await view.look();
  assert.deepEqual(typesOf(), ['incoming', 'answered']);
  world.invitation = { url: 'wss://media.example/v1/softphone/audio/node_1', token: 'x' };
  t.mock.timers.tick(1_000);
  await settle();
  assert.deepEqual(typesOf(), ['incoming', 'answered', 'media']);
});

test('calls of which the carrier knows nothing any more are forgotten', async () => {
  const { view, world } = makeView();
  world.legs = [RUNG];
  await view.look();
  assert.equal(view.isIdle, false);
  world.legs = [];
  await view.look();
  assert.equal(view.isIdle, true);
});
