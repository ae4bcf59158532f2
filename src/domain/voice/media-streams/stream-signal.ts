/**
 * Tells the gateway that holds a stream that it is over. What has become of it is in the database; a gateway that misses
 * the signal finds out when it looks (`findOverStreams`).
 */
import type { Db, Signal } from '../../../db/database.ts';
import type { StreamStopReason } from '../calls/call.ts';

const TOPIC = 'media-streams';

export type StreamEnd = { readonly streamId: string; readonly callId: string; readonly reason: StreamStopReason };

/** Within a transaction the signal goes out once it has committed. */
export function signalStreamEnd(db: Pick<Db, 'signal'>, end: StreamEnd): void {
  db.signal({ topic: TOPIC, payload: end });
}

/** The end that a signal of this process is about, if it is about one. */
export function streamEndOf({ topic, payload }: Signal): StreamEnd | undefined {
  return topic === TOPIC ? (payload as StreamEnd) : undefined;
}
