/**
 * Signals the end of a stream to the gateway with its audio. The end is in the database, so a gateway that misses the
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

/** Returns the stream end in a signal; undefined for any other signal. */
export function streamEndOf({ topic, payload }: Signal): StreamEnd | undefined {
  return topic === TOPIC ? (payload as StreamEnd) : undefined;
}

const DIAL_TOPIC = 'media-stream-dials';

/** A stream that a node must connect. A node that misses the signal finds the stream later (`listDials`). */
export type StreamDial = { readonly streamId: string; readonly nodeId: string };

/** Sends the signal; within a transaction, after its commit. */
export function signalStreamDial(db: Pick<Db, 'signal'>, dial: StreamDial): void {
  db.signal({ topic: DIAL_TOPIC, payload: dial });
}

/** Returns the stream that a node must connect, from a signal; undefined for any other signal. */
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

/** Returns the call in a signal that a call has left a node; undefined for any other signal. */
export function audioLeftOf({ topic, payload }: Signal): AudioLeft | undefined {
  return topic === LEFT_TOPIC ? (payload as AudioLeft) : undefined;
}
