/** Why a channel of an engine ended, in the port's words. */
import { textAt, valueAt } from '../../lib/json-object.ts';
import type { LegEndCause, LegRefusal } from '../ports/voice.ts';
import { STATUS_LINE } from './dial-plan.ts';
import type { SipLeg } from './leg-queries.ts';

/** Causes of Q.850, as Asterisk derives them from SIP status codes. */
const CAUSES: Readonly<Record<number, LegEndCause>> = {
  1: 'unreachable',
  2: 'unreachable',
  3: 'unreachable',
  17: 'busy',
  18: 'no_answer',
  19: 'no_answer',
  20: 'unreachable',
  21: 'rejected',
  22: 'unreachable',
  27: 'unreachable',
  28: 'unreachable',
  102: 'no_answer',
};
const NORMAL = 16;

/** SIP statuses that say more than the cause that Asterisk derives from them. */
const BY_STATUS: Readonly<Record<number, LegEndCause>> = {
  403: 'rejected',
  404: 'unreachable',
  408: 'no_answer',
  410: 'unreachable',
  480: 'no_answer',
  484: 'unreachable',
  486: 'busy',
  600: 'busy',
  603: 'rejected',
  604: 'unreachable',
  607: 'rejected',
  608: 'rejected',
};

/** The meanings of SIP statuses that have no cause. */
const REASONS: Readonly<Record<number, NonNullable<LegRefusal['reason']>>> = {
  607: 'unwanted',
  608: 'rejected_by_network',
};

/**
 * The status line of a call that the analytics of a United States network blocked (603+, ATIS-1000099). A 603 from the
 * called party has other words.
 */
const BLOCKED_BY_ANALYTICS = /^SIP 603 Network Blocked$/i;

/**
 * A trunk with such a status refuses all calls of the operator, to any number. The password, the account, the rights or
 * the offered audio is wrong.
 */
const OF_TRUNK: ReadonlySet<number> = new Set([401, 402, 403, 407, 415, 488]);

type Ended = Readonly<Record<string, unknown>>;

/** Why a leg ended. If the network refused it, also the status of the refusal. */
type LegVerdict = { readonly cause: LegEndCause; readonly refusal?: LegRefusal };

/**
 * Returns why a leg ended.
 * @param event the end of its channel
 * @param isOverTrunk false for a telephone of the engine, whose refusals say nothing about a trunk
 */
export function causeOf(event: Ended, { isHungUp, dialled }: SipLeg, isOverTrunk: boolean): LegVerdict {
  if (isHungUp) return { cause: 'canceled' };
  if (wasUp(event)) return { cause: 'hangup' };
  // A caller has given up if it was not answered and we did not hang it up.
  if (dialled === null) return { cause: 'hangup' };
  const status = statusOf(event);
  if (isOverTrunk && isRefusal(status)) {
    return { cause: 'failed', refusal: { sip_status: status, reason: 'carrier_refused' } };
  }
  const cause = Number(valueAt(event, 'cause'));
  const named = BY_STATUS[status] ?? CAUSES[cause];
  const reason = isBlocked(event) ? 'rejected_by_network' : REASONS[status];
  return {
    cause: named ?? (cause === NORMAL && status < 400 ? 'rejected' : 'failed'),
    ...(status >= 300 && { refusal: { sip_status: status, ...(reason && { reason }) } }),
  };
}

/** Returns the SIP status if a trunk refused all calls of the operator; otherwise undefined. */
export function refusalByTrunk(event: Ended): number | undefined {
  const status = statusOf(event);
  return !wasUp(event) && isRefusal(status) ? status : undefined;
}

/**
 * True for statuses that refuse all calls, and for 3xx, because the engine does not follow a trunk to another address.
 */
function isRefusal(status: number): boolean {
  return OF_TRUNK.has(status) || (status >= 300 && status < 400);
}

/** The SIP status of the end; 0 if there is none, as when a trunk does not answer. */
function statusOf(event: Ended): number {
  return Number(valueAt(event, 'tech_cause') ?? 0);
}

function isBlocked(event: Ended): boolean {
  return BLOCKED_BY_ANALYTICS.test(textAt(event, 'channel', 'channelvars', STATUS_LINE)?.trim() ?? '');
}

function wasUp(event: Ended): boolean {
  return textAt(event, 'channel', 'state') === 'Up';
}

/**
 * True if a channel ended because its trunk could not or would not take the call. That is a 5xx, a refusal of all the
 * operator's calls, no answer to the INVITE (408 from the engine itself), or an unreachable trunk. If the phone has
 * rung, the trunk worked.
 */
export function tellsToTryNext(event: Ended): boolean {
  if (textAt(event, 'channel', 'state') !== 'Down') return false;
  const status = statusOf(event);
  if (status > 0) return status === 408 || isRefusal(status) || (status >= 500 && status < 600);
  return Number(valueAt(event, 'cause')) !== NORMAL;
}
