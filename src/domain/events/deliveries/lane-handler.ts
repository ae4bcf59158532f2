/**
 * Sends webhook deliveries. A lane holds the waiting deliveries of one resource to one endpoint. It is drained in
 * order, one delivery at a time, so that an event is never sent before the previous one was delivered or given up. A
 * failure ends the drain: the whole lane waits for the next attempt. Other lanes of the endpoint continue.
 */
import type { Context } from '../../../context.ts';
import { type Batcher, createBatcher } from '../../../lib/concurrency/batcher.ts';
import type { Mode } from '../../../lib/scope.ts';
import { monotonicMs } from '../../../lib/time/time.ts';
import { type Lane, type LaneHandler, laneLost } from '../../../queue/lanes/lane.ts';
import { endLane, releaseLane, settleLaneItems } from '../../../queue/lanes/lanes.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { disableEndpoint } from '../webhook-endpoints/disable-endpoint.ts';
import { beginFailing } from '../webhook-endpoints/failing-endpoints.ts';
import { markWorking } from '../webhook-endpoints/queries.ts';
import { attemptDelivery, renderEnvelope } from './attempt.ts';
import { type Concurrency, createConcurrency, type Slot } from './concurrency.ts';
import { createLaneLog, type LaneLog } from './lane-log.ts';
import {
  giveUpLane,
  type LaneProgress,
  type LaneToLoad,
  type LoadedItem,
  type LoadedLane,
  loadLanes,
  pauseLanesOf,
  type Recorded,
  recordAttempts,
} from './lane-queries.ts';
import { WEBHOOK_RETRY_SLACK_MS } from './retry-schedule.ts';
import { type AttemptResult, isGone, judge, type Outcome } from './rules.ts';
import { createTargets, type Target } from './targets.ts';

/** Most claimed lanes in one process, over all endpoints. */
const LANES_MAX = 1_024;
/** The number of deliveries that are read before the running one ends. */
const ITEMS_AHEAD = 8;
/** A long lane is released after this many items, so that others of its endpoint are claimed. */
const ITEMS_PER_CLAIM = 64;
const CLAIM_MS = 30_000;

const BATCH_ROWS_MAX = 256;
/**
 * A record may wait for the lock of a lane while a transaction adds items. A second record starts after
 * RECORD_BESIDE_MS.
 */
const RECORDS_MAX = 2;
const RECORD_BESIDE_MS = 25;

type Needs = Pick<Context, 'db' | 'cipher' | 'clock' | 'log' | 'metrics' | 'outbound'>;

type Sender = {
  readonly context: Needs;
  readonly concurrency: Concurrency;
  readonly targetOf: ReturnType<typeof createTargets>;
  readonly load: Batcher<LaneToLoad, LoadedLane | undefined>;
  readonly record: Batcher<LaneProgress, Recorded | undefined>;
  readonly pause: Batcher<Lane, boolean>;
};

/** Returns the handler of webhook lanes for this process. */
export function createDeliveryLanes(context: Needs): LaneHandler {
  const { db, metrics } = context;
  const shared = (batch: string) => ({
    rowsMax: BATCH_ROWS_MAX,
    concurrencyMax: 1,
    onBatch: (rows: number) => metrics.batchSize.observe({ batch }, rows),
  });
  let announce: () => void = () => undefined;
  const sender: Sender = {
    context,
    concurrency: createConcurrency({ onCapacity: () => announce() }),
    targetOf: createTargets(context),
    load: createBatcher({ ...shared('webhook_load'), run: (lanes) => loadLanes(db, WEBHOOK_LANES, lanes) }),
    record: createBatcher({
      ...shared('webhook_record'),
      concurrencyMax: RECORDS_MAX,
      besideMs: RECORD_BESIDE_MS,
      run: (made) => recordAttempts(db, WEBHOOK_LANES, made),
    }),
    pause: createBatcher({ ...shared('webhook_hold'), run: (lanes) => pauseLanesOf(db, WEBHOOK_LANES, lanes) }),
  };
  return {
    kind: WEBHOOK_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: sender.concurrency.healthyLanesMax,
    failed: sender.concurrency.failedLanes,
    retrySlackMs: WEBHOOK_RETRY_SLACK_MS,
    onCapacity: (listener) => {
      announce = listener;
    },
    drain: (lane) => drain(sender, lane),
  };
}

type Progress = 'ended' | 'reload';

async function drain(sender: Sender, lane: Lane): Promise<void> {
  const stopAt = monotonicMs() + CLAIM_MS;
  for (let sent = 0; sent < ITEMS_PER_CLAIM && monotonicMs() < stopAt; ) {
    // A lane that failed will likely fail again, so only its first delivery is read.
    const itemsMax = lane.failures > 0 && sent === 0 ? 1 : ITEMS_AHEAD;
    const loaded = await sender.load.add({ lane, itemsMax });
    if (loaded === undefined) throw laneLost(lane);
    const progress = await processLane(sender, lane, loaded);
    if (progress === 'ended') return;
    sent += loaded.items.length;
  }
  await sender.context.db.transaction((tx) => releaseLane(tx, lane));
}

/** Processes the deliveries that were read from a lane. */
async function processLane(sender: Sender, lane: Lane, loaded: LoadedLane): Promise<Progress> {
  if (loaded.deleted) return abandon(sender, lane, loaded);
  if (loaded.status === 'disabled') {
    if (!(await sender.pause.add(lane))) return 'reload';
    endLane(sender.context.db, lane);
    return 'ended';
  }
  if (loaded.items.length === 0) return settleSwept(sender, lane, loaded);
  const target = await sender.targetOf(lane.ledgerId, lane.groupId, loaded);
  return target === undefined ? 'reload' : deliverInOrder(sender, lane, { loaded, target });
}

/** Gives up the deliveries of an endpoint that was deleted while they were added to the lane. */
async function abandon({ context }: Sender, lane: Lane, { pending }: LoadedLane): Promise<Progress> {
  const remaining = await context.db.transaction(async (tx) => {
    const left = await settleLaneItems(tx, lane, pending);
    await giveUpLane(tx, lane);
    return left;
  });
  return remaining === 0 ? 'ended' : 'reload';
}

/** Subtracts items whose deliveries were swept with their events, as happens to lanes that are paused for long. */
async function settleSwept({ context }: Sender, lane: Lane, { pending }: LoadedLane): Promise<Progress> {
  const remaining = await context.db.transaction((tx) => settleLaneItems(tx, lane, pending));
  return remaining === 0 ? 'ended' : 'reload';
}

type Round = { readonly loaded: LoadedLane; readonly target: Target };

/** Sends the deliveries that were read. Stops at a failure, or when the endpoint has changed. */
async function deliverInOrder(sender: Sender, lane: Lane, round: Round): Promise<Progress> {
  const slot = await sender.concurrency.acquire(lane.groupId, { failedBefore: lane.failures > 0 });
  if (slot === undefined) return release(sender, lane);
  const log = createLaneLog(lane, sender.record.add);
  let failure: Failure | undefined;
  try {
    failure = await sendUntilFailure(sender, lane, { ...round, log, slot });
  } finally {
    // Other lanes may send while this one is recorded.
    slot.release();
  }
  // The successes before a failure are recorded before the failure is judged.
  const recorded = await log.settle();
  const ended = recorded?.remaining === 0;
  if (ended) endLane(sender.context.db, lane);
  await endFailing(sender, lane, recorded);
  if (failure === undefined) return ended ? 'ended' : 'reload';
  if (failure.result.label === 'aborted') return release(sender, lane);
  return recordFailure(sender, lane, { ...round, ...failure, log });
}

type Failure = { readonly item: LoadedItem; readonly result: AttemptResult };

async function sendUntilFailure(
  sender: Sender,
  lane: Lane,
  { loaded: { items, mode, revision }, target, log, slot }: Round & { log: LaneLog; slot: Slot },
): Promise<Failure | undefined> {
  for (const item of items) {
    if ((log.latest()?.revision ?? revision) !== revision) return undefined;
    slot.begin();
    const result = await send(sender, lane, { item, mode, target });
    if (result.label !== 'delivered') return { item, result };
    log.add({ item, attempt: JSON.stringify(result.attempt) });
  }
  return undefined;
}

async function recordFailure(
  { context }: Sender,
  lane: Lane,
  { item, result, loaded: { mode }, target, log }: Round & Failure & { log: LaneLog },
): Promise<Progress> {
  const outcome = judge(result, { mode, attemptNumber: item.attempt_count + 1, nowMs: context.clock.now() });
  logFailure(context.log, lane, { item, result, outcome });
  const recorded = await log.fail({ item, attempt: JSON.stringify(result.attempt) }, outcome);
  const ended = outcome.status === 'failed' || recorded.remaining === 0;
  if (ended) endLane(context.db, lane);
  if (outcome.status === 'failed') wake(context.db, 'lanes', WEBHOOK_LANES, outcome.delayMs);
  await judgeFailure(context, lane, { result, recorded, target });
  return ended ? 'ended' : 'reload';
}

/** Logs a failed attempt: ids and codes, never the address or the reply. */
function logFailure(
  log: Context['log'],
  { groupId: endpoint }: Lane,
  { item, result, outcome }: Failure & { outcome: Outcome },
): void {
  const { event_id: event, type, delivery_id: delivery, attempt_count: earlier } = item;
  const { response_status: status, duration_ms: ms } = result.attempt;
  const retry_in_ms = outcome.status === 'failed' ? outcome.delayMs : null;
  const line = { endpoint, delivery, event, type, attempt: earlier + 1, result: result.label, status, ms, retry_in_ms };
  log.info({ part: 'webhooks', ...line }, 'webhook attempt failed');
}

async function release({ context }: Sender, lane: Lane): Promise<Progress> {
  await context.db.transaction((tx) => releaseLane(tx, lane));
  return 'ended';
}

async function send(
  { context, concurrency }: Sender,
  { groupId, failures }: Lane,
  { item, mode, target }: { item: LoadedItem; mode: Mode; target: Target },
): Promise<AttemptResult> {
  const body = renderEnvelope(item, target.eventVersion);
  const { event_id: eventId, traceparent } = item;
  const result = await attemptDelivery(context, target, { eventId, body, mode, traceparent });
  if (result.label === 'delivered') concurrency.succeeded(groupId, result.attempt.duration_ms);
  else if (result.label !== 'aborted') {
    concurrency.failed(groupId, { failedBefore: failures > 0, durationMs: result.attempt.duration_ms });
  }
  return result;
}

/** Ends the endpoint's run of failures after a success. */
async function endFailing({ context }: Sender, lane: Lane, recorded: Recorded | undefined): Promise<void> {
  if (recorded?.failing === true) await markWorking(context.db, lane.ledgerId, lane.groupId);
}

/** Updates the endpoint after a failure: disables it if gone or failing for too long, or starts a run of failures. */
async function judgeFailure(
  { db }: Needs,
  { ledgerId, groupId: endpointId }: Lane,
  { result, recorded, target }: { result: AttemptResult; recorded: Recorded; target: Target },
): Promise<void> {
  const { revision } = target;
  if (isGone(result)) {
    await disableEndpoint({ db }, { ledgerId, endpointId, reason: 'gone', revision });
  } else if (recorded.worn_out) {
    await disableEndpoint({ db }, { ledgerId, endpointId, reason: 'failing', revision });
  } else if (!recorded.failing) {
    await beginFailing({ db }, { ledgerId, endpointId, revision });
  }
}
