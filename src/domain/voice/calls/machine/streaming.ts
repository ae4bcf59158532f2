/**
 * The media stream of a call: at most one that is not over. It ends when it is told to, when its client goes, when the
 * carrier loses it, and in any case with the call.
 */
import type { CallStream, StreamEnding } from '../call.ts';
import { change, command, liveLegs, log, type Transition } from './transition.ts';

/** Begins a stream; the caller has made sure that none is open. */
export function openStream(
  transition: Transition,
  wanted: Pick<CallStream, 'id' | 'direction' | 'track' | 'url'>,
): void {
  change(transition, { stream: { ...wanted, told: false, connected: false } });
  tellStream(transition);
}

/** Asks the carrier for the audio once the customer has a leg: a click-to-call may still ring its agent. */
export function tellStream(transition: Transition): void {
  const { stream } = transition.call;
  const [customer] = liveLegs(transition.call, 'customer');
  if (stream === null || stream.told || customer === undefined) return;
  const { id: streamRef, direction, track, url } = stream;
  command(transition, { do: 'start_stream', streamRef, legRef: customer.id, direction, track, url });
  change(transition, { stream: { ...stream, told: true } });
}

/** Its client is connected: from now on it is billed. */
export function connectStream(transition: Transition, streamId: string): void {
  const { stream } = transition.call;
  if (stream?.id !== streamId || stream.connected) return;
  change(transition, { stream: { ...stream, connected: true } });
  log(transition, 'stream_started', { stream_id: streamId, direction: stream.direction, track: stream.track });
  transition.effects.push({ do: 'activate_stream', streamId });
}

/** Ends the stream of this id, if it is not over. */
export function closeStream(
  transition: Transition,
  streamId: string | undefined,
  { reason, lateMs }: StreamEnding,
): void {
  const { stream } = transition.call;
  if (stream === null || stream.id !== streamId) return;
  // With the call it ends at the carrier by itself.
  if (stream.told && reason !== 'call_ended') command(transition, { do: 'stop_stream', streamRef: streamId });
  change(transition, { stream: null });
  log(transition, 'stream_stopped', { stream_id: streamId, reason });
  transition.effects.push({ do: 'end_stream', streamId, reason, ...(lateMs !== undefined && { lateMs }) });
}
