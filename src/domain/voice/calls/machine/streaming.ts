/**
 * The media stream of a call: at most one that is not over. It ends when it is told to, when its client goes, when the
 * carrier loses it, and in any case with the call.
 */
import type { CallStream, StreamEnding } from '../call.ts';
import { change, command, liveLegs, log, type Turn } from './transition.ts';

/** Begins a stream; the caller has made sure that none is open. */
export function openStream(turn: Turn, wanted: Pick<CallStream, 'id' | 'direction' | 'track' | 'url'>): void {
  change(turn, { stream: { ...wanted, told: false, connected: false } });
  tellStream(turn);
}

/** Asks the carrier for the audio once the customer has a leg: a click-to-call may still ring its agent. */
export function tellStream(turn: Turn): void {
  const { stream } = turn.call;
  const [customer] = liveLegs(turn.call, 'customer');
  if (stream === null || stream.told || customer === undefined) return;
  const { id: streamRef, direction, track, url } = stream;
  command(turn, { do: 'start_stream', streamRef, legRef: customer.id, direction, track, url });
  change(turn, { stream: { ...stream, told: true } });
}

/** Its client is connected: from now on it is billed. */
export function connectStream(turn: Turn, streamId: string): void {
  const { stream } = turn.call;
  if (stream?.id !== streamId || stream.connected) return;
  change(turn, { stream: { ...stream, connected: true } });
  log(turn, 'stream_started', { stream_id: streamId, direction: stream.direction, track: stream.track });
  turn.effects.push({ do: 'activate_stream', streamId });
}

/** Ends the stream of this id, if it is not over. */
export function closeStream(turn: Turn, streamId: string | undefined, { reason, lateMs }: StreamEnding): void {
  const { stream } = turn.call;
  if (stream === null || stream.id !== streamId) return;
  // With the call it ends at the carrier by itself.
  if (stream.told && reason !== 'call_ended') command(turn, { do: 'stop_stream', streamRef: streamId });
  change(turn, { stream: null });
  log(turn, 'stream_stopped', { stream_id: streamId, reason });
  turn.effects.push({ do: 'end_stream', streamId, reason, ...(lateMs !== undefined && { lateMs }) });
}
