/**
 * Paces the texts of campaigns. Each campaign with waiting texts has one lane, which one worker across all processes
 * claims at a time. A round reads the head of the queue, passes on as many texts as the minute and the day allow, and
 * counts them. It is one transaction that locks the lane's row. So even after a crash, every text that was passed on is
 * counted.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Lane, LaneHandler } from '../../../queue/lanes/lane.ts';
import { delayLane, isLaneEnded } from '../../../queue/lanes/lanes.ts';
import { endStandingLane, fenceLane } from '../../../queue/lanes/standing-lanes.ts';
import { recordReceipts } from '../messages/record-receipts.ts';
import { dropPacedMessages, handOver, hasPacedMessages, listCandidates, readPace } from './queries.ts';
import { CAMPAIGN_LANES, type Pace, type Plan, pacificDay, planRound } from './rules.ts';

/** Most claimed campaign lanes in one process. */
const LANES_MAX = 4;
/** Most texts read in one round; a round is one transaction. */
const ROUND_ROWS_MAX = 256;
/** Fewest texts read in one round: enough to see whether the head of the queue must wait. */
const ROUND_ROWS_MIN = 32;
/** After this many rounds the lane is released, so that other campaigns are claimed. */
const ROUNDS_PER_CLAIM = 16;
/** After a round that handed texts over, the next one starts this much later, so that new texts share it. */
const GATHER_MS = 40;

type DispatchContext = Pick<Context, 'db'>;

/** Returns the handler of campaign lanes for this process. */
export function createCampaignLanes({ db }: DispatchContext): LaneHandler {
  return {
    kind: CAMPAIGN_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => 1,
    prompt: true,
    drain: async (lane) => {
      for (let round = 0; round < ROUNDS_PER_CLAIM && !isLaneEnded(lane); round++) {
        await db.transaction((tx) => dispatchRound(tx, lane));
      }
    },
  };
}

async function dispatchRound(tx: Tx, lane: Lane): Promise<void> {
  await fenceLane(tx, lane);
  const { day, segments, ...read } = await readPace(tx, lane);
  const today = pacificDay(read.now);
  const pace: Pace = { ...read, segmentsToday: day === today ? segments : 0 };
  const room = (pace.messagesPerMinute ?? 0) - pace.inWindow;
  const rows = Math.min(Math.max(room, ROUND_ROWS_MIN), ROUND_ROWS_MAX);
  const candidates = await listCandidates(tx, lane, rows);
  const plan = planRound(pace, candidates);
  await applyPlan(tx, lane, { plan, today });
  const ended = plan.handOver.length + plan.fail.length + plan.drop.length;
  // If most texts wait for an earlier text of their conversation, a delay gives the earlier texts time to be submitted.
  if (candidates.length === rows && 2 * ended >= rows && !plan.full) return;
  if (plan.waitMs !== undefined) return delayLane(tx, lane, { delayMs: plan.waitMs });
  // More texts are likely to follow. The claim continues for a moment, because their transaction would wait for the end
  // of the lane and then create it again.
  if (ended > 0) return delayLane(tx, lane, { delayMs: GATHER_MS });
  const isEmpty = async () => !(await hasPacedMessages(tx, lane));
  await endStandingLane(tx, lane, { isEmpty, lookAgainMs: GATHER_MS });
}

async function applyPlan(tx: Tx, lane: Lane, { plan, today }: { plan: Plan; today: string }): Promise<void> {
  const { fail, drop, messages, segments } = plan;
  if (plan.handOver.length > 0) await handOver(tx, lane, { ids: plan.handOver, day: today, messages, segments });
  const gone = [...drop, ...fail.map(({ id }) => id)];
  if (gone.length === 0) return;
  await dropPacedMessages(tx, lane, gone);
  const ledger = await findLedger(tx, lane.ledgerId);
  if (ledger === undefined) return;
  const receipts = fail.map(({ id, errorCode }) => ({ messageId: id, status: 'failed' as const, errorCode }));
  await recordReceipts(tx, ledger, receipts);
}
