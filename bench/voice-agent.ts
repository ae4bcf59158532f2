/**
 * Measures the time from a call's arrival to the application's first audio that the caller hears. One client opens its
 * stream when the webhook arrives, another when the event arrives on the realtime socket. The time starts with
 * `created_at` of the event `call.started`, and ends when the stream has the application's own audio on the track that
 * the caller hears. The simulated carrier adds no time.
 *
 *   --calls N   calls of each client      --beside N   other calls that are running
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { createCaller } from '../test/support/caller.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { buyNumber, expectBody, person } from './support/numbers.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { startBenchProduct } from './support/product.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '60' }, beside: { type: 'string', default: '100' } },
});
const CALLS = Number(values.calls);
const BESIDE = Number(values.beside);
const TARGET_MS = 400;

/** The times of one call, by the clock of `performance`. */
type Moments = { stored: number; told: number; opened: number; started: number; heard: number };

const postgres = await startBenchPostgres();
const { product, accounts, url } = await startBenchProduct(postgres.url, {
  names: ['One'],
  work: true,
  serveMedia: true,
});
const receiver = await startReceiver();
const call = createCaller(url, accounts[0]?.test_key as string);
const ws = url.replace('http', 'ws');

type Told = Pick<Moments, 'stored' | 'told'>;

/** Calls that have arrived and whose event has not reached the client yet. */
const waiting = new Map<string, (told: Told) => void>();
/** Events that reached a client before this program knew the call. */
const told = new Map<string, Told>();

function tell(callId: string, createdAt: string): void {
  const now = { stored: Date.parse(createdAt) - performance.timeOrigin, told: performance.now() };
  if (waiting.has(callId)) waiting.get(callId)?.(now);
  else told.set(callId, now);
}
const untilTold = (callId: string) => told.get(callId) ?? new Promise<Told>((resolve) => waiting.set(callId, resolve));

/** The audio that the application plays. No other sound of a simulated call has these bytes. */
const FRAME = Buffer.alloc(160, 0x2a);

/** Makes a call arrive, opens a stream when the client gets the event, and hangs up. */
async function answerOne(to: string): Promise<Moments> {
  const { id } = await expectBody(call('POST', '/v1/test/inbound_calls', { body: { from: person(), to } }));
  const arrival = await untilTold(id);
  const { url: address, token } = await expectBody(
    call('POST', `/v1/calls/${id}/streams`, { body: { direction: 'bidirectional' } }),
  );
  const opened = performance.now();
  const socket = new WebSocket(`${ws}${new URL(address).pathname}?token=${token}`, { perMessageDeflate: false });
  let started = 0;
  const heard = await new Promise<number>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the stream has ended')));
    socket.on('message', (text) => {
      const { event, track, payload } = JSON.parse(String(text));
      if (event === 'start') {
        started = performance.now();
        const message = { event: 'media', payload: Buffer.concat([FRAME, FRAME, FRAME]).toString('base64') };
        socket.send(JSON.stringify(message));
      }
      if (event === 'media' && track === 'outbound' && Buffer.from(payload, 'base64').equals(FRAME)) {
        resolve(performance.now());
      }
    });
  });
  const over = once(socket, 'close');
  socket.removeAllListeners('close');
  await expectBody(call('POST', `/v1/calls/${id}/hangup`));
  socket.close();
  await Promise.race([over, once(socket, 'close')]);
  return { ...arrival, opened, started, heard };
}

async function round(name: string, to: string): Promise<void> {
  const all: Moments[] = [];
  for (let n = 0; n < CALLS; n++) all.push(await answerOne(to));
  const show = (part: (moments: Moments) => number) => {
    const sorted = all.map(part).sort((a, b) => a - b);
    return `${median(sorted).toFixed(0)} (p99 ${percentile(sorted, 0.99).toFixed(0)})`;
  };
  console.log(
    `${name}, ${load()}: ${show(({ stored, heard }) => heard - stored)} ms, target ${TARGET_MS}; ` +
      `event ${show((one) => one.told - one.stored)}, stream made ${show((one) => one.opened - one.told)}, ` +
      `connected ${show((one) => one.started - one.opened)}, heard ${show((one) => one.heard - one.started)}`,
  );
}

/** Makes a number that the application answers. */
async function makeDesk(): Promise<{ numberId: string; e164: string }> {
  const numberId = await buyNumber(call);
  const number = await expectBody(call('GET', `/v1/phone_numbers/${numberId}`));
  const open_behavior = { type: 'ring', targets: ['application'] };
  const body = { tenant_id: number.tenant_id, name: 'Agent', open_behavior };
  const config = await expectBody(call('POST', '/v1/routing_configs', { body }));
  await expectBody(call('PATCH', `/v1/phone_numbers/${numberId}`, { body: { routing_config_id: config.id } }));
  return { numberId, e164: number.phone_number };
}

/** Keeps calls running until the returned function is called. */
function keepTalking(from: string): () => void {
  const place = () =>
    call('POST', '/v1/calls', { body: { from, to: person(), connect_to: person() } }).catch(() => undefined);
  // A simulated call lasts about 18 s.
  const timer = setInterval(place, 18_000 / BESIDE);
  return () => clearInterval(timer);
}

async function rounds(to: string, beside: string): Promise<void> {
  const made = await expectBody(
    call('POST', '/v1/webhook_endpoints', { body: { url: receiver.url, enabled_events: ['call.started'] } }),
  );
  receiver.answer(({ event }) => {
    tell(event.resource_id, event.created_at);
    return {};
  });
  await round(`on the webhook${beside}`, to);
  await expectBody(call('DELETE', `/v1/webhook_endpoints/${made.id}`));
  const { token } = await expectBody(call('POST', '/v1/realtime/tokens', { body: {} }));
  const events = new WebSocket(`${ws}/v1/realtime?token=${token}`);
  events.on('message', (text) => {
    const { type, data, created_at } = JSON.parse(String(text));
    if (type === 'call.started') tell(data.id, created_at);
  });
  await once(events, 'open');
  await round(`on the realtime socket${beside}`, to);
  events.close();
}

try {
  const { numberId, e164 } = await makeDesk();
  await rounds(e164, '');
  const stop = keepTalking(numberId);
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  await rounds(e164, `, beside ${BESIDE} calls`);
  stop();
} finally {
  await receiver.close();
  await product.close();
  await postgres.stop();
}
