import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import type { EndReason, SoftphoneCall, Transport, TransportEvent } from '../index.d.ts';
import { Softphone } from '../src/index.js';

/** Makes a softphone on a transport that records its calls. The test reports the events of the transport. */
function makePhone() {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    (...rest: unknown[]) => {
      calls.push([name, ...rest]);
    };
  const transport: Transport = {
    listener: () => undefined,
    open: record('open'),
    useMicrophone: async (id) => record('useMicrophone')(id),
    useSpeaker: async (id) => record('useSpeaker')(id),
    prepareAudio: async () => record('prepareAudio')(),
    answer: record('answer'),
    decline: record('decline'),
    hangUp: record('hangUp'),
    place: record('place'),
    setMuted: record('setMuted'),
    setHeld: record('setHeld'),
    sendDigits: record('sendDigits'),
    transfer: record('transfer'),
    completeTransfer: record('completeTransfer'),
    cancelTransfer: record('cancelTransfer'),
    setAvailability: record('setAvailability'),
    close: record('close'),
  };
  const report = (...events: TransportEvent[]) => {
    for (const event of events) transport.listener(event);
  };
  const phone = new Softphone({ transport });
  const events: [string, unknown][] = [];
  for (const type of ['registered', 'incoming', 'ringing', 'answered', 'ended', 'error', 'disconnected'] as const) {
    phone.on(type, (event) => events.push([type, event]));
  }
  return { phone, transport, calls, report, events, typesOf: () => events.map(([type]) => type) };
}

const registered = (...callIds: string[]): TransportEvent => {
  return { type: 'registered', webClientId: 'wcl_1', expiresAt: new Date(0), callIds };
};
const CALL = {
  callId: 'call_1',
  direction: 'inbound',
  from: '+16025550143',
  to: '+16025550100',
  callerName: 'Dana',
  contactName: 'Dana Ortiz',
} as const;
const INCOMING: TransportEvent = { type: 'incoming', ...CALL };
const ended = (reason: EndReason): TransportEvent => ({ type: 'ended', callId: 'call_1', reason, outcome: 'answered' });

async function connected() {
  const made = makePhone();
  const connecting = made.phone.connect('token');
  await settle();
  made.report(registered());
  await connecting;
  return made;
}

test('connect logs in with the token, and emits registered', async () => {
  const { phone, calls, typesOf } = await connected();
  assert.deepEqual(calls.at(-1), ['open', 'token']);
  assert.equal(phone.isRegistered, true);
  assert.deepEqual(typesOf(), ['registered']);
});

test('a refused login rejects, and is not retried', async () => {
  const { phone, report, calls } = makePhone();
  const connecting = phone.connect(() => 'token');
  await settle();
  report({ type: 'closed', code: 4401, reason: 'invalid or expired token' });
  await assert.rejects(connecting, { code: 'login_refused' });
  assert.equal(calls.filter(([name]) => name === 'open').length, 1);
});

test('an incoming call is answered once the microphone is ready, and ends', async () => {
  const { phone, calls, report, events, typesOf } = await connected();
  report(INCOMING);
  const [call] = phone.calls as [SoftphoneCall];
  assert.deepEqual([call.id, call.from, call.state], ['call_1', '+16025550143', 'incoming']);
  await phone.answer();
  assert.deepEqual(calls.slice(-2), [['prepareAudio'], ['answer', 'call_1']]);
  report({ type: 'answered', callId: 'call_1' }, { type: 'answered', callId: 'call_1' });
  phone.mute();
  phone.hold();
  phone.sendDigits('12#');
  phone.mute(false);
  assert.deepEqual(calls.slice(-4), [
    ['setMuted', 'call_1', true],
    ['setHeld', 'call_1', true],
    ['sendDigits', 'call_1', '12#'],
    ['setMuted', 'call_1', false],
  ]);
  assert.deepEqual([phone.calls[0]?.muted, phone.calls[0]?.held], [false, true]);
  phone.hangUp();
  report(ended('hung_up'));
  assert.deepEqual(typesOf(), ['registered', 'incoming', 'answered', 'ended']);
  const [, last] = events.at(-1) as [string, { reason: string }];
  assert.equal(last.reason, 'hung_up');
  assert.deepEqual(phone.calls, []);
});

test('a transfer is asked for, its progress is shown, and a new login begins without one', async () => {
  const { phone, calls, report } = await connected();
  report(INCOMING, { type: 'answered', callId: 'call_1' });
  const shown: unknown[] = [];
  phone.on('transfer', ({ transfer }) => shown.push(transfer));
  phone.transfer('+16025550199', { mode: 'consult', announceText: 'Mr Lee' });
  phone.completeTransfer();
  phone.cancelTransfer('call_1');
  assert.deepEqual(calls.slice(-3), [
    ['transfer', 'call_1', { to: '+16025550199', mode: 'consult', announceText: 'Mr Lee' }],
    ['completeTransfer', 'call_1'],
    ['cancelTransfer', 'call_1'],
  ]);
  const transfer = { to: '+16025550199', mode: 'consult', state: 'talking' } as const;
  report({ type: 'transfer', callId: 'call_1', transfer });
  assert.deepEqual([phone.calls[0]?.transfer, shown], [transfer, [transfer]]);
  report(registered('call_1'), INCOMING);
  assert.equal(phone.calls[0]?.transfer, null);
  const failures: unknown[] = [];
  phone.on('transferFailed', ({ id, reason, state }) => failures.push([id, reason, state]));
  report({ type: 'transfer', callId: 'call_1', transfer: null });
  report({ type: 'transfer', callId: 'call_1', transfer: null, failure: 'busy' });
  assert.deepEqual(failures, [['call_1', 'busy', phone.calls[0]?.state]]);
});

test('a call has its queue and the agent who asks before a transfer, until the customer is connected', async () => {
  const { phone, report } = await connected();
  const consultedBy = { agent: 'wcl_2', name: 'Ann' };
  const queue = { id: 'que_1', name: 'Support' };
  report({ ...INCOMING, queue, consultedBy });
  assert.deepEqual([phone.calls[0]?.queue, phone.calls[0]?.consultedBy], [queue, consultedBy]);
  const seen: unknown[] = [];
  phone.on('consult', (call) => seen.push(call.consultedBy));
  report({ type: 'consult', callId: 'call_1', consultedBy: null });
  assert.deepEqual([phone.calls[0]?.consultedBy, seen], [null, [null]]);
  report(registered('call_1'), { ...INCOMING, consultedBy });
  assert.deepEqual(phone.calls[0]?.consultedBy, consultedBy, 'as the server sends it after a new login');
});

test('the quality of a call is reported while the call lasts', async () => {
  const { phone, report } = await connected();
  const seen: unknown[] = [];
  phone.on('quality', (quality) => seen.push(quality));
  const quality = { lossPercent: 2, jitterMs: 8, roundTripMs: 40 };
  report(INCOMING, { type: 'quality', callId: 'call_1', ...quality });
  report(ended('ended'), { type: 'quality', callId: 'call_1', ...quality });
  assert.deepEqual(seen, [{ callId: 'call_1', ...quality }]);
});

test('without a microphone a call is not answered', async () => {
  const { phone, transport, calls, report } = await connected();
  report(INCOMING);
  transport.prepareAudio = () => Promise.reject(new Error('refused'));
  await assert.rejects(phone.answer(), /refused/);
  assert.ok(!calls.some(([name]) => name === 'answer'));
});

const refOf = (calls: unknown[] = []) => (calls[1] as { ref: string }).ref;

test('place resolves with the call that has its ref', async () => {
  const { phone, calls, report, typesOf } = await connected();
  const placing = phone.place('+16025550143', { from: 'num_1' });
  await settle();
  const ref = refOf(calls.at(-1));
  assert.deepEqual(calls.at(-1), ['place', { to: '+16025550143', ref, from: 'num_1' }]);
  report({ type: 'dialing', ...CALL, direction: 'outbound', ref });
  assert.equal((await placing).id, 'call_1');
  report({ type: 'ringing', callId: 'call_1' });
  assert.equal(phone.calls[0]?.state, 'ringing');
  assert.deepEqual(typesOf(), ['registered', 'ringing']);
});

test('a refused place rejects with the code, and emits no event', async () => {
  const { phone, calls, report, typesOf } = await connected();
  const placing = phone.place('+16054551234');
  await settle();
  const ref = refOf(calls.at(-1));
  report({ type: 'error', code: 'destination_not_supported', message: 'no', callId: null, ref });
  await assert.rejects(placing, { code: 'destination_not_supported' });
  assert.deepEqual(typesOf(), ['registered']);
});

test('two pages never use the same ref, and a ref of the page is kept', async () => {
  const refs: string[] = [];
  for (let n = 0; n < 2; n++) {
    const { phone, calls } = await connected();
    void phone.place('911').catch(() => undefined);
    await settle();
    refs.push(refOf(calls.at(-1)));
    void phone.place('911', { ref: 'mine' }).catch(() => undefined);
    await settle();
    assert.equal(refOf(calls.at(-1)), 'mine');
    phone.disconnect();
  }
  assert.equal(new Set(refs).size, 2, refs.join());
});

test('an emergency number in any form is dialled without asking for a microphone', async () => {
  const { phone, calls } = await connected();
  for (const number of [
    '911',
    '933',
    ' 911 ',
    '+1911',
    '9-1-1',
    '９１１',
    '\u202a9\u20111\u20111\u202c',
    911 as unknown as string,
  ]) {
    void phone.place(number).catch(() => undefined);
    await settle();
    assert.ok(!calls.some(([name]) => name === 'prepareAudio'));
    const [name, { to }] = calls.at(-1) as [string, { to: string }];
    assert.deepEqual([name, to], ['place', String(number).includes('3') ? '933' : '911']);
  }
  phone.disconnect();
});

test('a method for a call that does not exist throws', async () => {
  const { phone } = await connected();
  for (const act of [() => phone.hangUp(), () => phone.decline(), () => phone.mute(true, 'call_x')]) {
    assert.throws(act, { code: 'call_not_found' });
  }
  await assert.rejects(phone.answer(), { code: 'call_not_found' });
});

test('when the network is back the softphone connects at once, and only if it waits to', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const page = new EventTarget();
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  t.after(() => {
    for (const name of ['addEventListener', 'removeEventListener']) Reflect.deleteProperty(globalThis, name);
  });
  const { phone, calls, report } = makePhone();
  const opened = () => calls.filter(([name]) => name === 'open').length;
  const online = async () => {
    page.dispatchEvent(new Event('online'));
    await settle();
  };
  const connecting = phone.connect(() => 'token');
  await settle();
  report(registered());
  await connecting;
  await online();
  assert.equal(opened(), 1, 'it is connected');
  report({ type: 'closed', code: 1006, reason: '' });
  await online();
  assert.equal(opened(), 2);
  await online();
  t.mock.timers.tick(60_000);
  await settle();
  assert.equal(opened(), 2, 'neither a second time nor by the timer');
  report({ type: 'closed', code: 1006, reason: '' });
  phone.disconnect();
  await online();
  assert.equal(opened(), 2, 'it has logged out');
});

test('a lost connection is restored with a new token, and calls that ended by then are reported', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { phone, calls, report, events } = makePhone();
  let tokens = 0;
  const connecting = phone.connect(async () => `token ${++tokens}`);
  await settle();
  report(registered());
  await connecting;
  report(INCOMING, { type: 'incoming', ...CALL, callId: 'call_2' });
  phone.mute(true, 'call_1');
  report({ type: 'closed', code: 1012, reason: 'service restart' });
  assert.deepEqual(events.at(-1), ['disconnected', { code: 1012, reason: 'service restart', willReconnect: true }]);
  t.mock.timers.tick(500);
  await settle();
  assert.deepEqual(calls.at(-1), ['open', 'token 2']);
  report(registered('call_1'), INCOMING);
  assert.deepEqual(
    events.slice(-2).map(([type, event]) => [type, (event as SoftphoneCall).id ?? null]),
    [
      ['ended', 'call_2'],
      ['registered', null],
    ],
  );
  assert.deepEqual(calls.at(-1), ['setMuted', 'call_1', true], 'a muted call stays muted');
});

test('a web client that was revoked or logged in elsewhere does not reconnect', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const code of [4403, 4408, 4409]) {
    const { phone, calls, report, events } = makePhone();
    const connecting = phone.connect(() => 'token');
    await settle();
    report(registered());
    await connecting;
    report({ type: 'closed', code, reason: 'x' });
    t.mock.timers.tick(60_000);
    await settle();
    assert.equal(calls.filter(([name]) => name === 'open').length, 1);
    assert.deepEqual(events.at(-1)?.[1], { code, reason: 'x', willReconnect: false });
  }
});

test('the queues of the web client are an event and a property, and its availability is a request', async () => {
  const { phone, report, calls } = await connected();
  const seen: unknown[] = [];
  phone.on('queues', (queues) => seen.push(queues));
  assert.deepEqual(phone.queues, []);
  const queues = [{ id: 'que_1', name: 'Support', availability: 'away' }] as const;
  report({ type: 'queues', queues });
  assert.deepEqual([phone.queues, seen], [queues, [queues]]);
  phone.setAvailability('available', 'que_1');
  phone.setAvailability('away');
  assert.deepEqual(calls.slice(-2), [
    ['setAvailability', 'available', 'que_1'],
    ['setAvailability', 'away', undefined],
  ]);
});
