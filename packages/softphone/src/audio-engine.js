/** Connects the page's microphone and speaker to the audio socket of a call. */
import { WORKLET } from './generated/worklet.js';
import { SoftphoneError } from './softphone-error.js';

/** @typedef {{ microphone?: MediaTrackConstraints | undefined, workletUrl?: string | undefined }} AudioOptions */
/** @typedef {{ setSilent(on: boolean): void, close(): void }} AudioLink */
/**
 * Events of a link. `onFlow`: audio arrives. `onLost`: the connection is lost, and may be made again.
 * `onNoMicrophone`: the page has no microphone; received audio is still played.
 * @typedef {{ onFlow(): void, onLost(): void, onNoMicrophone(error: SoftphoneError): void }} LinkListener
 */

/** Unsent bytes beyond which frames are dropped: half a second. */
const UNSENT_BYTES_MAX = 12_000;

const VOICE = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/** Close codes after which the audio can be connected again: connection lost, server fault, node stopping or full. */
const LOST_CODES = new Set([1006, 1011, 1012, 1013]);

export class AudioEngine {
  /** @type {Promise<AudioContext> | undefined} */
  #context;
  /** @type {Promise<MediaStream> | undefined} */
  #microphone;
  #constraints;
  #workletUrl;

  /** @param {AudioOptions} [options] */
  constructor({ microphone, workletUrl } = {}) {
    this.#constraints = { ...VOICE, ...microphone };
    this.#workletUrl = workletUrl;
  }

  /** Asks for the microphone and starts the audio thread, once. Rejects with `microphone_refused` or `audio_failed`. */
  async prepare() {
    const [context] = await Promise.all([this.#openContext(), this.#openMicrophone()]);
    await context.resume();
  }

  /**
   * Connects the speaker to the audio of a call, and the microphone as soon as there is one. The link ends when either
   * side closes. Rejects with `audio_failed`.
   * @param {{ url: string, token: string }} media
   * @param {LinkListener} listener
   * @returns {Promise<AudioLink>}
   */
  async link({ url, token }, { onFlow, onLost, onNoMicrophone }) {
    const context = await this.#openContext();
    // Before the user's first click the browser may refuse to play; the link is up anyway.
    context.resume().catch(() => undefined);
    const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
    let silent = false;
    let isClosed = false;
    const playback = playFrom(context, socket, onFlow);
    /** @type {() => void} */
    let stopCapture = () => undefined;
    const send = (/** @type {Uint8Array} */ codes) => {
      if (silent || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNSENT_BYTES_MAX) return;
      socket.send(JSON.stringify({ event: 'media', payload: toBase64(codes) }));
    };
    this.#openMicrophone().then((microphone) => {
      if (socket.readyState <= WebSocket.OPEN) stopCapture = captureFrom(context, microphone, send);
    }, onNoMicrophone);
    socket.onclose = ({ code }) => {
      playback.disconnect();
      playback.port.close();
      stopCapture();
      if (!isClosed && LOST_CODES.has(code)) onLost();
    };
    return {
      setSilent: (on) => {
        silent = on;
      },
      close: () => {
        isClosed = true;
        socket.close();
      },
    };
  }

  /** Closes the audio thread and releases the microphone. */
  async close() {
    const [context, microphone] = [this.#context, this.#microphone];
    this.#context = undefined;
    this.#microphone = undefined;
    const stopped = microphone?.then((stream) => {
      for (const track of stream.getTracks()) track.stop();
    });
    await Promise.all([stopped, context?.then((opened) => opened.close())]);
  }

  /** @returns {Promise<AudioContext>} */
  #openContext() {
    this.#context ??= openContext(this.#workletUrl).catch((error) => {
      this.#context = undefined;
      throw failure('audio_failed', error);
    });
    return this.#context;
  }

  /** @returns {Promise<MediaStream>} */
  #openMicrophone() {
    this.#microphone ??= openMicrophone(this.#constraints).catch((error) => {
      this.#microphone = undefined;
      throw failure('microphone_refused', error);
    });
    return this.#microphone;
  }
}

/** @param {MediaTrackConstraints} constraints */
async function openMicrophone(constraints) {
  // Without https there is no `mediaDevices`.
  return await navigator.mediaDevices.getUserMedia({ audio: constraints });
}

/**
 * Opens an audio context with the worklet of the library. Its code is a text in this module, because bundlers differ in
 * what they do with a worklet's file.
 * @param {string | undefined} workletUrl loads the worklet from there, for pages whose policy refuses `blob:` addresses
 */
async function openContext(workletUrl) {
  const context = new AudioContext({ latencyHint: 'interactive' });
  if (workletUrl !== undefined) {
    await context.audioWorklet.addModule(workletUrl);
    return context;
  }
  const url = URL.createObjectURL(new Blob([WORKLET], { type: 'text/javascript' }));
  try {
    await context.audioWorklet.addModule(url);
  } finally {
    URL.revokeObjectURL(url);
  }
  return context;
}

/**
 * Plays the audio that a socket receives.
 * @param {AudioContext} context
 * @param {WebSocket} socket
 * @param {() => void} onFlow
 */
function playFrom(context, socket, onFlow) {
  const playback = new AudioWorkletNode(context, 'dialplane-playback', { numberOfInputs: 0, outputChannelCount: [1] });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.event !== 'media') return;
    onFlow();
    const codes = fromBase64(message.payload);
    playback.port.postMessage({ seq: message.seq, codes }, [codes.buffer]);
  };
  playback.connect(context.destination);
  return playback;
}

/**
 * Sends the microphone's audio.
 * @param {AudioContext} context
 * @param {MediaStream} microphone
 * @param {(codes: Uint8Array) => void} send
 * @returns {() => void} a function that stops it
 */
function captureFrom(context, microphone, send) {
  const source = context.createMediaStreamSource(microphone);
  const capture = new AudioWorkletNode(context, 'dialplane-capture', { numberOfOutputs: 0, channelCount: 1 });
  capture.port.onmessage = ({ data: codes }) => send(codes);
  source.connect(capture);
  return () => {
    source.disconnect();
    capture.port.close();
  };
}

/**
 * @param {string} code
 * @param {unknown} error
 */
function failure(code, error) {
  return new SoftphoneError(code, error instanceof Error ? error.message : String(error));
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** @param {string} text */
function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
