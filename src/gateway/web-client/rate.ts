/**
 * How fast one web client may send. The rate has two limits, both token buckets:
 *
 * - The allowance counts requests. A request beyond it is answered with `rate_limited`; the session continues.
 * - The read pace counts messages. Beyond it the socket is read more slowly. A client that sends faster is never cut
 *   off, because an emergency call may follow the messages that it has already sent. Unread messages stay in the
 *   client's memory.
 */
import type { WebSocket } from 'ws';
import { after, monotonicMs, type Timer } from '../../lib/time/time.ts';
import type { ClientMessage } from './protocol.ts';
import type { Invalid } from './read-message.ts';
import { isEmergencyCall } from './request-queue.ts';

const ALLOWANCE = { perS: 20, burst: 60 };
/** Far more than the allowance, so that an emergency call behind a flood is read within seconds. */
const READ_PACE = { perS: 2_000, burst: 2_000 };
/** A socket that was paused for its rate is read again when it has this many tokens. */
const TOKENS_TO_RESUME = 200;

export type BucketOptions = { readonly perS: number; readonly burst: number };

/** Creates a token bucket, full at the start. The level may go negative; `msUntil` then includes the debt. */
function createTokenBucket({ perS, burst }: BucketOptions, nowMs: () => number = monotonicMs) {
  let tokens = burst;
  let filledAtMs = nowMs();
  const refill = () => {
    const now = nowMs();
    tokens = Math.min(burst, tokens + ((now - filledAtMs) / 1000) * perS);
    filledAtMs = now;
    return tokens;
  };
  return {
    /** Takes a token. Returns false, and takes nothing, if less than one is left. */
    take: (): boolean => {
      if (refill() < 1) return false;
      tokens -= 1;
      return true;
    },
    /** Takes a token even if none is left. */
    spend: (): void => {
      refill();
      tokens -= 1;
    },
    /** Returns the milliseconds until the bucket holds `wanted` tokens; 0 if it already does. */
    msUntil: (wanted: number): number => Math.max(0, ((wanted - refill()) / perS) * 1000),
  };
}

/**
 * Creates the request limit of one web client: 20 a second, 60 at once. Emergency calls are never counted or refused.
 */
export function createAllowance(nowMs?: () => number) {
  const bucket = createTokenBucket(ALLOWANCE, nowMs);
  return {
    allows: (message: ClientMessage | Invalid): boolean =>
      (!('invalid' in message) && isEmergencyCall(message)) || bucket.take(),
  };
}

/** A queue of messages that were read but not yet carried out. While either queue is full, the socket is not read. */
type ReadQueue = 'login' | 'emergency';

export type ReadPace = {
  /** Counts a message that was read, and pauses the socket if the pace is exceeded. */
  count(): void;
  /** Pauses reading while a queue is full. Messages in a network chunk that has already arrived may still be read. */
  setFull(queue: ReadQueue, isFull: boolean): void;
};

/** @param onResume called each time reading resumes */
export function createReadPace(webSocket: WebSocket, onResume: () => void): ReadPace {
  const bucket = createTokenBucket(READ_PACE);
  const fullQueues = new Set<ReadQueue>();
  let pause: Timer | undefined;

  const resume = () => {
    if (pause !== undefined || fullQueues.size > 0 || !webSocket.isPaused) return;
    webSocket.resume();
    onResume();
  };
  /** Pauses until the bucket has refilled. Messages that still arrive make the pause longer. */
  const waitForTokens = () => {
    const ms = bucket.msUntil(TOKENS_TO_RESUME);
    pause = ms > 0 ? after(ms, waitForTokens).unref() : undefined;
    resume();
  };

  return {
    count: () => {
      bucket.spend();
      if (pause !== undefined || bucket.msUntil(1) === 0) return;
      webSocket.pause();
      waitForTokens();
    },
    setFull: (queue, isFull) => {
      if (isFull) {
        fullQueues.add(queue);
        webSocket.pause();
      } else if (fullQueues.delete(queue)) resume();
    },
  };
}
