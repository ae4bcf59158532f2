/** Listeners of a call. They start after the required announcement, and end with the call at the latest. */
import type { CallListener, ListenerEnd } from '../state/call-listener.ts';
import { change, command, findAnsweredLeg, log, type Transition } from './transition.ts';

/** Adds a listener. The machine has checked that the call may have another. `startListening` follows. */
export function addListener(transition: Transition, listener: Omit<CallListener, 'isActive'>): void {
  const { listeners = [] } = transition.call;
  change(transition, { listeners: [...listeners, { ...listener, isActive: false }] });
}

/** Connects the waiting listeners to the call. Requests the audio from a carrier that sends it. */
export function activateListeners(transition: Transition): void {
  const { listeners = [] } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  const waiting = listeners.filter(({ isActive }) => !isActive);
  if (waiting.length === 0 || customer === undefined) return;
  change(transition, { listeners: listeners.map((listener) => ({ ...listener, isActive: true })) });
  requestAudio(transition);
  for (const { id: listener_id, webClientId: web_client_id, speaksTo: speaks_to } of waiting) {
    log(transition, 'listener_started', { listener_id, web_client_id, speaks_to });
  }
}

/** Asks the carrier for the audio of a call with listeners. If the audio already arrives, the command does nothing. */
export function requestAudio(transition: Transition): void {
  const [first] = transition.call.listeners ?? [];
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (first === undefined || customer === undefined) return;
  const audio = { streamRef: first.id, legRef: customer.id, direction: 'bidirectional', track: 'both' } as const;
  command(transition, { do: 'start_stream', ...audio });
}

/**
 * Ends the listener with this id, if there is one. Hangs up its web client, unless the web client itself has hung up.
 */
export function endListener(transition: Transition, id: string, reason: ListenerEnd): void {
  const { listeners = [] } = transition.call;
  const listener = listeners.find((candidate) => candidate.id === id);
  if (listener === undefined) return;
  change(transition, { listeners: listeners.filter((other) => other !== listener) });
  if (reason !== 'hung_up') command(transition, { do: 'hang_up', legRef: id, reason: 'ended' });
  log(transition, 'listener_ended', { listener_id: id, reason });
}

/** Ends all listeners, or only listeners that wait for an announcement. */
export function endListeners(transition: Transition, reason: ListenerEnd, { waiting = false } = {}): void {
  for (const { id, isActive } of transition.call.listeners ?? []) {
    if (!waiting || !isActive) endListener(transition, id, reason);
  }
}
