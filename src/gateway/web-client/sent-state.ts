/**
 * The state of a leg that a web client has received, and the next messages. Pure.
 *
 * A signal says only that the leg may have changed. The leg is read again and compared with the sent state. So lost and
 * repeated signals do no harm, and a web client that logs in again receives its whole state.
 */
import type { TransferFailure, WebClientLeg } from '../../domain/voice/index.ts';
import type { EndReason } from './protocol.ts';

/** The state of a leg that the web client knows. */
export type SentState = {
  readonly callId: string;
  readonly wasRung: boolean;
  readonly shown: boolean;
  readonly media: boolean;
  readonly remote: 'none' | 'ringing' | 'up';
  /** The transfer as JSON; null while none is under way. */
  readonly transfer: string | null;
  /** The agent who asks the web client before a transfer, as JSON; null without one. */
  readonly consultedBy: string | null;
  /**
   * The time of the latest failed transfer that needs no message: its failure was sent, or it failed before the web
   * client first received the leg.
   */
  readonly failedAtMs: number | null;
};

/** A message that must be sent; `type` is the protocol's. */
export type Update =
  | {
      readonly type: 'incoming' | 'dialing' | 'media' | 'ringing' | 'answered' | 'consult';
      readonly leg: WebClientLeg;
    }
  /** `failure`: why a transfer has failed since the previous update. */
  | { readonly type: 'transfer'; readonly leg: WebClientLeg; readonly failure: TransferFailure | undefined }
  | { readonly type: 'ended'; readonly leg: WebClientLeg; readonly reason: EndReason };

/** Returns the state of a leg that the web client must receive, before any message about it. */
export function nothingSent({ callId, wasRung }: Pick<WebClientLeg, 'callId' | 'wasRung'>): SentState {
  return {
    callId,
    wasRung,
    shown: false,
    media: false,
    remote: 'none',
    transfer: null,
    consultedBy: null,
    failedAtMs: null,
  };
}

/**
 * Compares a leg with its sent state.
 * @param before undefined if the web client neither knows the leg nor waits for it
 * @returns the updates to send, in order, and the state after them: undefined for a leg that has ended
 */
export function compare(
  before: SentState | undefined,
  leg: WebClientLeg,
): { readonly updates: readonly Update[]; readonly sent: SentState | undefined } {
  const updates: Update[] = [];
  if (leg.state !== 'ended') return { updates, sent: advance(before ?? nothingSent(leg), leg, updates) };
  if (before !== undefined) {
    if (!before.shown) updates.push(firstUpdate(leg));
    updates.push({ type: 'ended', leg, reason: reasonOf(leg) });
  }
  return { updates, sent: undefined };
}

function firstUpdate(leg: WebClientLeg): Update {
  return { type: leg.wasRung ? 'incoming' : 'dialing', leg };
}

function advance(before: SentState, leg: WebClientLeg, updates: Update[]): SentState {
  let after = before;
  if (!after.shown) {
    updates.push(firstUpdate(leg));
    const consultedBy = leg.wasRung ? jsonOf(leg.consultedBy) : null;
    after = { ...after, shown: true, consultedBy, failedAtMs: leg.failedTransfer?.atMs ?? null };
  }
  if (leg.state !== 'up') return after;
  if (!after.media) {
    updates.push({ type: 'media', leg });
    after = { ...after, media: true };
  }
  return advanceConsult(advanceTransfer(advanceOther(after, leg, updates), leg, updates), leg, updates);
}

function advanceConsult(before: SentState, leg: WebClientLeg, updates: Update[]): SentState {
  const consultedBy = jsonOf(leg.consultedBy);
  if (consultedBy !== before.consultedBy) updates.push({ type: 'consult', leg });
  return { ...before, consultedBy };
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

function advanceTransfer(before: SentState, leg: WebClientLeg, updates: Update[]): SentState {
  const transfer = jsonOf(leg.transfer);
  const { failedTransfer: failed } = leg;
  const failure = failed === null || failed.atMs === before.failedAtMs ? undefined : failed.reason;
  if (transfer !== before.transfer || failure !== undefined) updates.push({ type: 'transfer', leg, failure });
  return { ...before, transfer, failedAtMs: failed?.atMs ?? null };
}

function advanceOther(after: SentState, leg: WebClientLeg, updates: Update[]): SentState {
  if (leg.other === 'up' && after.remote !== 'up') {
    updates.push({ type: 'answered', leg });
    return { ...after, remote: 'up' };
  }
  if (leg.other === 'ringing' && after.remote === 'none') {
    updates.push({ type: 'ringing', leg });
    return { ...after, remote: 'ringing' };
  }
  return after;
}

function reasonOf({ endReason }: WebClientLeg): EndReason {
  switch (endReason) {
    case 'hangup':
      return 'hung_up';
    case 'declined':
    case 'answered_elsewhere':
    case 'no_answer':
      return endReason;
    default:
      return 'ended';
  }
}
