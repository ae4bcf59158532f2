/** The life of a web client's leg. Pure. */
import type { LegEndCause } from '../../../carriers/ports/voice.ts';
import type { WebClientLegState } from '../../../carriers/ports/web-client.ts';
import type { CallInput } from '../calls/state/call-step.ts';

export type LegOfWebClient = {
  readonly legId: string;
  /** False for a call that the web client makes. */
  readonly wasRung: boolean;
  /** `dialing`: the web client was logged in until recently, and is checked again. */
  readonly state: WebClientLegState;
  /** Why the leg ended, as the web client shows it; null until then. */
  readonly endReason: string | null;
};

/**
 * - available: logged in, and on no other call. A web client that is ringing or talking is `available` while it is
 *   logged in.
 * - busy: on another call, or rung by one.
 * - overdue: its node has not renewed the session in time, for example after an outage of the database. The node may
 *   still renew it.
 * - unreachable: not logged in.
 */
export type WebClientStatus = 'available' | 'busy' | 'overdue' | 'unreachable' | 'revoked';

/** The time of the next check of the web client. `misses` counts the consecutive checks that did not find it. */
export type NextCheck = { readonly inMs: number; readonly misses: number };

/** The next state of a leg, and its effects. */
export type LegStep = Pick<LegOfWebClient, 'state' | 'endReason'> & {
  /** The inputs of the call that follow. */
  readonly reports: readonly CallInput[];
  readonly check?: NextCheck;
};

export const CHECK_EVERY_MS = 10_000;
/** A web client that was not found is checked again after this time. If its page was reloaded, it is back by then. */
const CHECK_AGAIN_MS = 5_000;
/** A web client is lost after this many consecutive checks that do not find it. */
const MISSES_MAX = 2;
/**
 * The time between checks of an overdue web client. After an outage of the database, nodes renew all sessions within 3
 * s.
 */
const LOOK_AGAIN_MS = 1_000;
/** An overdue web client counts as unreachable after this many repeated checks of its session. */
export const LOOKS_AGAIN_MAX = 4;

/** Rings a web client, if it is logged in and on no other call. */
export function ring(legId: string, status: WebClientStatus, misses: number): LegStep {
  if (status === 'available') {
    const check = { inMs: CHECK_EVERY_MS, misses: 0 };
    return { state: 'ringing', endReason: null, reports: [{ type: 'leg_ringing', legId }], check };
  }
  if (status === 'overdue') {
    return { state: 'dialing', endReason: null, reports: [], check: { inMs: LOOK_AGAIN_MS, misses: misses + 1 } };
  }
  return end(legId, status === 'busy' ? 'busy' : 'unreachable');
}

/** Actions of the person at the web client, and findings about the web client. `lose`: it is lost, or was revoked. */
export type LegRequest =
  | { readonly do: 'answer' | 'hang_up' | 'lose' }
  /** The call hangs it up. */
  | { readonly do: 'cancel'; readonly reason: string }
  /** Ends the leg for this cause. A test requests it. */
  | { readonly do: 'end'; readonly cause: LegEndCause };

/** Returns undefined if the request does not fit the state of the leg. */
export function take({ legId, wasRung, state }: LegOfWebClient, request: LegRequest): LegStep | undefined {
  if (state === 'ended') return undefined;
  const isRung = wasRung && state !== 'up';
  switch (request.do) {
    case 'answer': {
      if (!isRung) return undefined;
      const answered: CallInput = { type: 'leg_answered', legId };
      const reports: CallInput[] = state === 'dialing' ? [{ type: 'leg_ringing', legId }, answered] : [answered];
      return { state: 'up', endReason: null, reports };
    }
    case 'hang_up':
      return isRung ? end(legId, 'rejected', 'declined') : end(legId, 'hangup');
    case 'lose':
      return end(legId, isRung ? 'unreachable' : 'hangup', 'unreachable');
    case 'cancel':
      return end(legId, 'canceled', request.reason);
    case 'end':
      return end(legId, request.cause);
  }
}

/**
 * Ends the leg of a web client that was revoked, or that has logged out and has not come back.
 * @returns undefined for a leg that has ended
 */
export function check(leg: LegOfWebClient, status: WebClientStatus, misses: number): LegStep | undefined {
  const { legId, state, endReason } = leg;
  if (state === 'ended') return undefined;
  if (state === 'dialing') return ring(legId, status, misses);
  if (status === 'revoked' || (status !== 'available' && misses + 1 >= MISSES_MAX)) return take(leg, { do: 'lose' });
  const next = status === 'available' ? { inMs: CHECK_EVERY_MS, misses: 0 } : undefined;
  return { state, endReason, reports: [], check: next ?? { inMs: CHECK_AGAIN_MS, misses: misses + 1 } };
}

function end(legId: string, cause: LegEndCause, endReason: string = cause): LegStep {
  return { state: 'ended', endReason, reports: [{ type: 'leg_ended', legId, cause }] };
}
