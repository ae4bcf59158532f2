/**
 * Signals the end of a stream to the gateway that has its audio. The database has the result: a gateway that misses the
 * signal reads it later (`findOverStreams`).
 */
import type { Db, Signal } from '../../../db/database.ts';
import type { StreamStopReason } from '../calls/call.ts';

const TOPIC = 'media-streams';

export type StreamEnd = { readonly streamId: string; readonly callId: string; readonly reason: StreamStopReason };

/** Sends the signal; within a transaction, after its commit. */
export function signalStreamEnd(db: Pick<Db, 'signal'>, end: StreamEnd): void {
  db.signal({ topic: TOPIC, payload: end });
}

/** Returns the stream end that a signal reports, if it reports one. */
export function streamEndOf({ topic, payload }: Signal): StreamEnd | undefined {
  return topic === TOPIC ? (payload as StreamEnd) : undefined;
}
