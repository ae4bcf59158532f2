/**
 * Paces what campaigns send. Each campaign with texts that wait has one lane, which one worker holds at a time across
 * all processes. A round reads the head of the queue, hands over what the minute and the day leave room for, and notes
 * it, all in one transaction that holds the lane's row: what was not noted was not handed over, whatever crashed.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Lane, LaneHandler } from '../../../queue/lanes/lane.ts';
import { delayLane, isLaneEnded } from '../../../queue/lanes/lanes.ts';
import { endStandingLane, fenceLane } from '../../../queue/lanes/standing-lanes.ts';
import { recordReceipts } from '../messages/record-receipts.ts';
import { dropPacedMessages, handOver, isAnyoneWaiting, listCandidates, readPace } from './queries.ts';
import { CAMPAIGN_LANES, type Pace, type Plan, pacificDay, planRound } from './rules.ts';

/** Most campaigns in hand in one process. */
const LANES_MAX = 4;
/** Texts looked at in one round; a round is one transaction. */
const ROUND_ROWS_MAX = 256;
/** Enough to see whether the head of the queue has to wait. */
const ROUND_ROWS_MIN = 32;
/** Then the other campaigns have their turn. */
const ROUNDS_PER_CLAIM = 16;
/** Texts that come while others are being handed over are left to gather for this long. */
const GATHER_MS = 40;

type DispatchContext = Pick<Context, 'db'>;

/** The handler of campaigns' lanes for this process. */
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
  await carryOut(tx, lane, { plan, today });
  const ended = plan.handOver.length + plan.fail.length + plan.drop.length;
  // Where most are held back by others of their conversation, those get the time to go.
  if (candidates.length === rows && 2 * ended >= rows && !plan.full) return;
  if (plan.waitMs !== undefined) return delayLane(tx, lane, { delayMs: plan.waitMs });
  // More is likely on its way, and whoever brings it would have to wait for the lane's end and make it anew.
  if (ended > 0) return delayLane(tx, lane, { delayMs: GATHER_MS });
  const isEmpty = async () => !(await isAnyoneWaiting(tx, lane));
  await endStandingLane(tx, lane, { isEmpty, lookAgainMs: GATHER_MS });
}

async function carryOut(tx: Tx, lane: Lane, { plan, today }: { plan: Plan; today: string }): Promise<void> {
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
