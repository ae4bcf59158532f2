import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import type { EndReason, SoftphoneCall, Transport, TransportEvent } from '../index.d.ts';
import { Softphone } from '../src/index.js';

/** A transport that notes what it is told; the test tells what happens. */
function fake() {
  const told: unknown[][] = [];
  const note =
    (name: string) =>
    (...rest: unknown[]) => {
      told.push([name, ...rest]);
    };
  const transport: Transport = {
    listener: () => undefined,
    open: note('open'),
    prepareAudio: async () => note('prepareAudio')(),
    answer: note('answer'),
    decline: note('decline'),
    hangUp: note('hangUp'),
    place: note('place'),
    setMuted: note('setMuted'),
    setHeld: note('setHeld'),
    sendDigits: note('sendDigits'),
    close: note('close'),
  };
  const tell = (...events: TransportEvent[]) => {
    for (const event of events) transport.listener(event);
  };
  const phone = new Softphone({ transport });
  const events: [string, unknown][] = [];
  for (const type of ['registered', 'incoming', 'ringing', 'answered', 'ended', 'error', 'disconnected'] as const) {
    phone.on(type, (event) => events.push([type, event]));
  }
  return { phone, transport, told, tell, events, typesOf: () => events.map(([type]) => type) };
}

const registered = (...callIds: string[]): TransportEvent => {
  return { type: 'registered', webClientId: 'wcl_1', expiresAt: new Date(0), callIds };
};
const CALL = { callId: 'call_1', direction: 'inbound', from: '+16025550143', to: '+16025550100' } as const;
const INCOMING: TransportEvent = { type: 'incoming', ...CALL };
const ended = (reason: EndReason): TransportEvent => ({ type: 'ended', callId: 'call_1', reason, outcome: 'answered' });

async function connected() {
  const made = fake();
  const connecting = made.phone.connect('token');
  await settle();
  made.tell(registered());
  await connecting;
  return made;
}

test('it logs in with the token, and says when it is there', async () => {
  const { phone, told, typesOf } = await connected();
  assert.deepEqual(told.at(-1), ['open', 'token']);
  assert.equal(phone.isRegistered, true);
  assert.deepEqual(typesOf(), ['registered']);
});

test('a login that is refused rejects, and is not tried again', async () => {
  const { phone, tell, told } = fake();
  const connecting = phone.connect(() => 'token');
  await settle();
  tell({ type: 'closed', code: 4401, reason: 'invalid or expired token' });
  await assert.rejects(connecting, { code: 'login_refused' });
  assert.equal(told.filter(([name]) => name === 'open').length, 1);
});

test('a call comes in, is answered once the microphone is there, and ends', async () => {
  const { phone, told, tell, events, typesOf } = await connected();
  tell(INCOMING);
  const [call] = phone.calls as [SoftphoneCall];
  assert.deepEqual([call.id, call.from, call.state], ['call_1', '+16025550143', 'incoming']);
  await phone.answer();
  assert.deepEqual(told.slice(-2), [['prepareAudio'], ['answer', 'call_1']]);
  tell({ type: 'answered', callId: 'call_1' }, { type: 'answered', callId: 'call_1' });
  phone.mute();
  phone.hold();
  phone.sendDigits('12#');
  phone.mute(false);
  assert.deepEqual(told.slice(-4), [
    ['setMuted', 'call_1', true],
    ['setHeld', 'call_1', true],
    ['sendDigits', 'call_1', '12#'],
    ['setMuted', 'call_1', false],
  ]);
  assert.deepEqual([phone.calls[0]?.muted, phone.calls[0]?.held], [false, true]);
  phone.hangUp();
  tell(ended('hung_up'));
  assert.deepEqual(typesOf(), ['registered', 'incoming', 'answered', 'ended']);
  const [, last] = events.at(-1) as [string, { reason: string }];
  assert.equal(last.reason, 'hung_up');
  assert.deepEqual(phone.calls, []);
});

test('without a microphone a call is not answered', async () => {
  const { phone, transport, told, tell } = await connected();
  tell(INCOMING);
  transport.prepareAudio = () => Promise.reject(new Error('refused'));
  await assert.rejects(phone.answer(), /refused/);
  assert.ok(!told.some(([name]) => name === 'answer'));
});

const refOf = (told: unknown[] = []) => (told[1] as { ref: string }).ref;

test('a call that is placed is the one whose ref comes back', async () => {
  const { phone, told, tell, typesOf } = await connected();
  const placing = phone.place('+16025550143', { from: 'num_1' });
  await settle();
  const ref = refOf(told.at(-1));
  assert.deepEqual(told.at(-1), ['place', { to: '+16025550143', ref, from: 'num_1' }]);
  tell({ type: 'dialing', ...CALL, direction: 'outbound', ref });
  assert.equal((await placing).id, 'call_1');
  tell({ type: 'ringing', callId: 'call_1' });
  assert.equal(phone.calls[0]?.state, 'ringing');
  assert.deepEqual(typesOf(), ['registered', 'ringing']);
});

test('a call that is refused rejects with the code, and is no event', async () => {
  const { phone, told, tell, typesOf } = await connected();
  const placing = phone.place('+16054551234');
  await settle();
  const ref = refOf(told.at(-1));
  tell({ type: 'error', code: 'destination_not_supported', message: 'no', callId: null, ref });
  await assert.rejects(placing, { code: 'destination_not_supported' });
  assert.deepEqual(typesOf(), ['registered']);
});

test("refs of two pages are never the same, and one of the page's own is kept", async () => {
  const refs: string[] = [];
  for (let n = 0; n < 2; n++) {
    const { phone, told } = await connected();
    void phone.place('911').catch(() => undefined);
    await settle();
    refs.push(refOf(told.at(-1)));
    void phone.place('911', { ref: 'mine' }).catch(() => undefined);
    await settle();
    assert.equal(refOf(told.at(-1)), 'mine');
    phone.disconnect();
  }
  assert.equal(new Set(refs).size, 2, refs.join());
});

test('help is called without asking for a microphone first, in whatever form it is dialled', async () => {
  const { phone, told } = await connected();
  for (const number of ['911', '933', ' 911 ', '+1911', '9-1-1', 911 as unknown as string]) {
    void phone.place(number).catch(() => undefined);
    await settle();
    assert.ok(!told.some(([name]) => name === 'prepareAudio'));
    const [name, { to }] = told.at(-1) as [string, { to: string }];
    assert.deepEqual([name, to], ['place', String(number).includes('3') ? '933' : '911']);
  }
  phone.disconnect();
});

test('what is done to a call that is not there throws', async () => {
  const { phone } = await connected();
  for (const act of [() => phone.hangUp(), () => phone.decline(), () => phone.mute(true, 'call_x')]) {
    assert.throws(act, { code: 'call_not_found' });
  }
  await assert.rejects(phone.answer(), { code: 'call_not_found' });
});

test('a lost connection is made again with a new token, and calls that ended meanwhile are told', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { phone, told, tell, events } = fake();
  let tokens = 0;
  const connecting = phone.connect(async () => `token ${++tokens}`);
  await settle();
  tell(registered());
  await connecting;
  tell(INCOMING, { type: 'incoming', ...CALL, callId: 'call_2' });
  phone.mute(true, 'call_1');
  tell({ type: 'closed', code: 1012, reason: 'service restart' });
  assert.deepEqual(events.at(-1), ['disconnected', { code: 1012, reason: 'service restart', willReconnect: true }]);
  t.mock.timers.tick(500);
  await settle();
  assert.deepEqual(told.at(-1), ['open', 'token 2']);
  tell(registered('call_1'), INCOMING);
  assert.deepEqual(
    events.slice(-2).map(([type, event]) => [type, (event as SoftphoneCall).id ?? null]),
    [
      ['ended', 'call_2'],
      ['registered', null],
    ],
  );
  assert.deepEqual(told.at(-1), ['setMuted', 'call_1', true], 'what was muted stays so');
});

test('a web client that was revoked or logged in elsewhere does not come back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const code of [4403, 4408, 4409]) {
    const { phone, told, tell, events } = fake();
    const connecting = phone.connect(() => 'token');
    await settle();
    tell(registered());
    await connecting;
    tell({ type: 'closed', code, reason: 'x' });
    t.mock.timers.tick(60_000);
    await settle();
    assert.equal(told.filter(([name]) => name === 'open').length, 1);
    assert.deepEqual(events.at(-1)?.[1], { code, reason: 'x', willReconnect: false });
  }
});
