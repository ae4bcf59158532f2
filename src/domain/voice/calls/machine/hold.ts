/** Hold: the customer hears hold audio, because the API has asked for it or while another party is rung. */
import { isWebClient } from '../../../../lib/phone/agent-address.ts';
import type { Leg } from '../state/call.ts';
import { change, command, findAnsweredLeg, log, type Transition } from './transition.ts';

/** Plays hold audio to the customer, unless it plays already. `audioRef` null: the built-in pattern. */
export function playHold(transition: Transition, audioRef: string | null): void {
  const { hold = { asked: false, playing: false } } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (hold.playing || customer === undefined) return;
  command(transition, { do: 'hold', legRef: customer.id, audioRef });
  change(transition, { hold: { ...hold, playing: true } });
}

/**
 * Ends hold audio that plays while another party is rung. If the API has put the customer on hold, the hold continues.
 */
export function stopHold(transition: Transition): void {
  const { hold } = transition.call;
  if (hold === undefined || hold.asked) return;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (hold.playing && customer !== undefined) command(transition, { do: 'resume', legRef: customer.id });
  change(transition, { hold: undefined });
}

/**
 * Ends the hold of a customer who is joined with an agent, or with an application. A bridge at the carrier ends hold
 * audio. A web client and an application are joined without a bridge, so for them this function stops the hold audio.
 */
export function leaveHold(transition: Transition, agent: Leg | undefined): void {
  if (agent === undefined || isWebClient(agent.address)) endHold(transition);
  else if (transition.call.hold !== undefined) change(transition, { hold: undefined });
}

/** Ends any hold, so that the customer can hear other audio. */
export function endHold(transition: Transition): void {
  const { hold } = transition.call;
  if (hold === undefined) return;
  change(transition, { hold: { ...hold, asked: false } });
  stopHold(transition);
}

/** Puts the customer on hold for the API. A second request changes nothing. */
export function holdOnRequest(transition: Transition, audioRef: string | null): void {
  const { hold = { asked: false, playing: false } } = transition.call;
  if (hold.asked) return;
  change(transition, { hold: { ...hold, asked: true } });
  playHold(transition, audioRef);
  log(transition, 'held');
}

/** Ends the hold of the API. While a transfer rings, the hold audio continues. */
export function resumeOnRequest(transition: Transition): void {
  const { hold, transfer } = transition.call;
  if (hold?.asked !== true) return;
  change(transition, { hold: { ...hold, asked: false } });
  log(transition, 'resumed');
  if (transfer === undefined) stopHold(transition);
}

/** Handles hold audio that the carrier cannot play. */
export function handleFailedHold(transition: Transition, reason: string): void {
  if (transition.call.hold === undefined) return;
  change(transition, { hold: undefined });
  log(transition, 'failed', { failed: 'hold', reason });
}
