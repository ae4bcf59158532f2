import type { MessageErrorCode } from '../messages/rules.ts';

/** The lane kind of paced texts: one lane for each campaign with waiting texts. */
export const CAMPAIGN_LANES = 'campaign';

/** A text that is not handed over within this time of its acceptance fails as `expired`. */
export const WAIT_MAX_MS = 4 * 3_600_000;

/** Texts handed over are counted in slots of this length, each as if handed over at the end of its slot. */
export const SLOT_MS = 200;

/**
 * How long a text handed over counts: one minute, plus 100 ms for the different delays of texts on their way to the
 * carrier. So the carrier also counts no more than the limit in a minute.
 */
export const WINDOW_MS = 60_000 + 100;

/** Time between two rounds of a campaign whose throughput is not granted yet. */
const UNGRANTED_DELAY_MS = 10_000;

/** Delay of a text if an earlier text of its conversation was handed over in this round. */
const FOLLOW_MS = 50;

/** A campaign's limits and counts at one moment of ledger time. */
export type Pace = {
  readonly now: Date;
  /** Null until granted. */
  readonly messagesPerMinute: number | null;
  readonly dailyCap: number | null;
  /** Texts that count in the window now, and when the oldest of them leaves it. */
  readonly inWindow: number;
  readonly windowMovesAt: Date | null;
  /** Segments handed over on the current Pacific day. */
  readonly segmentsToday: number;
};

/** A waiting text. */
export type Candidate = {
  readonly id: string;
  readonly conversationId: string;
  /** Its count against the daily cap. */
  readonly segments: number;
  readonly waitsSince: Date;
  /** A confirmation: sent before all others, and even if the daily cap is used up. It counts against the cap. */
  readonly ahead: boolean;
  /**
   * The text's number was detached and may send without a campaign. The text counts against no limit and waits for
   * none.
   */
  readonly exempt: boolean;
  /** True if the message is no longer queued. */
  readonly hasEnded: boolean;
  /** The obstacle to sending the text; null if it may be sent. */
  readonly obstacle: MessageErrorCode | null;
  /** Milliseconds to wait while the previous text of its conversation is being submitted; null if none is. */
  readonly previousMs: number | null;
};

/** The actions of a round on the waiting texts. */
export type Plan = {
  readonly handOver: readonly string[];
  /** How many of the texts count against the minute, and how many segments against the day. */
  readonly messages: number;
  readonly segments: number;
  readonly fail: readonly { readonly id: string; readonly errorCode: MessageErrorCode }[];
  readonly drop: readonly string[];
  /** The window is full: no more texts can be handed over now. */
  readonly full: boolean;
  /** Milliseconds until the next round may do something; undefined if no text that was read must wait. */
  readonly waitMs: number | undefined;
};

/**
 * Plans a round for the texts at the head of a campaign's queue, in their order. One text per conversation is handed
 * over at a time. A text that must not be sent is not counted. After the first text that finds the window full, later
 * texts only fail if they have expired, or are handed over if they are exempt.
 */
export function planRound(pace: Pace, candidates: readonly Candidate[]): Plan {
  const nowMs = pace.now.getTime();
  const handOver: string[] = [];
  const fail: Plan['fail'][number][] = [];
  const drop: string[] = [];
  const busyConversations = new Set<string>();
  const waits: number[] = [];
  let slots = Math.max(0, (pace.messagesPerMinute ?? 0) - pace.inWindow);
  let segmentsLeft = (pace.dailyCap ?? Number.POSITIVE_INFINITY) - pace.segmentsToday;
  let messages = 0;
  let segments = 0;
  let full = false;
  for (const candidate of candidates) {
    const { id, conversationId } = candidate;
    const expiresInMs = candidate.waitsSince.getTime() + WAIT_MAX_MS - nowMs;
    if (candidate.hasEnded) drop.push(id);
    else if (expiresInMs <= 0) fail.push({ id, errorCode: 'expired' });
    // Confirmations come first, so later texts may be older and expire sooner.
    else if (full && !candidate.exempt) waits.push(expiresInMs);
    else if (candidate.obstacle !== null) fail.push({ id, errorCode: candidate.obstacle });
    else if (busyConversations.has(conversationId)) waits.push(FOLLOW_MS);
    else if (candidate.previousMs !== null) {
      waits.push(candidate.previousMs);
      busyConversations.add(conversationId);
    } else if (candidate.exempt) {
      handOver.push(id);
      busyConversations.add(conversationId);
    } else if (candidate.segments > segmentsLeft && !candidate.ahead)
      fail.push({ id, errorCode: 'daily_cap_exceeded' });
    else if (slots === 0) {
      waits.push(expiresInMs, untilWindowMoves(pace, nowMs));
      full = true;
    } else {
      handOver.push(id);
      busyConversations.add(conversationId);
      slots -= 1;
      messages += 1;
      segments += candidate.segments;
      segmentsLeft -= candidate.segments;
    }
  }
  const waitMs = waits.length === 0 ? undefined : Math.min(...waits);
  return { handOver, messages, segments, fail, drop, full, waitMs };
}

/**
 * Returns when a text leaves the window. If only this round has texts in the window, the first of them leaves first.
 */
function untilWindowMoves({ messagesPerMinute, windowMovesAt }: Pace, nowMs: number): number {
  if (messagesPerMinute === null) return UNGRANTED_DELAY_MS;
  return windowMovesAt === null ? SLOT_MS + WINDOW_MS : Math.max(1, windowMovesAt.getTime() - nowMs);
}

/** Returns the day in Pacific time as YYYY-MM-DD. Carriers count by Pacific days. */
export function pacificDay(at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO('America/Los_Angeles')
    .toPlainDate()
    .toString();
}
