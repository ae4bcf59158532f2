/** Legs of web clients. The product owns them, so their changes are only copied, and not reported to it. */
import { findLeg, type WebClientChange } from '../call.ts';
import { finishLeg, soundDigits } from './legs.ts';
import { addLeg, changeLeg, type Transition } from './transition.ts';

export function takeWebClientChange(transition: Transition, legRef: string, change: WebClientChange): undefined {
  const leg = findLeg(transition.call, legRef);
  if (change.do === 'press_digits') {
    if (leg !== undefined) soundDigits(transition, leg, change);
    return;
  }
  const { state, webClientId: address } = change;
  const isAnswered = state === 'up' && (leg?.answered_at ?? null) === null;
  const answered = isAnswered ? { answered_at: transition.now } : {};
  if (leg?.state === 'ended') return;
  if (leg !== undefined && state === 'ended') finishLeg(transition, leg);
  else if (leg !== undefined) changeLeg(transition, legRef, { state, ...answered });
  else if (state !== 'ended') {
    addLeg(transition, { leg_ref: legRef, party: 'agent', address, dialled: true, state, ...answered });
  }
}
