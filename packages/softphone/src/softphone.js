import { emergencyNumberOf } from './emergency-number.js';
import { createListeners } from './listeners.js';
import { listDevices, watchPage } from './page.js';
import { PlacedCalls } from './placed-calls.js';
import { isFinal, pauseMs } from './reconnecting.js';
import { findCall, shownCall } from './shown-call.js';
import { SoftphoneError } from './softphone-error.js';
import { WebSocketTransport } from './websocket-transport.js';

/** @typedef {import('../index.d.ts').SoftphoneCall} SoftphoneCall */
/** @typedef {import('../index.d.ts').TokenSource} TokenSource */
/** @typedef {import('../index.d.ts').TransportEvent} TransportEvent */

export class Softphone {
  #transport;
  /** @type {Map<string, SoftphoneCall>} */
  #calls = new Map();
  #events = createListeners();
  on = this.#events.on;
  #placed = new PlacedCalls();
  /** @type {TokenSource | undefined} */
  #tokens;
  /** @type {PromiseWithResolvers<void> | undefined} */
  #connecting;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #reconnect;
  #attempts = 0;
  #isRegistered = false;
  /** @type {readonly import('../index.d.ts').SoftphoneQueue[]} */
  #queues = [];

  /** @type {() => void} */
  #unwatchPage = () => undefined;

  /** @param {import('../index.d.ts').SoftphoneOptions} options */
  constructor({ url, transport, microphone, workletUrl }) {
    if (transport === undefined && url === undefined) throw new TypeError('a softphone needs a url or a transport');
    this.#transport = transport ?? new WebSocketTransport({ url: url ?? '', microphone, workletUrl });
    this.#transport.listener = (event) => this.#handle(event);
  }

  get calls() {
    return [...this.#calls.values()];
  }

  get queues() {
    return this.#queues;
  }

  get isRegistered() {
    return this.#isRegistered;
  }

  /** @param {TokenSource} token */
  async connect(token) {
    this.disconnect();
    this.#tokens = token;
    this.#unwatchPage = watchPage({
      onOnline: () => this.#openNow(),
      onDevices: (devices) => this.#events.emit('devices', devices),
    });
    const connecting = Promise.withResolvers();
    this.#connecting = connecting;
    await this.#open();
    return connecting.promise;
  }

  disconnect() {
    clearTimeout(this.#reconnect);
    this.#reconnect = undefined;
    this.#unwatchPage();
    this.#tokens = undefined;
    this.#attempts = 0;
    this.#isRegistered = false;
    this.#connecting?.reject(new SoftphoneError('disconnected', 'The softphone was disconnected.'));
    this.#connecting = undefined;
    this.#placed.refuseAll(() => new SoftphoneError('disconnected', 'The softphone was disconnected.'));
    this.#calls.clear();
    this.#transport.close();
  }

  async devices() {
    return await listDevices();
  }

  async useMicrophone(id = '') {
    await this.#transport.useMicrophone(id);
  }

  async useSpeaker(id = '') {
    await this.#transport.useSpeaker(id);
  }

  /** @param {string} [callId] */
  async answer(callId) {
    const call = this.#find(callId, (call) => call.state === 'incoming');
    await this.#transport.prepareAudio();
    this.#transport.answer(call.id);
  }

  /** @param {string} [callId] */
  decline(callId) {
    this.#transport.decline(this.#find(callId, (call) => call.state === 'incoming').id);
  }

  /**
   * @param {string} to
   * @param {{ from?: string, ref?: string }} [options]
   * @returns {Promise<SoftphoneCall>}
   */
  async place(to, { from, ref = this.#placed.nextRef() } = {}) {
    if (!this.#isRegistered) throw new SoftphoneError('not_registered', 'The softphone is not connected.');
    const emergency = emergencyNumberOf(to);
    // An emergency call does not ask for the microphone first: a refusal must not stop it.
    if (emergency === undefined) await this.#transport.prepareAudio();
    const request = { to: emergency ?? to, ref, ...(from === undefined ? {} : { from }) };
    return this.#placed.place(ref, () => this.#transport.place(request));
  }

  /** @param {string} [callId] */
  hangUp(callId) {
    this.#transport.hangUp(this.#find(callId).id);
  }

  /**
   * @param {boolean} [on]
   * @param {string} [callId]
   */
  mute(on = true, callId) {
    const call = this.#find(callId);
    this.#transport.setMuted(call.id, on);
    this.#calls.set(call.id, { ...call, muted: on });
  }

  /**
   * @param {boolean} [on]
   * @param {string} [callId]
   */
  hold(on = true, callId) {
    const call = this.#find(callId);
    this.#transport.setHeld(call.id, on);
    this.#calls.set(call.id, { ...call, held: on });
  }

  /**
   * @param {string} digits
   * @param {string} [callId]
   */
  sendDigits(digits, callId) {
    this.#transport.sendDigits(this.#find(callId).id, digits);
  }

  /**
   * @param {string} to
   * @param {{ mode?: 'announce' | 'consult', announceText?: string, callId?: string }} [options]
   */
  transfer(to, { mode, announceText, callId } = {}) {
    const more = { ...(mode && { mode }), ...(announceText && { announceText }) };
    this.#transport.transfer(this.#find(callId).id, { to, ...more });
  }

  /** @param {string} [callId] */
  completeTransfer(callId) {
    this.#transport.completeTransfer(this.#find(callId).id);
  }

  /** @param {string} [callId] */
  cancelTransfer(callId) {
    this.#transport.cancelTransfer(this.#find(callId).id);
  }

  /**
   * @param {'available' | 'away'} availability
   * @param {string} [queueId]
   */
  setAvailability(availability, queueId) {
    this.#transport.setAvailability(availability, queueId);
  }

  /** @param {string | undefined} callId @param {(call: SoftphoneCall) => boolean} [suits] */
  #find(callId, suits) {
    return findCall(this.calls, callId, suits);
  }

  async #open() {
    const tokens = this.#tokens;
    if (tokens === undefined) return;
    try {
      const token = typeof tokens === 'function' ? await tokens() : tokens;
      if (this.#tokens === tokens) this.#transport.open(token);
    } catch (error) {
      if (this.#tokens === tokens) this.#handleClose(0, `no token: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Ends the pause before the next attempt to connect, if there is one. */
  #openNow() {
    if (this.#reconnect === undefined) return;
    clearTimeout(this.#reconnect);
    this.#reconnect = undefined;
    this.#attempts = 0;
    void this.#open();
  }

  /** @param {TransportEvent} event */
  #handle(event) {
    switch (event.type) {
      case 'registered': {
        const { webClientId, expiresAt, callIds } = event;
        this.#isRegistered = true;
        this.#attempts = 0;
        this.#endAllBut(callIds);
        this.#events.emit('registered', { webClientId, expiresAt });
        this.#connecting?.resolve();
        this.#connecting = undefined;
        return;
      }
      case 'queues':
        this.#queues = event.queues;
        return this.#events.emit('queues', event.queues);
      case 'incoming':
      case 'dialing':
        return this.#show(event);
      case 'ringing':
        return this.#move(event.callId, 'ringing', 'ringing');
      case 'answered':
        return this.#move(event.callId, 'connected', 'answered');
      case 'transfer': {
        const changed = this.#change(event.callId, { transfer: event.transfer });
        if (changed) this.#events.emit('transfer', changed);
        if (changed && event.failure) this.#events.emit('transferFailed', { ...changed, reason: event.failure });
        return;
      }
      case 'consult': {
        const changed = this.#change(event.callId, { consultedBy: event.consultedBy });
        if (changed !== undefined) this.#events.emit('consult', changed);
        return;
      }
      case 'quality': {
        const { callId, lossPercent, jitterMs, roundTripMs } = event;
        if (this.#calls.has(callId)) this.#events.emit('quality', { callId, lossPercent, jitterMs, roundTripMs });
        return;
      }
      case 'ended': {
        const call = this.#calls.get(event.callId);
        this.#calls.delete(event.callId);
        const { reason, outcome } = event;
        if (call !== undefined) this.#events.emit('ended', { ...call, state: 'ended', reason, outcome });
        return;
      }
      case 'error': {
        const error = new SoftphoneError(event.code, event.message, event.callId);
        const placing = this.#placed.take(event.ref);
        if (placing !== undefined) placing.reject(error);
        else this.#events.emit('error', error);
        return;
      }
      case 'closed':
        return this.#handleClose(event.code, event.reason);
    }
  }

  /**
   * Ends the calls that ended while the connection was lost.
   * @param {readonly string[]} callIds
   */
  #endAllBut(callIds) {
    for (const call of this.calls.filter(({ id }) => !callIds.includes(id))) {
      this.#calls.delete(call.id);
      this.#events.emit('ended', { ...call, state: 'ended', reason: 'ended', outcome: null });
    }
  }

  /** @param {Extract<TransportEvent, { type: 'incoming' | 'dialing' }>} event */
  #show(event) {
    const known = this.#calls.get(event.callId);
    const call = shownCall(event, known);
    this.#calls.set(call.id, call);
    // After a new login the server sends the call again, and does not remember its mute and hold.
    if (call.muted) this.#transport.setMuted(call.id, true);
    if (call.held) this.#transport.setHeld(call.id, true);
    this.#placed.take(event.ref)?.resolve(call);
    if (known === undefined && event.type === 'incoming') this.#events.emit('incoming', call);
  }

  /**
   * Changes a call. Returns undefined if there is no such call.
   * @param {string} callId
   * @param {Partial<SoftphoneCall>} change
   */
  #change(callId, change) {
    const call = this.#calls.get(callId);
    const changed = call && { ...call, ...change };
    if (changed) this.#calls.set(callId, changed);
    return changed;
  }

  /**
   * @param {string} callId
   * @param {SoftphoneCall['state']} state
   * @param {'ringing' | 'answered'} type
   */
  #move(callId, state, type) {
    if (this.#calls.get(callId)?.state === state) return;
    const moved = this.#change(callId, { state });
    if (moved !== undefined) this.#events.emit(type, moved);
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #handleClose(code, reason) {
    this.#isRegistered = false;
    this.#placed.refuseAll(() => new SoftphoneError('disconnected', 'The connection was lost.'));
    const willReconnect = typeof this.#tokens === 'function' && !isFinal(code) && this.#connecting === undefined;
    if (this.#connecting !== undefined) {
      this.#connecting.reject(new SoftphoneError(isFinal(code) ? 'login_refused' : 'disconnected', reason));
      this.#connecting = undefined;
      this.#tokens = undefined;
    }
    if (!willReconnect) this.#calls.clear();
    this.#events.emit('disconnected', { code, reason, willReconnect });
    if (!willReconnect) return;
    this.#reconnect = setTimeout(
      () => {
        this.#reconnect = undefined;
        return this.#open();
      },
      pauseMs(this.#attempts++),
    );
  }
}
