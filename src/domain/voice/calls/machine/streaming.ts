/**
 * The media stream of a call: at most one that is not over. It ends by the API, with its client's connection, when the
 * carrier loses its audio, and at the latest with the call.
 */
import type { CallStream, StreamEnding } from '../call.ts';
import { change, command, findAnsweredLeg, log, type Transition } from './transition.ts';

/** Opens a stream. The machine has checked that none is open. `startListening` follows. */
export function openStream(transition: Transition, wanted: Pick<CallStream, 'id' | 'direction' | 'track'>): void {
  change(transition, { stream: { ...wanted, requested: false, connected: false } });
}

/** Requests the audio from the carrier once the customer's leg is answered: a carrier has no audio before that. */
export function requestStream(transition: Transition): void {
  const { stream } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (stream === null || stream.requested || customer === undefined) return;
  const { id: streamRef, direction, track } = stream;
  command(transition, { do: 'start_stream', streamRef, legRef: customer.id, direction, track });
  change(transition, { stream: { ...stream, requested: true } });
}

/** Handles the connection of the stream's client: the stream is billed from now on. */
export function connectStream(transition: Transition, streamId: string): void {
  const { stream } = transition.call;
  if (stream?.id !== streamId || stream.connected) return;
  change(transition, { stream: { ...stream, connected: true } });
  log(transition, 'stream_started', { stream_id: streamId, direction: stream.direction, track: stream.track });
  transition.effects.push({ do: 'activate_stream', streamId });
}

/** Ends the stream with this id, if it is not over. */
export function closeStream(
  transition: Transition,
  streamId: string | undefined,
  { reason, lateMs }: StreamEnding,
): void {
  const { stream } = transition.call;
  if (stream === null || stream.id !== streamId) return;
  // The carrier itself ends it with the call.
  if (stream.requested && reason !== 'call_ended') command(transition, { do: 'stop_stream', streamRef: streamId });
  change(transition, { stream: null });
  log(transition, 'stream_stopped', { stream_id: streamId, reason });
  transition.effects.push({ do: 'end_stream', streamId, reason, ...(lateMs !== undefined && { lateMs }) });
}
