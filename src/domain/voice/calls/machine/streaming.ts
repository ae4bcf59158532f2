/**
 * The media stream of a call: at most one at a time. It starts after the required announcement. It ends by the API,
 * with its client's connection, when the carrier loses its audio, and with the call at the latest.
 */
import type { RelaySettings } from '../../../numbers/index.ts';
import type { Call, CallStream, StreamEnding, StreamStopReason } from '../state/call.ts';
import type { RelayEndReason } from '../state/call-relay.ts';
import { change, command, findAnsweredLeg, isAnnouncing, log, type Transition } from './transition.ts';

/** Opens a stream. The machine has checked that none is open. `startListening` follows. */
export function openStream(
  transition: Transition,
  wanted: Pick<CallStream, 'id' | 'direction' | 'track' | 'isRelay'>,
): void {
  change(transition, { stream: { ...wanted, requested: false, connected: false } });
}

/** Opens a relay: the stream whose client is an agent. The machine has checked that no stream is open. */
export function openRelay(transition: Transition, relay: { relayId: string; settings: RelaySettings }): void {
  openStream(transition, { id: relay.relayId, direction: 'bidirectional', track: 'both', isRelay: true });
  transition.effects.push({ do: 'open_relay', ...relay });
}

/** Requests the audio from the carrier once the customer's leg is answered. Earlier the carrier has no audio. */
export function requestStream(transition: Transition): void {
  const { stream } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (stream === null || stream.requested || customer === undefined) return;
  const { id: streamRef, direction, track } = stream;
  command(transition, { do: 'start_stream', streamRef, legRef: customer.id, direction, track });
  change(transition, { stream: { ...stream, requested: true } });
  if (stream.isRelay) transition.effects.push({ do: 'dial_relay', relayId: streamRef });
}

/**
 * Handles the connection of the stream's client: the stream is billed from now on. If an announcement is required
 * first, the client waits, and is connected after it.
 */
export function connectStream(transition: Transition, streamId: string): void {
  const { stream } = transition.call;
  if (stream?.id !== streamId || stream.connected) return;
  if (isClientHeld(transition.call, streamId)) {
    if (!stream.isClientWaiting) change(transition, { stream: { ...stream, isClientWaiting: true } });
    return;
  }
  const { isClientWaiting: _, ...connected } = stream;
  change(transition, { stream: { ...connected, connected: true } });
  if (stream.isRelay) log(transition, 'relay_started', { relay_id: streamId });
  else log(transition, 'stream_started', { stream_id: streamId, direction: stream.direction, track: stream.track });
  transition.effects.push({ do: 'activate_stream', streamId });
}

/** Returns true while the client of the stream waits for the announcement that is due. */
export function isClientHeld(call: Call, streamId: string): boolean {
  const { stream } = call;
  return stream?.id === streamId && !stream.connected && !stream.requested && isAnnouncementDue(call);
}

function isAnnouncementDue(call: Call): boolean {
  const { recording, listening } = call;
  return isAnnouncing(call) || listening !== undefined || (recording.name === 'wanted' && recording.announce);
}

/** Returns true if the stream of the call has a client. The client may wait for an announcement. */
export function hasClient({ stream }: Call): boolean {
  return stream !== null && (stream.connected || stream.isClientWaiting === true);
}

/** Ends the stream with this id, if it is not over. */
export function closeStream(
  transition: Transition,
  streamId: string | undefined,
  { reason, lateMs, relay }: StreamEnding,
): void {
  const { stream } = transition.call;
  if (stream === null || stream.id !== streamId) return;
  // At the end of the call the carrier ends the stream without a command.
  if (stream.requested && reason !== 'call_ended') command(transition, { do: 'stop_stream', streamRef: streamId });
  change(transition, { stream: null });
  const ending = { reason, ...(lateMs !== undefined && { lateMs }) };
  if (stream.isRelay) {
    const ofRelay = relay ?? { reason: relayReasonOf(reason), handoffData: null };
    log(transition, 'relay_ended', { relay_id: streamId, reason: ofRelay.reason });
    transition.effects.push({ do: 'end_stream', streamId, ...ending, relay: ofRelay });
    return;
  }
  log(transition, 'stream_stopped', { stream_id: streamId, reason });
  transition.effects.push({ do: 'end_stream', streamId, ...ending });
}

/** Returns the end reason of a relay. `reason` is the end reason of its stream. */
function relayReasonOf(reason: StreamStopReason): RelayEndReason {
  if (reason === 'client_closed') return 'agent_closed';
  return reason === 'no_client' ? 'connect_failed' : reason;
}
