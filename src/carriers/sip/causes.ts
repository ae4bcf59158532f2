/** Why a channel of an engine ended, in the port's words. */
import { textAt, valueAt } from '../../lib/json-object.ts';
import type { LegEndCause } from '../ports/voice.ts';
import type { SipLeg } from './leg-queries.ts';

/** Causes of Q.850, as Asterisk makes them of SIP's status codes. */
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

/** Statuses of SIP that say more than the cause that Asterisk makes of them. */
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

type Ended = Readonly<Record<string, unknown>>;

/** Returns why a leg ended: `event` is the end of its channel. */
export function causeOf(event: Ended, { isHungUp, dialled }: SipLeg): LegEndCause {
  if (isHungUp) return 'canceled';
  if (wasUp(event)) return 'hangup';
  // A caller that was not answered, and that we have not hung up, has given up.
  if (dialled === null) return 'hangup';
  const status = statusOf(event);
  const cause = Number(valueAt(event, 'cause'));
  const named = BY_STATUS[status] ?? CAUSES[cause];
  return named ?? (cause === NORMAL && status < 400 ? 'rejected' : 'failed');
}

/** SIP's status of the end; 0 if there is none, such as for a trunk that does not answer. */
function statusOf(event: Ended): number {
  return Number(valueAt(event, 'tech_cause') ?? 0);
}

function wasUp(event: Ended): boolean {
  return textAt(event, 'channel', 'state') === 'Up';
}

/**
 * True if a channel ended because its trunk could not take the call: a 5xx, no answer to the INVITE (408, of the engine
 * itself), or unreachable. A phone that has rung was reached, so its end is no matter of the trunk.
 */
export function tellsToTryNext(event: Ended): boolean {
  if (textAt(event, 'channel', 'state') !== 'Down') return false;
  const status = statusOf(event);
  if (status > 0) return status === 408 || (status >= 500 && status < 600);
  return Number(valueAt(event, 'cause')) !== NORMAL;
}
