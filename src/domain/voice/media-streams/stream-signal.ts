/**
 * Signals the end of a stream to the gateway that has its audio. The database has the result: a gateway that misses the
 * signal reads it later (`findOverStreams`).
 */
import type { Db, Signal } from '../../../db/database.ts';
import type { StreamStopReason } from '../calls/state/call.ts';

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

const DIAL_TOPIC = 'media-stream-dials';

/** A stream that a node is to connect. A node that misses the signal finds the stream later (`listDials`). */
export type StreamDial = { readonly streamId: string; readonly nodeId: string };

/** Sends the signal; within a transaction, after its commit. */
export function signalStreamDial(db: Pick<Db, 'signal'>, dial: StreamDial): void {
  db.signal({ topic: DIAL_TOPIC, payload: dial });
}

/** Returns the stream that a signal asks a node to connect, if it does. */
export function streamDialOf({ topic, payload }: Signal): StreamDial | undefined {
  return topic === DIAL_TOPIC ? (payload as StreamDial) : undefined;
}

const LEFT_TOPIC = 'call-audio-left';

/** A call that has left a node. A node that misses the signal finds the call later (`findLeftCalls`). */
export type AudioLeft = { readonly nodeId: string; readonly ledgerId: number; readonly callId: string };

/** Sends the signal; within a transaction, after its commit. */
export function signalAudioLeft(db: Pick<Db, 'signal'>, left: AudioLeft): void {
  db.signal({ topic: LEFT_TOPIC, payload: left });
}

/** Returns what a signal says if it says that a call has left a node. */
export function audioLeftOf({ topic, payload }: Signal): AudioLeft | undefined {
  return topic === LEFT_TOPIC ? (payload as AudioLeft) : undefined;
}
