import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/jobs.ts';
import { skip } from '../../../test/support/stepping-time.ts';
import { RUNG } from '../../../test/support/web-client-legs.ts';
import type { Database } from '../../db/database.ts';
import type { WebClientExchange, WebClientLeg } from '../../domain/voice/index.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioAddress, AudioAuthorizer } from './audio-authorizer.ts';
import { createCallView } from './call-view.ts';
import type { ServerMessage } from './protocol.ts';

const LEDGER: Ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'test' };
const UP: WebClientLeg = { ...RUNG, state: 'up', other: 'up' };

/** The view of a web client whose legs, database and gateway the test sets. */
function makeView() {
  const world = { legs: [] as WebClientLeg[], isDbDown: false, address: undefined as AudioAddress | undefined };
  const sent: ServerMessage[] = [];
  const call = { direction: 'inbound', from: '+16025550143', to: '+16025550100', outcome: 'answered' };
  const query = async () => {
    if (world.isDbDown) throw new Error('the database is down');
    return [call];
  };
  const listLegs: WebClientExchange['listLegs'] = async (_ledger, _web_client, known) =>
    world.legs.filter(({ legId, state }) => state !== 'ended' || known.includes(legId));
  const view = createCallView(
    { db: { query } as unknown as Database, log: silentLog },
    {
      webClient: { ledgerId: 1, webClientId: 'wcl_1' },
      ledger: LEDGER,
      exchange: { listLegs } as WebClientExchange,
      audio: { authorize: async () => world.address } as unknown as AudioAuthorizer,
      send: (message) => sent.push(message),
      isOpen: () => true,
    },
  );
  return { view, world, sent, typesOf: () => sent.map(({ type }) => type) };
}

const settle = async () => {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate);
};

test('after a failed read the updates are sent a second later, once', async () => {
  const { view, world, typesOf } = makeView();
  world.legs = [RUNG];
  world.isDbDown = true;
  await view.refresh();
  assert.deepEqual(typesOf(), []);
  world.isDbDown = false;
  await skip(1_000);
  await settle();
  assert.deepEqual(typesOf(), ['incoming']);
  await view.refresh();
  assert.deepEqual(typesOf(), ['incoming']);
});

test('a dialled call is sent with its ref, even if it is over at the first refresh', async () => {
  const { view, world, sent } = makeView();
  view.expectLeg('leg_1', 'mine');
  await view.refresh();
  world.legs = [{ ...RUNG, wasRung: false, state: 'ended', endReason: 'hangup' }];
  await view.refresh();
  await view.refresh();
  const call = { call_id: 'call_1', direction: 'inbound', from: '+16025550143', to: '+16025550100' };
  assert.deepEqual(sent, [
    { type: 'dialing', ...call, caller_name: null, contact_name: null, queue: null, ref: 'mine' },
    { type: 'ended', call_id: 'call_1', reason: 'hung_up', outcome: 'answered' },
  ]);
});

test('nothing is sent about a leg that was not created after all', async () => {
  const { view, world, typesOf } = makeView();
  view.expectLeg('leg_1', 'mine');
  view.forgetLeg('leg_1');
  world.legs = [{ ...RUNG, state: 'ended', endReason: 'hangup' }];
  await view.refresh();
  assert.deepEqual(typesOf(), []);
});

test('media is sent as soon as a gateway is up; the other updates do not wait for it', async () => {
  const { view, world, typesOf } = makeView();
  world.legs = [UP];
  await view.refresh();
  assert.deepEqual(typesOf(), ['incoming', 'answered']);
  world.address = { url: 'wss://media.example/v1/softphone/audio/node_1', token: 'x' };
  await skip(1_000);
  await settle();
  assert.deepEqual(typesOf(), ['incoming', 'answered', 'media']);
});

test('calls that the carrier no longer has are forgotten', async () => {
  const { view, world } = makeView();
  world.legs = [RUNG];
  await view.refresh();
  assert.equal(view.isIdle, false);
  world.legs = [];
  await view.refresh();
  assert.equal(view.isIdle, true);
});
