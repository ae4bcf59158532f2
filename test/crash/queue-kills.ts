/**
 * A queue whose decisions run on workers that are killed. Callers come and talk at random moments of the ledger's time.
 * As a seed chooses, a worker dies before a decision commits or just after it, or another worker runs the same job at
 * the same time. Reports of the carrier come twice.
 */
import assert from 'node:assert/strict';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { VoiceInstruction } from '../../src/carriers/ports/voice.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import { createQueueDecider } from '../../src/domain/voice/index.ts';
import { LeaseLostError } from '../../src/queue/worker/lease.ts';
import { route } from '../support/calls.ts';
import { testLedger } from '../support/events.ts';
import { createRandom } from '../support/fault-rules.ts';
import { sql } from '../support/jobs.ts';
import { newPerson, read } from '../support/messages.ts';
import { makeLine } from '../support/numbers.ts';
import { ring, type useScriptedLine } from '../support/voice.ts';

export type QueuePlan = {
  readonly callers: number;
  readonly agents: number;
  /** Mean time from one caller to the next, and of a talk; both exponential. */
  readonly everyMs: number;
  readonly talkMs: number;
  readonly seed: number;
};

type Scripted = Awaited<ReturnType<typeof useScriptedLine>>;
type Leg = { readonly callId: string; readonly agent: string };
type Caller = Awaited<ReturnType<typeof ring>>;

const DECIDE = 'decide-queue';
/** The statement that begins a decision. */
const LOCK = 'queues_lock_to_decide';

/**
 * Plays the callers. Fails unless each caller is offered to one agent, once, in the order of arrival, and no agent has
 * two callers. After all due work is done, no caller may wait while an agent is free.
 * @returns figures of the run, one a line
 */
export async function playQueue({ harness, voice }: Scripted, plan: QueuePlan): Promise<string[]> {
  const { context } = harness;
  const { db } = context;
  const random = createRandom(plan.seed);
  const exponential = (meanMs: number) => -meanMs * Math.log(1 - random());
  const { queueId, number } = await makeQueue(harness, plan.agents);

  const due: { readonly atMs: number; readonly act: () => Promise<void> }[] = [];
  const arrived: Caller[] = [];
  const offered: string[] = [];
  const legs = new Map<string, Leg>();
  const busy = new Set<string>();
  const rivals: Promise<unknown>[] = [];
  const job = { ledgerId: await testLedger(harness), id: 'lost', kind: DECIDE, payload: { queueId }, attempt: 1 };
  const undisturbed = { ...context, db: { ...db } };
  const { kills, stop } = killDecisions(db, createRandom(plan.seed + 1), () => {
    const runs = createQueueDecider(undisturbed).run([{ ...job, leaseToken: 'lost' }]);
    rivals.push(
      (runs as Promise<void>).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
  });
  let seen = voice.commands.length;

  const nowMs = async () => (await sql<{ ms: number }>(db, CLOCK, [queueId]))[0]?.ms ?? Number.NaN;
  const plans = async (inMs: number, act: () => Promise<void>) => {
    due.push({ atMs: (await nowMs()) + inMs, act });
    due.sort((one, other) => one.atMs - other.atMs);
  };
  const report = async (...events: CarrierEvent[]) => {
    await voice.report(...events);
    if (random() < 0.2) await voice.report(...events);
  };

  const arrive = async () => {
    arrived.push(await ring(voice, number));
    if (arrived.length < plan.callers) await plans(exponential(plan.everyMs), arrive);
  };
  const hangUp = ({ id: callRef, legRef }: Caller) => report({ type: 'leg.ended', callRef, legRef, cause: 'hangup' });

  /** Answers a dial as its agent, and ends a leg that is hung up. */
  const follow = async (callRef: string, instruction: VoiceInstruction) => {
    if (instruction.do === 'dial') {
      const { legRef, to: agent } = instruction;
      assert.ok(!busy.has(agent), `${agent} rings for a second caller`);
      busy.add(agent);
      legs.set(legRef, { callId: callRef, agent });
      offered.push(callRef);
      await report({ type: 'leg.ringing', callRef, legRef }, { type: 'leg.answered', callRef, legRef });
      const caller = arrived.find(({ id }) => id === callRef) as Caller;
      await plans(exponential(plan.talkMs), () => hangUp(caller));
    }
    const leg = instruction.do === 'hang_up' ? legs.get(instruction.legRef) : undefined;
    if (leg === undefined || instruction.do !== 'hang_up' || !legs.delete(instruction.legRef)) return;
    busy.delete(leg.agent);
    await report({ type: 'leg.ended', callRef, legRef: instruction.legRef, cause: 'hangup' });
  };

  /** Makes the jobs of killed workers due again. Returns false if there are none. */
  const repeatKilled = async () => {
    for (const error of await Promise.all(rivals.splice(0))) assert.ok(error instanceof LeaseLostError, String(error));
    const text = `update jobs set lease_token = null, attempts = 0, run_at = clock_timestamp(), due_at = clock_timestamp()
      where kind = $1 and attempts > 0 returning 1`;
    return (await sql(db, text, [DECIDE])).length > 0;
  };

  const settle = async () => {
    for (let isOver = false; !isOver; ) {
      const before = offered.length;
      await harness.advance(0);
      const { commands } = voice;
      isOver = !(await repeatKilled()) && seen === commands.length;
      for (; seen < commands.length; seen++) {
        const { callRef, instruction } = commands[seen] as (typeof commands)[number];
        await follow(callRef, instruction);
      }
      const last = arrived.slice(before, offered.length).map(({ id }) => id);
      assert.deepEqual(offered.slice(before).toSorted(), last.toSorted(), 'callers are offered in another order');
    }
    const queue = await read(harness, `/queues/${queueId}`);
    const free = queue.agents.filter(({ state }: { state: string }) => state === 'available').length;
    assert.ok(free === 0 || queue.waiting === 0, `${queue.waiting} callers wait beside ${free} free agents`);
  };

  await plans(0, arrive);
  for (let next = due.shift(); next !== undefined; next = due.shift()) {
    const waitMs = next.atMs - (await nowMs());
    if (waitMs > 0) await harness.advance(waitMs / 1000);
    await next.act();
    await settle();
  }
  stop();
  return [
    `seed ${plan.seed}: ${plan.callers} callers, ${plan.agents} agents, ${JSON.stringify(kills)}`,
    compare(await readEnds(db, queueId, plan.callers), plan),
  ];
}

const CLOCK = `select extract(epoch from ledger_now(ledger_id))::float8 * 1000 as ms from queues where id = $1`;

class Killed extends Error {}

/**
 * Until `stop`, makes workers die during their decisions, or calls `beside`, which runs the same decision concurrently.
 * @returns the counts until now
 */
function killDecisions(db: Database, random: () => number, beside: () => void) {
  const mutable = db as { transaction: Database['transaction'] };
  const { transaction } = db;
  const kills = { uncommitted: 0, committed: 0, beside: 0 };
  mutable.transaction = async (work, options) => {
    let dice = 1;
    const result = await transaction(async (tx) => {
      const watched: Tx = {
        ...tx,
        query: (statement, values) => {
          if (statement.name === LOCK) dice = random();
          return tx.query(statement, values);
        },
      };
      const worked = await work(watched);
      if (dice >= 0.2) return worked;
      kills.uncommitted++;
      throw new Killed();
    }, options);
    if (dice < 0.4) {
      kills.committed++;
      throw new Killed();
    }
    if (dice < 0.6) {
      kills.beside++;
      beside();
    }
    return result;
  };
  const stop = () => {
    mutable.transaction = transaction;
  };
  return { kills, stop };
}

async function makeQueue(harness: Scripted['harness'], agents: number): Promise<{ queueId: string; number: string }> {
  const line = await makeLine(harness);
  const body = {
    tenant_id: line.tenantId,
    name: 'Support',
    agents: Array.from({ length: agents }, newPerson),
    ...{ ring_seconds: 120, max_waiting: 1_000, max_wait_seconds: 14_400 },
  };
  const made = await harness.call('POST', '/v1/queues', { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await route(harness, line, { open_behavior: { type: 'queue', queue_id: made.body.id } });
  return { queueId: made.body.id, number: line.number.phone_number };
}

type Ended = {
  readonly status: string;
  readonly queued: number;
  readonly reasons: string[];
  readonly waited_ms: number;
};

const ENDED = `select c.status,
    (select count(*)::int from events e where e.resource_id = c.id and e.type = 'call.queued') as queued,
    array(select e.data ->> 'reason' from events e where e.resource_id = c.id and e.type = 'call.dequeued') as reasons,
    extract(epoch from (select l.at from call_events l where l.call_id = c.id and l.type = 'dequeued') - c.started_at)::float8
      * 1000 as waited_ms
  from calls c where exists (
    select 1 from events e where e.resource_id = c.id and e.type = 'call.queued' and e.data ->> 'queue_id' = $1)`;

/** Fails unless each caller has waited and left once, answered. Returns how long they waited. */
async function readEnds(db: Database, queueId: string, callers: number): Promise<number[]> {
  const calls = await sql<Ended>(db, ENDED, [queueId]);
  assert.equal(calls.length, callers);
  for (const { status, queued, reasons } of calls) {
    assert.deepEqual([status, queued, reasons], ['completed', 1, ['answered']]);
  }
  return calls.map(({ waited_ms }) => waited_ms);
}

/** Shorter waits are caused by the machine, and do not count as waits for an agent. */
const AT_ONCE_MS = 3_000;

/** Compares the waits with the waits of an M/M/c queue (Erlang C) in its steady state. */
function compare(waitedMs: readonly number[], { agents, everyMs, talkMs }: QueuePlan): string {
  const load = talkMs / everyMs;
  let term = 1;
  let sum = 0;
  for (let k = 0; k < agents; k++) {
    sum += term;
    term *= load / (k + 1);
  }
  const full = (term * agents) / (agents - load);
  const waits = full / (sum + full);
  const meanMs = (waits * talkMs) / (agents - load);
  const measuredMs = waitedMs.reduce((total, ms) => total + ms, 0) / waitedMs.length;
  const share = waitedMs.filter((ms) => ms > AT_ONCE_MS).length / waitedMs.length;
  const percent = (part: number) => `${Math.round(part * 100)}%`;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return `waited: ${percent(share)}, on average ${seconds(measuredMs)}; M/M/${agents}: ${percent(waits)}, ${seconds(meanMs)}`;
}
