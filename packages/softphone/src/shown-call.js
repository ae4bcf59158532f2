import { SoftphoneError } from './softphone-error.js';

/** @typedef {import('../index.d.ts').SoftphoneCall} SoftphoneCall */
/** @typedef {import('../index.d.ts').TransportEvent} TransportEvent */

/**
 * Returns the snapshot of a call that the server shows. A call that is shown again keeps its state, its mute and its
 * hold.
 * @param {Extract<TransportEvent, { type: 'incoming' | 'dialing' }>} event
 * @param {SoftphoneCall | undefined} known
 * @returns {SoftphoneCall}
 */
export function shownCall({ type, callId: id, ref, listener, ...event }, known) {
  const { queue = null, consultedBy = null, callerName = null, contactName = null, direction, from, to } = event;
  if (known !== undefined) return { ...known, consultedBy, transfer: null };
  const parties = { direction, from, to, callerName, contactName, queue, consultedBy };
  const listens = listener === undefined ? {} : { listener };
  return { id, ...parties, state: type, ...listens, muted: false, held: false, transfer: null };
}

/**
 * Returns the call with an id. A button that names no call acts on the latest call that suits. Errors: call_not_found.
 * @param {readonly SoftphoneCall[]} calls
 * @param {string | undefined} callId
 * @param {(call: SoftphoneCall) => boolean} [suits]
 * @returns {SoftphoneCall}
 */
export function findCall(calls, callId, suits = () => true) {
  const call = callId === undefined ? calls.filter(suits).at(-1) : calls.find(({ id }) => id === callId);
  if (call === undefined) throw new SoftphoneError('call_not_found', 'There is no such call.', callId);
  return call;
}
