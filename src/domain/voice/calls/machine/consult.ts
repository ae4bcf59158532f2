/**
 * A consultation before a transfer: the agent talks to the new agent while the customer is on hold. It ends when the
 * transfer is completed or canceled, or when one of the three hangs up.
 */
import type { Call, Leg } from '../state/call.ts';
import { leaveHold, playHold } from './hold.ts';
import { change, clearTimer, command, emit, findAnsweredLeg, log, type Transition } from './transition.ts';

/** Returns true while the agent talks to the new one. */
export function isConsulting({ transfer }: Call): boolean {
  return transfer?.isConsulting === true;
}

/**
 * A call remembers this many of its latest consultations. The words of a consultation are reported within seconds, so
 * older consultations are not needed.
 */
const CONSULTS_MAX = 50;

/**
 * Returns true if an agent said something to another agent while the customer was on hold. Part of the words is enough.
 */
export function isInConsult(
  { consults = [] }: Call,
  { party }: Leg,
  { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
): boolean {
  if (party !== 'agent') return false;
  return consults.some(({ fromMs, toMs }) => endedAt.getTime() > fromMs && startedAt.getTime() < (toMs ?? Infinity));
}

/** Records the end of the current consultation, if there is one. */
export function endConsult(transition: Transition): void {
  const { call, nowMs } = transition;
  if (call.consults?.at(-1)?.toMs !== null) return;
  change(transition, { consults: call.consults.map((consult) => ({ ...consult, toMs: consult.toMs ?? nowMs })) });
}

/** Returns the agent who transfers the call, if it is still on the line. */
export function findTransferrer({ legs, transfer }: Call): Leg | undefined {
  return legs.find(({ id, party, state }) => party === 'agent' && state === 'up' && id !== transfer?.legId);
}

/** Connects the agent with the new agent, who has answered. */
export function beginConsult(transition: Transition, agent: Leg): void {
  const { transfer, consults = [] } = transition.call;
  if (transfer === undefined) return;
  clearTimer(transition, 'transfer');
  change(transition, {
    transfer: { ...transfer, speechRef: null, isConsulting: true },
    consults: [...consults, { fromMs: transition.nowMs, toMs: null }].slice(-CONSULTS_MAX),
  });
  command(transition, { do: 'bridge', legRefs: [agent.id, transfer.legId] });
  log(transition, 'transfer_answered', { to: transfer.to });
  emit(transition, 'call.transfer.answered', { to: transfer.to, reason: null });
}

/**
 * Connects the customer with the agent again after a consultation. A bridge ends hold audio at the carrier. If the API
 * has put the customer on hold, the hold audio therefore starts again after the bridge.
 */
export function leaveConsult(transition: Transition, audioRef: string | null): void {
  const agent = findAnsweredLeg(transition.call, 'agent');
  const customer = findAnsweredLeg(transition.call, 'customer');
  endConsult(transition);
  if (agent === undefined || customer === undefined) return;
  const isHeld = transition.call.hold?.asked === true;
  leaveHold(transition, agent);
  command(transition, { do: 'bridge', legRefs: [agent.id, customer.id] });
  if (!isHeld) return;
  change(transition, { hold: { asked: true, playing: false } });
  playHold(transition, audioRef);
}
