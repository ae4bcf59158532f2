import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gate, silentLog, until } from '../../../test/support/jobs.ts';
import { skip } from '../../../test/support/stepping-time.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { createMetrics } from '../../lib/metrics.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { MessagingPort } from '../ports/messaging.ts';
import type { NumbersPort } from '../ports/numbers.ts';
import type { PortInOrder, PortingPort } from '../ports/porting.ts';
import { requestSignal } from '../ports/request-signal.ts';
import type { VoicePort } from '../ports/voice.ts';
import { createGuard, type GuardSettings } from './guard.ts';
import { telnyxDialect } from './media-dialects.ts';

const ledger: Ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'live' };
const ORDER = { ref: 'num_1', phoneNumber: '+16025550100', tenant: { id: 'tnt_1', name: 'Tenant' } };
const MESSAGE = { ref: 'msg_1', from: '+16025550100', to: '+16025550101', body: 'Hi', mediaUrls: [] };

type Send = MessagingPort['send'];

/** Guards a messaging port. `send` answers its sends. The clock of the circuit does not move. */
function guarded(send: Send, settings: Partial<GuardSettings> = {}) {
  const metrics = createMetrics();
  const clock = { ms: 0 };
  const guard = createGuard({ connection: 'ccn_1', log: silentLog, metrics, settings, now: () => clock.ms });
  const port = guard.wrap<MessagingPort>({ send, findSend: async () => ({ found: 'undecided' }) }, 'messaging');
  return { guard, metrics, clock, port, send: () => port.send(ledger, MESSAGE) };
}

const never = <Answer>() => new Promise<Answer>(() => undefined);

test('a request ends in time: a command is unknown, a question undecided, a read is carrier_unavailable', async () => {
  const settings = { requestMsMax: 5, transferMsMax: 5 };
  const guard = createGuard({ connection: 'ccn_1', log: silentLog, metrics: createMetrics(), settings });
  const numbers = guard.wrap<Partial<NumbersPort>>({ search: never, order: never, findOrder: never }, 'numbers');
  const voice = guard.wrap<Partial<VoicePort>>({ fetchRecording: never }, 'voice');
  assert.equal((await numbers.order?.(ledger, ORDER))?.outcome, 'unknown');
  assert.deepEqual(await numbers.findOrder?.(ledger, ORDER), { found: 'undecided' });
  const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'carrier_unavailable';
  await assert.rejects(async () => numbers.search?.(ledger, { limit: 1 }), isUnavailable);
  await assert.rejects(async () => voice.fetchRecording?.(ledger, 'rec_1'), isUnavailable);
});

test('a port-in, which may carry documents, has more time than other commands', async () => {
  const reply = gate();
  const settings = { requestMsMax: 5 };
  const guard = createGuard({ connection: 'ccn_1', log: silentLog, metrics: createMetrics(), settings });
  const submitPortIn = async () => {
    await reply.opened;
    return { outcome: 'accepted' } as const;
  };
  const porting = guard.wrap<Partial<PortingPort>>({ submitPortIn, cancelPortIn: never }, 'porting');
  const submission = porting.submitPortIn?.(ledger, {} as PortInOrder);
  assert.equal((await porting.cancelPortIn?.(ledger, 'port_1'))?.outcome, 'unknown');
  reply.open();
  assert.deepEqual(await submission, { outcome: 'accepted' });
});

test('an unknown answer says when the request that ran out of time has really ended', async () => {
  const reply = gate();
  const { send } = guarded(
    async () => {
      await reply.opened;
      return { outcome: 'accepted' };
    },
    { requestMsMax: 5 },
  );
  const answer = await send();
  assert.ok(answer.outcome === 'unknown');
  let hasEnded = false;
  const ended = answer.ended?.then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasEnded, false);
  reply.open();
  await ended;
});

test('the signal of a request closes its connection when it runs out of time', async () => {
  const open = gate();
  const closed = gate();
  const server = createServer((request) => {
    open.open();
    request.on('close', closed.open);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { send } = guarded(
    async () => {
      const signal = requestSignal();
      assert.ok(signal !== undefined);
      await fetch(url, { signal });
      return { outcome: 'accepted' };
    },
    { requestMsMax: 2_000 },
  );
  assert.equal((await send()).outcome, 'unknown');
  await Promise.all([open.opened, closed.opened]);
  assert.equal(requestSignal(), undefined);
  server.close();
});

test('no more requests than the bound are made at a time; later ones wait in order, and those beyond are busy', async () => {
  const replies: (() => void)[] = [];
  const { guard, send } = guarded(
    () => new Promise((resolve) => replies.push(() => resolve({ outcome: 'accepted' }))),
    { concurrencyMax: 2, waitingPerSlot: 1, waitMsMax: 60_000 },
  );
  const sends = Array.from({ length: 4 }, send);
  assert.deepEqual(await send(), { outcome: 'unavailable', retryAfterMs: 2_000, cause: 'busy' });
  assert.equal(replies.length, 2);
  assert.equal(guard.list()[0]?.inFlight, 2);
  replies[0]?.();
  await sends[0];
  await until('the third request is made', () => replies.length === 3);
  replies[1]?.();
  await until('the fourth request is made', () => replies.length === 4);
  for (const reply of replies) reply();
  assert.deepEqual(await Promise.all(sends), Array(4).fill({ outcome: 'accepted' }));
  assert.equal(guard.list()[0]?.inFlight, 0);
});

test('a request that waits too long is not made', async () => {
  let made = 0;
  const reply = gate();
  const { send } = guarded(
    async () => {
      made++;
      await reply.opened;
      return { outcome: 'accepted' };
    },
    { concurrencyMax: 1, waitMsMax: 5 },
  );
  const first = send();
  assert.deepEqual(await send(), { outcome: 'unavailable', retryAfterMs: 2_000, cause: 'busy' });
  reply.open();
  assert.deepEqual([await first, made], [{ outcome: 'accepted' }, 1]);
});

test('capabilities, reads and connections share no slots', async () => {
  const settings = { concurrencyMax: 1, waitingPerSlot: 0 };
  const make = () => createGuard({ connection: 'ccn_1', log: silentLog, metrics: createMetrics(), settings });
  const reply = gate();
  const accept = async () => ({ outcome: 'accepted' }) as const;
  const acceptLate = async () => {
    await reply.opened;
    return { outcome: 'accepted' } as const;
  };
  const searchLate = async () => {
    await reply.opened;
    return [];
  };
  const guard = make();
  const order = async () => ({ outcome: 'rejected', reason: 'number_unavailable' }) as const;
  const numbers = guard.wrap<Partial<NumbersPort>>({ search: searchLate, order }, 'numbers');
  const messaging = (send: Send) => ({ send, findSend: never }) as MessagingPort;
  const slow = [
    numbers.search?.(ledger, { limit: 1 }),
    guard.wrap(messaging(acceptLate), 'messaging').send(ledger, MESSAGE),
  ];
  assert.equal((await numbers.order?.(ledger, ORDER))?.outcome, 'rejected');
  assert.deepEqual(await make().wrap(messaging(accept), 'messaging').send(ledger, MESSAGE), { outcome: 'accepted' });
  reply.open();
  await Promise.all(slow);
});

const FAILURES: Record<string, Send> = {
  'that throw': () => Promise.reject(new Error('socket hang up')),
  'that run out of time': never,
  'with an unknown outcome': async () => ({ outcome: 'unknown' }),
  'to an unreachable carrier': async () => ({ outcome: 'unavailable', cause: 'unreachable' }),
};

for (const [which, failing] of Object.entries(FAILURES)) {
  test(`after requests ${which} none is made for a while, and then one as a probe`, async () => {
    let send: Send = failing;
    let made = 0;
    const { guard, clock, metrics, ...rest } = guarded(
      (...args) => {
        made++;
        return send(...args);
      },
      { failuresMax: 3, requestMsMax: 5_000 },
    );
    for (let n = 0; n < 3; n++) {
      const failed = rest.send().catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      if (failing === never) await skip(5_000);
      await failed;
      await rest.port.findSend(ledger, 'msg_1');
    }
    assert.deepEqual(await rest.send(), { outcome: 'unavailable', retryAfterMs: 5_000, cause: 'unreachable' });
    assert.deepEqual(await rest.port.findSend(ledger, 'msg_1'), { found: 'undecided' });
    assert.deepEqual([made, guard.list()[0]?.circuit], [3, 'open']);
    clock.ms = 5_000;
    const probe = gate();
    send = async () => {
      await probe.opened;
      return { outcome: 'accepted' };
    };
    const probed = rest.send();
    await until('the probe is made', () => made === 4);
    assert.equal((await rest.send()).outcome, 'unavailable', 'one probe at a time');
    probe.open();
    assert.deepEqual(await probed, { outcome: 'accepted' });
    assert.deepEqual(await rest.send(), { outcome: 'accepted' });
    assert.match(
      await metrics.scrape(),
      /requests_cut_total\{connection="ccn_1",capability="messaging",reason="circuit_open"\} 4/,
    );
  });
}

test('a refusal after consideration opens no circuit', async () => {
  const answers: Awaited<ReturnType<Send>>[] = [
    { outcome: 'rejected', reason: 'spam_blocked' },
    { outcome: 'unavailable', retryAfterMs: 1_000 },
  ];
  for (const answer of answers) {
    const { send } = guarded(async () => answer, { failuresMax: 1 });
    for (let n = 0; n < 3; n++) assert.deepEqual(await send(), answer);
  }
});

test('other properties of a port are its own', () => {
  const guard = createGuard({ connection: 'ccn_1', log: silentLog, metrics: createMetrics() });
  const limits = { ringMsMax: 1, callMsMax: 2 };
  const audio = { dialect: telnyxDialect };
  const port = guard.wrap<Partial<VoicePort>>({ limits, audio }, 'voice');
  assert.equal(port.limits, limits);
  assert.equal(port.audio, audio);
});
