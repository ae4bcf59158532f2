/**
 * The callers and the called of the benchmark of SIP, in a process of their own, whose processor time is not the
 * product's. Each order is answered with what became of its calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startPeople } from '../../test/sip/people.ts';
import { type PeopleOrder, type PeopleReady, type PeopleReport, type SetUp, TARGET_NUMBER } from './sip-order.ts';

/** What the target says, and how long a call may take to be answered. */
const TARGET_HZ = 700;
const ANSWER_MS_MAX = 10_000;
const FIRST_CALLER = 16_025_600_000;

type Call = { readonly sentMs: number; calledMs?: number; readonly answered: PromiseWithResolvers<number> };

const calls = new Map<string, Call>();
const people = await startPeople('127.0.0.1', (moment, number) => {
  const nowMs = performance.now();
  if (moment === 'answered') calls.get(number)?.answered.resolve(nowMs);
  // The target is called in the order in which its callers have called.
  const waiting = [...calls.values()].find(({ calledMs }) => calledMs === undefined);
  if (moment === 'called' && waiting !== undefined) waiting.calledMs = nowMs;
});
people.set(TARGET_NUMBER, { answersAfterMs: 0, frequencyHz: TARGET_HZ });
let callers = 0;

async function place({ enginePort, to, talkMs }: PeopleOrder): Promise<SetUp> {
  const caller = `+${FIRST_CALLER + callers++}`;
  const call: Call = { sentMs: performance.now(), answered: Promise.withResolvers() };
  calls.set(caller, call);
  await people.callIn(caller, to, enginePort);
  const timer = setTimeout(() => call.answered.reject(new Error(`${caller} is not answered`)), ANSWER_MS_MAX);
  const answeredAt = await call.answered.promise;
  clearTimeout(timer);
  calls.delete(caller);
  await sleep(talkMs);
  if (talkMs > 1_000 && !people.phoneOf(caller).hears(TARGET_HZ)) throw new Error(`${caller} does not hear the target`);
  people.hangUp(caller);
  if (call.calledMs === undefined) throw new Error(`${caller} was answered by no one`);
  return { calledMs: call.calledMs - call.sentMs, answeredMs: answeredAt - call.sentMs };
}

/** A call that fails ends the process. */
async function carryOut(order: PeopleOrder): Promise<PeopleReport> {
  const before = process.cpuUsage();
  const placed: Promise<SetUp>[] = [];
  for (let count = 0; count < order.calls; count++) {
    placed.push(place(order));
    await sleep(1_000 / order.perSecond);
  }
  const setUps = await Promise.all(placed);
  const { user, system } = process.cpuUsage(before);
  return { setUps, cpuUs: user + system };
}

process.on('message', (order: PeopleOrder) => {
  void carryOut(order).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
process.send?.({ port: people.port } satisfies PeopleReady);
