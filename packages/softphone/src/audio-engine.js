/** The page's microphone and speaker, joined with the audio socket of a call. */
import { SoftphoneError } from './softphone-error.js';

/** @typedef {{ setSilent(on: boolean): void, close(): void }} AudioLink */

/** What may wait unsent before frames are left out: half a second. */
const UNSENT_BYTES_MAX = 12_000;

const VOICE = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

export class AudioEngine {
  /** @type {Promise<{ context: AudioContext, microphone: MediaStream }> | undefined} */
  #opened;
  #constraints;

  /** @param {MediaTrackConstraints} [microphone] */
  constructor(microphone = {}) {
    this.#constraints = { ...VOICE, ...microphone };
  }

  /**
   * Asks for the microphone and starts the audio thread, once.
   * @returns {Promise<{ context: AudioContext, microphone: MediaStream }>} rejects with `microphone_refused`
   */
  async prepare() {
    this.#opened ??= open(this.#constraints);
    try {
      const opened = await this.#opened;
      await opened.context.resume();
      return opened;
    } catch (error) {
      this.#opened = undefined;
      throw new SoftphoneError('microphone_refused', error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Joins microphone and speaker with the audio of a call, until it is closed from here or there.
   * @param {{ url: string, token: string }} media
   * @returns {Promise<AudioLink>}
   */
  async link({ url, token }) {
    const { context, microphone } = await this.prepare();
    const source = context.createMediaStreamSource(microphone);
    const capture = new AudioWorkletNode(context, 'dialplane-capture', { numberOfOutputs: 0, channelCount: 1 });
    const playback = new AudioWorkletNode(context, 'dialplane-playback', {
      numberOfInputs: 0,
      outputChannelCount: [1],
    });
    const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
    let silent = false;
    capture.port.onmessage = ({ data: codes }) => {
      if (silent || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNSENT_BYTES_MAX) return;
      socket.send(JSON.stringify({ event: 'media', payload: toBase64(codes) }));
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.event !== 'media') return;
      const codes = fromBase64(message.payload);
      playback.port.postMessage({ seq: message.seq, codes }, [codes.buffer]);
    };
    source.connect(capture);
    playback.connect(context.destination);
    const detach = () => {
      source.disconnect();
      playback.disconnect();
      capture.port.close();
      playback.port.close();
    };
    socket.onclose = detach;
    return {
      setSilent: (on) => {
        silent = on;
      },
      close: () => socket.close(),
    };
  }

  /** Gives the microphone back. */
  async close() {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    const { context, microphone } = await opened;
    for (const track of microphone.getTracks()) track.stop();
    await context.close();
  }
}

/** @param {MediaTrackConstraints} constraints */
async function open(constraints) {
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: constraints });
  const context = new AudioContext({ latencyHint: 'interactive' });
  await Promise.all(
    ['./capture-worklet.js', './playback-worklet.js'].map((path) =>
      context.audioWorklet.addModule(new URL(path, import.meta.url)),
    ),
  );
  return { context, microphone };
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** @param {string} text */
function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
