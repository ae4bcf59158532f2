import type { MessageErrorCode } from '../messages/rules.ts';

/** The kind of the lanes that campaigns have: one each, while texts of theirs wait. */
export const CAMPAIGN_LANES = 'campaign';

/** A text goes out within this long of its acceptance, or it has failed as `expired`. */
export const WAIT_MAX_MS = 4 * 3_600_000;

/** What has gone out is counted in slots of this length, each as if it had gone at the slot's end. */
export const SLOT_MS = 200;

/**
 * How long what went out counts: a minute, and what the way to the carrier may differ in length from one text to the
 * next, so that the carrier too counts no more than the limit.
 */
export const WINDOW_MS = 60_000 + 100;

/** Campaigns whose throughput is not known yet are looked at this often. */
const UNGRANTED_LOOK_MS = 10_000;

/** How soon to look again after a text whose forerunner in its conversation is on its way to the carrier. */
const FOLLOW_MS = 50;

/** Where a campaign stands at one moment in ledger time. */
export type Pace = {
  readonly now: Date;
  /** Null until granted. */
  readonly messagesPerMinute: number | null;
  readonly dailyCap: number | null;
  /** Texts that count in the window now, and when the first of them leaves it. */
  readonly inWindow: number;
  readonly windowMovesAt: Date | null;
  /** Segments that went out on the present Pacific day. */
  readonly segmentsToday: number;
};

/** A text that waits. */
export type Candidate = {
  readonly id: string;
  readonly conversationId: string;
  /** What it counts as under the daily cap. */
  readonly segments: number;
  readonly createdAt: Date;
  /** A confirmation: before all others, and in spite of the day's cap, which it counts towards. */
  readonly ahead: boolean;
  /** Its number has left the campaign and may send without one: it counts towards nothing, and waits for no room. */
  readonly free: boolean;
  /** It has ended in the meantime. */
  readonly over: boolean;
  /** Why it must not go out any more, if so. */
  readonly obstacle: MessageErrorCode | null;
  /** Set while the one before it in its conversation is being submitted: milliseconds until that may have changed. */
  readonly heldMs: number | null;
};

/** What to do about those that wait. */
export type Plan = {
  readonly handOver: readonly string[];
  /** How many of them count towards the minute, and with how many segments towards the day. */
  readonly messages: number;
  readonly segments: number;
  readonly fail: readonly { readonly id: string; readonly errorCode: MessageErrorCode }[];
  readonly drop: readonly string[];
  /** Nothing more goes out now, whoever it is for. */
  readonly full: boolean;
  /** Milliseconds until there may be more to do; undefined if nothing that was looked at has to wait. */
  readonly waitMs: number | undefined;
};

/**
 * Decides about the texts at the head of a campaign's queue, in their order. Per conversation one goes out at a time;
 * one that may not go out at all is not counted; after the first that finds the window full, only what is past its time
 * is still dealt with.
 */
export function planRound(pace: Pace, candidates: readonly Candidate[]): Plan {
  const nowMs = pace.now.getTime();
  const handOver: string[] = [];
  const fail: Plan['fail'][number][] = [];
  const drop: string[] = [];
  const inTheirTurn = new Set<string>();
  const waits: number[] = [];
  let slots = Math.max(0, (pace.messagesPerMinute ?? 0) - pace.inWindow);
  let segmentsLeft = (pace.dailyCap ?? Number.POSITIVE_INFINITY) - pace.segmentsToday;
  let messages = 0;
  let segments = 0;
  let full = false;
  for (const each of candidates) {
    const { id, conversationId } = each;
    const expiresInMs = each.createdAt.getTime() + WAIT_MAX_MS - nowMs;
    if (each.over) drop.push(id);
    else if (expiresInMs <= 0) fail.push({ id, errorCode: 'expired' });
    // Those behind a confirmation that waits may be older than it.
    else if (full && !each.free) waits.push(expiresInMs);
    else if (each.obstacle !== null) fail.push({ id, errorCode: each.obstacle });
    else if (inTheirTurn.has(conversationId)) waits.push(FOLLOW_MS);
    else if (each.heldMs !== null) {
      waits.push(each.heldMs);
      inTheirTurn.add(conversationId);
    } else if (each.free) {
      handOver.push(id);
      inTheirTurn.add(conversationId);
    } else if (each.segments > segmentsLeft && !each.ahead) fail.push({ id, errorCode: 'daily_cap_exceeded' });
    else if (slots === 0) {
      waits.push(expiresInMs, untilWindowMoves(pace, nowMs));
      full = true;
    } else {
      handOver.push(id);
      inTheirTurn.add(conversationId);
      slots -= 1;
      messages += 1;
      segments += each.segments;
      segmentsLeft -= each.segments;
    }
  }
  const waitMs = waits.length === 0 ? undefined : Math.min(...waits);
  return { handOver, messages, segments, fail, drop, full, waitMs };
}

/** With nothing in the window but what this round adds, it moves when that leaves it. */
function untilWindowMoves({ messagesPerMinute, windowMovesAt }: Pace, nowMs: number): number {
  if (messagesPerMinute === null) return UNGRANTED_LOOK_MS;
  return windowMovesAt === null ? SLOT_MS + WINDOW_MS : Math.max(1, windowMovesAt.getTime() - nowMs);
}

/** The day in Pacific time, by which carriers count: YYYY-MM-DD. */
export function pacificDay(at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO('America/Los_Angeles')
    .toPlainDate()
    .toString();
}
