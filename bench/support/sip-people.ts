/**
 * The callers, the called people and the stream listeners of the SIP benchmark. They are in a separate process, so that
 * their processor time does not count as the product's. A call that fails ends the process.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { startPeople } from '../../test/sip/people.ts';
import { until } from '../../test/support/jobs.ts';
import {
  type Numbered,
  type PeopleOrder,
  type PeopleReady,
  type PeopleReport,
  type SetUp,
  TARGET_NUMBER,
} from './sip-order.ts';

type Of<Kind> = Extract<PeopleOrder, { do: Kind }>;
type Call = { readonly sentMs: number; calledMs?: number; readonly answered: PromiseWithResolvers<number> };

/** The tone of the target, and how long to wait for an answer or for audio. */
const TARGET_HZ = 700;
const HEARD_MS_MAX = 20_000;
/** A shorter call may end before audio arrives. */
const HEARD_CALL_MS_MIN = 1_000;
const FIRST_CALLER = 16_025_600_000;

const calls = new Map<string, Call>();
const people = await startPeople('127.0.0.1', (moment, number) => {
  const nowMs = performance.now();
  if (moment === 'answered') calls.get(number)?.answered.resolve(nowMs);
  // The target receives calls in the order of their callers.
  const waiting = [...calls.values()].find(({ calledMs }) => calledMs === undefined);
  if (moment === 'called' && waiting !== undefined) waiting.calledMs = nowMs;
});
people.set(TARGET_NUMBER, { answersAfterMs: 0, frequencyHz: TARGET_HZ });
let callers = 0;

async function callOnce({ enginePort, to, talkMs }: Of<'place'>): Promise<SetUp> {
  const caller = `+${FIRST_CALLER + callers++}`;
  const call: Call = { sentMs: performance.now(), answered: Promise.withResolvers() };
  calls.set(caller, call);
  await people.callIn(caller, to, enginePort);
  const timer = setTimeout(() => call.answered.reject(new Error(`${caller} is not answered`)), HEARD_MS_MAX);
  const answeredAt = await call.answered.promise;
  clearTimeout(timer);
  calls.delete(caller);
  await sleep(talkMs);
  hangUpHearing(caller, talkMs);
  if (call.calledMs === undefined) throw new Error(`${caller} was answered by no one`);
  return { calledMs: call.calledMs - call.sentMs, answeredMs: answeredAt - call.sentMs };
}

function hangUpHearing(number: string, talkMs: number): void {
  if (talkMs >= HEARD_CALL_MS_MIN && !people.phoneOf(number).hears(TARGET_HZ)) {
    throw new Error(`${number} does not hear the target`);
  }
  people.hangUp(number);
}

async function place(order: Of<'place'>): Promise<readonly SetUp[]> {
  const placed: Promise<SetUp>[] = [];
  for (let count = 0; count < order.calls; count++) {
    placed.push(callOnce(order));
    await sleep(1_000 / order.perSecond);
  }
  return await Promise.all(placed);
}

async function take({ agent, talkMs }: Of<'take'>): Promise<readonly SetUp[]> {
  const hears = () => people.listTalkers().includes(agent) && people.phoneOf(agent).hears(TARGET_HZ);
  await until(`${agent} hears the target`, hears, HEARD_MS_MAX);
  await sleep(talkMs);
  hangUpHearing(agent, talkMs);
  return [];
}

async function listen({ url, messagesMin }: Of<'listen'>): Promise<readonly SetUp[]> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let messages = 0;
  socket.on('message', () => messages++);
  await once(socket, 'close');
  if (messages < messagesMin) throw new Error(`a stream had ${messages} messages`);
  return [];
}

/** For each ended stream of a dialplan, its number of messages with audio. */
const streams: number[] = [];
const streamServer = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
streamServer.on('connection', (socket) => {
  let messages = 0;
  socket.on('message', (_, isBinary) => {
    if (isBinary) messages++;
  });
  socket.on('close', () => streams.push(messages));
});
await once(streamServer, 'listening');

async function check({ streams: expected, messagesMin }: Of<'check'>): Promise<readonly SetUp[]> {
  await until(`${expected} streams have ended`, () => streams.length >= expected, HEARD_MS_MAX);
  const ended = streams.splice(0);
  if (ended.length > expected || ended.some((messages) => messages < messagesMin)) {
    throw new Error(`${expected} streams had ${ended.join(', ')} messages`);
  }
  return [];
}

async function carryOut(order: PeopleOrder): Promise<PeopleReport> {
  if (order.do === 'place') return await place(order);
  if (order.do === 'check') return await check(order);
  return await (order.do === 'take' ? take(order) : listen(order));
}

process.on('message', ({ id, of }: Numbered<PeopleOrder>) => {
  void carryOut(of).then((report) => process.send?.({ id, of: report } satisfies Numbered<PeopleReport>));
});
process.on('disconnect', () => process.exit());
const { port: streamsPort } = streamServer.address() as AddressInfo;
process.send?.({ port: people.port, streamsPort } satisfies PeopleReady);
