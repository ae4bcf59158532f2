/**
 * The decisions of a queue: which callers it counts in, and which agents ring for which caller. One decision is one
 * transaction. It locks the queue, then the agents that it chooses (it skips agents that another queue has locked),
 * then one call. A commit that makes a match possible plans a job, and the job makes decisions until none is left.
 * Nothing is polled.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { DEFAULT_VOICEMAIL, targetsOfBehavior } from '../../numbers/index.ts';
import { stepCall } from '../calls/execution/executor.ts';
import { findRefused } from '../calls/place/refused-targets.ts';
import type { QueueInput, QueueOverflow, QueueSettings, RefusedTarget } from '../calls/state/queue-stage.ts';
import {
  type AgentNow,
  type DecidingQueue,
  dropStaleEntry,
  findFirst,
  findNewcomer,
  listAgentsNow,
  listWaiting,
  lockAgents,
  lockToDecide,
  takeTurns,
  type WaitingCaller,
} from './decision-queries.ts';
import { DECIDE_QUEUE, type DecideQueue } from './plan-decision.ts';

/** The most jobs of one run. A run handles jobs of the same queue together. */
const JOBS_MAX = 16;
/** The most callers that a decision tries to match with free agents, the longest waiting first. */
const CALLERS_TRIED = 20;
/** After this time the queue looks again at agents that another queue has locked. */
const LOCKED_AGAIN_MS = 200;

type QueueRef = Pick<Context, 'carriers'> & { readonly ledger: Ledger; readonly queueId: string };

/** Returns the handler of the decisions. */
export function createQueueDecider({ db, carriers }: Pick<Context, 'db' | 'carriers'>): JobHandler {
  const decideAll = async (jobs: readonly Job<DecideQueue>[]): Promise<void> => {
    const [first] = jobs;
    const ledger = first && (await findLedger(db, first.ledgerId));
    if (first === undefined || ledger === undefined) return;
    const queue = { carriers, ledger, queueId: first.payload.queueId };
    let isOver = false;
    while (!isOver) isOver = await db.transaction((tx) => decideOnce(tx, queue, jobs));
  };
  const handler: JobHandler<DecideQueue> = {
    kind: DECIDE_QUEUE,
    queue: 'voice',
    batchMax: JOBS_MAX,
    run: async (jobs) => {
      const byQueue = Map.groupBy(jobs, ({ ledgerId, payload }) => `${ledgerId}:${payload.queueId}`);
      for (const ofQueue of byQueue.values()) await decideAll(ofQueue);
    },
  };
  return handler as JobHandler;
}

/** Makes one decision. If no decision is left, completes the jobs and returns true. */
async function decideOnce(tx: Tx, ref: QueueRef, jobs: readonly Job[]): Promise<boolean> {
  const queue = await lockToDecide(tx, ref.ledger, ref.queueId);
  if (await (queue === undefined ? dismissCaller(tx, ref) : decideNext(tx, ref, queue))) return false;
  await completeJobs(tx, jobs);
  return true;
}

/** Sends a caller of a queue that was deleted with its tenant to the voicemail. Returns false if no caller is left. */
async function dismissCaller(tx: Tx, ref: QueueRef): Promise<boolean> {
  const callId = await findFirst(tx, ref.ledger, ref.queueId);
  if (callId === undefined) return false;
  const overflow = { behavior: DEFAULT_VOICEMAIL, refused: [] };
  await decideAbout(tx, ref, callId, [{ type: 'queue_full', queueId: ref.queueId, position: null, overflow }]);
  return true;
}

async function decideNext(tx: Tx, ref: QueueRef, queue: DecidingQueue): Promise<boolean> {
  const newcomer = await findNewcomer(tx, ref.ledger, ref.queueId);
  if (newcomer !== undefined) {
    await countIn(tx, ref, queue, newcomer);
    return true;
  }
  return offerAgents(tx, ref, queue);
}

/** Counts a caller in. If there is no room, the caller continues with the overflow. */
async function countIn(
  tx: Tx,
  ref: QueueRef,
  queue: DecidingQueue,
  caller: WaitingCaller & { readonly before: number },
): Promise<void> {
  const { call_id, before } = caller;
  const overflow = await overflowOf(tx, ref, queue, caller);
  const about = { queueId: ref.queueId, position: before + 1 };
  const input: QueueInput =
    before < queue.max_waiting
      ? { type: 'queue_admitted', ...about, settings: settingsOf(queue, overflow) }
      : { type: 'queue_full', ...about, overflow };
  await decideAbout(tx, ref, call_id, [input]);
}

async function overflowOf(
  tx: Tx,
  ref: QueueRef,
  { overflow: behavior }: DecidingQueue,
  caller: WaitingCaller,
): Promise<QueueOverflow> {
  return { behavior, refused: await refusedFor(tx, ref, caller, targetsOfBehavior(behavior)) };
}

/** Returns the targets that may not be rung for the caller. */
function refusedFor(
  tx: Tx,
  { carriers, ledger }: QueueRef,
  { tenant_id: tenantId, to: number, connection_id: connectionId }: WaitingCaller,
  targets: readonly string[],
): Promise<RefusedTarget[]> {
  return findRefused(tx, ledger, carriers, { tenantId, number, connectionId, targets });
}

function settingsOf(queue: DecidingQueue, overflow: QueueOverflow): QueueSettings {
  const { ring_seconds, max_wait_seconds, announce_position_seconds: announce, callback_digit: callbackDigit } = queue;
  return {
    name: queue.name,
    ringMs: ring_seconds * 1000,
    maxWaitMs: max_wait_seconds * 1000,
    announceMs: announce === null ? null : announce * 1000,
    callbackDigit,
    overflow,
  };
}

/**
 * Lets free agents ring for the caller who has waited longest. Returns false if no free agent can ring for a caller.
 */
async function offerAgents(tx: Tx, ref: QueueRef, { strategy }: DecidingQueue): Promise<boolean> {
  const { ledger, queueId } = ref;
  const waiting = await listWaiting(tx, ledger, { queueId, rows: CALLERS_TRIED });
  if (waiting.length === 0) return false;
  const agents = await listAgentsNow(tx, ledger, queueId);
  let free = agents.flatMap(({ agent, state }) => (state === 'available' ? [agent] : []));
  let isLocked = false;
  for (const caller of waiting) {
    if (free.length === 0) break;
    const refused = new Set((await refusedFor(tx, ref, caller, free)).map(({ target }) => target));
    const wanted = free.filter((agent) => agent !== caller.from && !refused.has(agent));
    const chosen = await choose(tx, ref, wanted, strategy === 'ring_all' ? wanted.length : 1);
    if (chosen.length > 0) {
      await takeTurns(tx, ledger, chosen);
      await decideAbout(tx, ref, caller.call_id, [{ type: 'queue_offer', queueId, agents: chosen }]);
      return true;
    }
    isLocked ||= wanted.length > 0;
    // The next decision starts with this caller again. So an agent that becomes free now must not go to a later caller.
    free = free.filter((agent) => !wanted.includes(agent));
  }
  await planNext(tx, ref, agents, isLocked);
  return false;
}

/** Locks the first agents that no other queue has locked. Reads again after the lock whether they are free. */
async function choose(tx: Tx, ref: QueueRef, wanted: readonly string[], most: number): Promise<string[]> {
  const chosen: string[] = [];
  for (let at = 0; at < wanted.length && chosen.length < most; at += most) {
    const locked = await lockAgents(tx, ref.ledger, wanted.slice(at, at + most));
    if (locked.length === 0) continue;
    const now = await listAgentsNow(tx, ref.ledger, ref.queueId);
    const isFree = new Set(now.flatMap(({ agent, state }) => (state === 'available' ? [agent] : [])));
    chosen.push(...locked.filter((agent) => isFree.has(agent)));
  }
  return chosen;
}

/** Plans a decision for the time when the next agent becomes free without an event. */
async function planNext(
  tx: Tx,
  { ledger: { ledgerId }, queueId }: QueueRef,
  agents: readonly AgentNow[],
  isLocked: boolean,
): Promise<void> {
  const id = `${DECIDE_QUEUE}:${queueId}:next`;
  const times = agents.flatMap(({ free_in_ms }) => free_in_ms ?? []);
  const delayMs = Math.min(...times, ...(isLocked ? [LOCKED_AGAIN_MS] : []));
  await cancelJobs(tx, ledgerId, [id]);
  if (!Number.isFinite(delayMs)) return;
  const payload: DecideQueue = { queueId };
  await enqueue(tx, [{ ledgerId, id, queue: 'voice', kind: DECIDE_QUEUE, payload, delayMs }]);
}

/** Passes a decision to a call. If the call no longer waits in the queue, drops its place. */
async function decideAbout(tx: Tx, ref: QueueRef, callId: string, inputs: readonly QueueInput[]): Promise<void> {
  const { ledger, queueId } = ref;
  const stepped = await stepCall(tx, ledger, callId, inputs);
  const stage = stepped?.call.stage;
  if (stage?.name !== 'queued' || stage.queueId !== queueId) await dropStaleEntry(tx, ledger, { callId, queueId });
}
