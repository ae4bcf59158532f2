/**
 * How fast one socket is read. A client that sends faster is not cut off, as a call for help may stand behind all that
 * it has sent: the rest waits unread, in the client's own memory, until it is its turn.
 */
import type { WebSocket } from 'ws';
import { createBucket } from './bucket.ts';

/** Far more than a web client may ask for, so that a call for help comes through a flood within seconds. */
const READ = { perS: 2_000, atOnce: 2_000 };
/** A client that has sent too many is read again when so many may be. */
const READ_TO_RESUME = 200;

/** Why nothing is read for now, apart from how much has been: what was read waits for this, and there is enough of it. */
export type HoldReason = 'login' | 'help';

export type Pace = {
  /** A message has been read. */
  count(): void;
  /** Stops reading for a reason, or lets it go. What has come in already may still follow: one chunk of the network's. */
  hold(reason: HoldReason, isFull: boolean): void;
};

/** @param onResume told each time that reading goes on */
export function createPace(webSocket: WebSocket, onResume: () => void): Pace {
  const bucket = createBucket(READ);
  const reasons = new Set<HoldReason>();
  let rest: NodeJS.Timeout | undefined;

  const resume = () => {
    if (rest !== undefined || reasons.size > 0 || !webSocket.isPaused) return;
    webSocket.resume();
    onResume();
  };
  /** What came in before the socket was paused is owed too. */
  const restAWhile = () => {
    const ms = bucket.msUntil(READ_TO_RESUME);
    rest = ms > 0 ? setTimeout(restAWhile, ms).unref() : undefined;
    resume();
  };

  return {
    count: () => {
      bucket.spend();
      if (rest !== undefined || bucket.msUntil(1) === 0) return;
      webSocket.pause();
      restAWhile();
    },
    hold: (reason, isFull) => {
      if (isFull) {
        reasons.add(reason);
        webSocket.pause();
      } else if (reasons.delete(reason)) resume();
    },
  };
}
