/**
 * Signalling over one WebSocket, and the audio of each call over another. docs/softphone-protocol.md lists the
 * messages.
 */
import { AudioEngine } from './audio-engine.js';

/** @typedef {import('../index.d.ts').Transport} Transport */
/** @typedef {import('../index.d.ts').TransportEvent} TransportEvent */
/** @typedef {import('./audio-engine.js').AudioLink} AudioLink */

const PATH = '/v1/softphone';
/** Pauses before lost audio is requested again. */
const AUDIO_RETRY_MS = [500, 1_000, 2_000, 5_000];
/** After these errors the request for audio is repeated: no gateway can take it, or the page has sent too much. */
const RETRYABLE = new Set(['carrier_unavailable', 'rate_limited']);

/** @implements {Transport} */
export class WebSocketTransport {
  /** @type {(event: TransportEvent) => void} */
  listener = () => undefined;
  #url;
  #audio;
  /** @type {WebSocket | undefined} */
  #socket;
  /** The audio of each call. @type {Map<string, Promise<AudioLink | undefined>>} */
  #links = new Map();
  /** Requests for lost audio since it last flowed, by call. @type {Map<string, number>} */
  #retries = new Map();
  /** Calls that are muted or held, so that audio which starts later is silent from the start. */
  #silent = new Set();

  /** @param {{ url: string } & import('./audio-engine.js').AudioOptions} options */
  constructor({ url, microphone, workletUrl }) {
    this.#url = `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}${PATH}`;
    this.#audio = new AudioEngine({ microphone, workletUrl });
  }

  /** @param {string} token */
  open(token) {
    this.close();
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    // The token is sent in a message, because addresses are logged.
    socket.onopen = () => socket.send(JSON.stringify({ type: 'register', token }));
    socket.onmessage = ({ data }) => this.#handle(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      // Calls continue without signalling while their audio lasts; the server sends them again after the next login.
      this.listener({ type: 'closed', code, reason });
    };
  }

  async prepareAudio() {
    await this.#audio.prepare();
  }

  /** @param {string} deviceId */
  async useMicrophone(deviceId) {
    await this.#audio.useMicrophone(deviceId);
  }

  /** @param {string} deviceId */
  async useSpeaker(deviceId) {
    await this.#audio.useSpeaker(deviceId);
  }

  /** @param {string} callId */
  answer(callId) {
    this.#send({ type: 'answer', call_id: callId });
  }

  /** @param {string} callId */
  decline(callId) {
    this.#send({ type: 'decline', call_id: callId });
  }

  /** @param {string} callId */
  hangUp(callId) {
    this.#send({ type: 'hang_up', call_id: callId });
  }

  /** @param {{ to: string, from?: string, ref: string }} call */
  place(call) {
    this.#send({ type: 'place', ...call });
  }

  /**
   * @param {string} callId
   * @param {boolean} on
   */
  setMuted(callId, on) {
    this.#send({ type: 'mute', call_id: callId, on });
    this.#silence(`mute:${callId}`, callId, on);
  }

  /**
   * @param {string} callId
   * @param {boolean} on
   */
  setHeld(callId, on) {
    this.#send({ type: 'hold', call_id: callId, on });
    this.#silence(`hold:${callId}`, callId, on);
  }

  /**
   * @param {string} callId
   * @param {string} digits
   */
  sendDigits(callId, digits) {
    this.#send({ type: 'dtmf', call_id: callId, digits });
  }

  /**
   * @param {string} callId
   * @param {{ to: string, mode?: 'announce' | 'consult', announceText?: string }} transfer
   */
  transfer(callId, { to, mode, announceText }) {
    const more = { ...(mode && { mode }), ...(announceText && { announce_text: announceText }) };
    this.#send({ type: 'transfer', call_id: callId, to, ...more });
  }

  /** @param {string} callId */
  completeTransfer(callId) {
    this.#send({ type: 'complete_transfer', call_id: callId });
  }

  /** @param {string} callId */
  cancelTransfer(callId) {
    this.#send({ type: 'cancel_transfer', call_id: callId });
  }

  /**
   * @param {'available' | 'away'} availability
   * @param {string} [queueId]
   */
  setAvailability(availability, queueId) {
    this.#send({ type: 'availability', availability, ...(queueId === undefined ? {} : { queue_id: queueId }) });
  }

  close() {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    for (const callId of [...this.#links.keys()]) this.#endAudio(callId);
    this.#retries.clear();
    this.#silent.clear();
    this.#audio.close().catch(() => undefined);
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {Record<string, any>} message a message of the server; unknown types are ignored */
  #handle(message) {
    const callId = message['call_id'];
    switch (message['type']) {
      case 'registered':
        return this.listener({
          type: 'registered',
          webClientId: message['web_client_id'],
          expiresAt: new Date(message['expires_at']),
          callIds: message['call_ids'],
        });
      case 'queues': {
        /** @type {{ queue_id: string, name: string, availability: 'available' | 'away' }[]} */
        const queues = message['queues'];
        return this.listener({
          type: 'queues',
          queues: queues.map(({ queue_id: id, ...queue }) => ({ id, ...queue })),
        });
      }
      case 'incoming':
      case 'dialing': {
        const {
          type,
          direction,
          from,
          to,
          caller_name: callerName = null,
          contact_name: contactName = null,
          queue,
          consulted_by: consultedBy = null,
          ref,
          listener,
        } = message;
        const more = {
          ...(ref === undefined ? {} : { ref }),
          ...(listener === undefined ? {} : { listener: { id: listener.id, speaksTo: listener.speaks_to } }),
          queue: queue ? { id: queue.queue_id, name: queue.name } : null,
          consultedBy,
        };
        return this.listener({ type, callId, direction, from, to, callerName, contactName, ...more });
      }
      case 'media':
        return this.#startAudio(callId, message);
      case 'ringing':
      case 'answered':
        return this.listener({ type: message['type'], callId });
      case 'transfer':
        return this.listener({
          type: 'transfer',
          callId,
          transfer: message['transfer'],
          ...(message['failure'] === undefined ? {} : { failure: message['failure'] }),
        });
      case 'consult':
        return this.listener({ type: 'consult', callId, consultedBy: message['consulted_by'] });
      case 'ended':
        this.#endAudio(callId);
        this.#retries.delete(callId);
        return this.listener({ type: 'ended', callId, reason: message['reason'], outcome: message['outcome'] });
      case 'error': {
        const { code, message: text, ref, request } = message;
        // The page did not make this request, so it gets no error. The audio is unavailable at the moment, or the call
        // is over.
        if (request === 'media') return RETRYABLE.has(code) ? this.#requestAudio(callId) : undefined;
        const error = { type: /** @type {const} */ ('error'), code, message: text, callId: callId ?? null };
        return this.listener({ ...error, ...(ref === undefined ? {} : { ref }) });
      }
      default:
    }
  }

  /**
   * @param {string} callId
   * @param {Record<string, any>} media
   */
  #startAudio(callId, media) {
    this.#endAudio(callId);
    /** @param {Error & { code?: string }} error */
    const report = ({ code = 'audio_failed', message }) => this.listener({ type: 'error', code, message, callId });
    const link = this.#audio
      .link(
        { url: media['url'], token: media['token'] },
        {
          onFlow: () => this.#retries.delete(callId),
          onLost: () => {
            if (this.#links.get(callId) === link) this.#requestAudio(callId);
          },
          onNoMicrophone: report,
          onQuality: (quality) => this.listener({ type: 'quality', callId, ...quality }),
        },
      )
      .catch((error) => {
        report(error);
        return undefined;
      });
    this.#links.set(callId, link);
    this.#applySilence(callId);
  }

  /**
   * Requests the lost audio of a call again, after a pause. If signalling is lost too, the next login sends it.
   * @param {string} callId
   */
  #requestAudio(callId) {
    const attempts = this.#retries.get(callId) ?? 0;
    this.#retries.set(callId, attempts + 1);
    const link = this.#links.get(callId);
    const request = () => {
      if (link !== undefined && this.#links.get(callId) === link) this.#send({ type: 'media', call_id: callId });
    };
    setTimeout(request, AUDIO_RETRY_MS[Math.min(attempts, AUDIO_RETRY_MS.length - 1)]);
  }

  /** @param {string} callId */
  #endAudio(callId) {
    const link = this.#links.get(callId);
    this.#links.delete(callId);
    link?.then((opened) => opened?.close());
  }

  /**
   * @param {string} why
   * @param {string} callId
   * @param {boolean} on
   */
  #silence(why, callId, on) {
    if (on) this.#silent.add(why);
    else this.#silent.delete(why);
    this.#applySilence(callId);
  }

  /** @param {string} callId */
  #applySilence(callId) {
    const isSilent = this.#silent.has(`mute:${callId}`) || this.#silent.has(`hold:${callId}`);
    this.#links.get(callId)?.then((opened) => opened?.setSilent(isSilent));
  }
}
