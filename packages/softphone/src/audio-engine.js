/** Connects the page's microphone and speaker to the audio socket of a call. */
import { WORKLET } from './generated/worklet.js';
import { measureQuality } from './quality.js';
import { SoftphoneError } from './softphone-error.js';

/** @typedef {import('./audio-engine-types.d.ts').AudioEngine} Engine */
/** @typedef {import('./audio-engine-types.d.ts').AudioOptions} AudioOptions */
/** @typedef {import('./audio-engine-types.d.ts').AudioLink} AudioLink */
/** @typedef {import('./audio-engine-types.d.ts').LinkListener} LinkListener */
/** @typedef {import('./audio-engine-types.d.ts').LinkOptions} LinkOptions */

/** Unsent bytes beyond which frames are dropped: half a second. */
const UNSENT_BYTES_MAX = 12_000;

const VOICE = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

/** After these close codes the audio can be connected again: connection lost, server fault, node stopping or full. */
const LOST_CODES = new Set([1006, 1011, 1012, 1013]);

/** @implements {Engine} */
export class AudioEngine {
  /** @type {Promise<AudioContext> | undefined} */
  #context;
  /** @type {Promise<MediaStream> | undefined} */
  #microphone;
  #constraints;
  #workletUrl;
  /** The speaker that was chosen; '' is the default one. */
  #speakerId = '';
  /** The handler of each open link for another microphone. @type {Set<(microphone: Promise<MediaStream>) => void>} */
  #links = new Set();

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
   * @param {LinkOptions} [options]
   * @returns {Promise<AudioLink>}
   */
  async link(
    { url, token },
    { onFlow, onLost, onNoMicrophone, onQuality = () => undefined },
    { isSilent = false, isPlaying = true } = {},
  ) {
    const context = await this.#openContext();
    // Before the user's first click the browser may refuse to play; the link is up anyway.
    context.resume().catch(() => undefined);
    const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
    const playback = playFrom(context, socket, { onFlow, onQuality });
    const capture = captureTo(context, (codes) => {
      if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNSENT_BYTES_MAX) return;
      socket.send(JSON.stringify({ event: 'media', payload: toBase64(codes) }));
    });
    let isClosed = false;
    let silent = true;
    /** @type {MediaStreamAudioSourceNode | undefined} */
    let voice;
    const connectMicrophone = (/** @type {MediaStream} */ microphone) => {
      if (socket.readyState > WebSocket.OPEN) return;
      voice ??= context.createMediaStreamSource(microphone);
      if (!silent) voice.connect(capture);
    };
    const changeMicrophone = (/** @type {Promise<MediaStream>} */ microphone) => {
      voice?.disconnect();
      voice = undefined;
      if (!silent) microphone.then(connectMicrophone, onNoMicrophone);
    };
    this.#links.add(changeMicrophone);
    const setSilent = (/** @type {boolean} */ on) => {
      if (silent === on) return;
      silent = on;
      if (on) voice?.disconnect();
      else this.#openMicrophone().then(connectMicrophone, onNoMicrophone);
    };
    const setPlaying = (/** @type {boolean} */ on) => {
      playback.disconnect();
      if (on) playback.connect(context.destination);
    };
    setSilent(isSilent);
    setPlaying(isPlaying);
    socket.onclose = ({ code }) => {
      this.#links.delete(changeMicrophone);
      playback.disconnect();
      playback.port.close();
      voice?.disconnect();
      capture.port.close();
      if (!isClosed && LOST_CODES.has(code)) onLost();
    };
    return {
      setSilent,
      setPlaying,
      play: (sound) => playInto(context, capture, sound),
      close: () => {
        isClosed = true;
        socket.close();
      },
    };
  }

  /**
   * Takes another microphone, also in running calls. Rejects with `microphone_refused`, and keeps the earlier
   * microphone.
   * @param {string} deviceId '' for the default one
   */
  async useMicrophone(deviceId) {
    const { deviceId: _before, ...rest } = this.#constraints;
    const constraints = deviceId === '' ? rest : { ...rest, deviceId: { exact: deviceId } };
    const before = this.#microphone;
    if (before === undefined && this.#links.size === 0) {
      this.#constraints = constraints;
      return;
    }
    const opened = await openMicrophone(constraints).catch((error) => {
      throw failure('microphone_refused', error);
    });
    this.#constraints = constraints;
    this.#take(Promise.resolve(opened));
    stopTracks(await before?.catch(() => undefined));
  }

  /**
   * Plays calls at another speaker. Rejects with `speaker_refused` if there is none, or the browser cannot choose.
   * @param {string} deviceId '' for the default one
   */
  async useSpeaker(deviceId) {
    if (!('setSinkId' in AudioContext.prototype)) {
      throw new SoftphoneError('speaker_refused', 'This browser cannot choose the speaker.');
    }
    const context = await this.#context;
    if (context !== undefined) await setSpeaker(context, deviceId);
    this.#speakerId = deviceId;
  }

  /**
   * Decodes the audio of a file. Rejects if it has none.
   * @param {ArrayBuffer} bytes
   */
  async decode(bytes) {
    const context = await this.#openContext();
    return await context.decodeAudioData(bytes);
  }

  /** Closes the audio thread and releases the microphone. */
  async close() {
    const [context, microphone] = [this.#context, this.#microphone];
    this.#context = undefined;
    this.#microphone = undefined;
    await Promise.all([microphone?.then(stopTracks), context?.then((opened) => opened.close())]);
  }

  /** @returns {Promise<AudioContext>} */
  #openContext() {
    this.#context ??= this.#openSpeaker().catch((error) => {
      this.#context = undefined;
      throw failure('audio_failed', error);
    });
    return this.#context;
  }

  async #openSpeaker() {
    const context = await openContext(this.#workletUrl);
    // The speaker was unplugged in the meantime: the call is heard at the default one.
    if (this.#speakerId !== '') await setSpeaker(context, this.#speakerId).catch(() => undefined);
    return context;
  }

  /** @returns {Promise<MediaStream>} */
  #openMicrophone() {
    if (this.#microphone === undefined) {
      const opening = openMicrophone(this.#constraints).catch((error) => {
        this.#microphone = undefined;
        throw failure('microphone_refused', error);
      });
      this.#watch(opening);
    }
    return /** @type {Promise<MediaStream>} */ (this.#microphone);
  }

  /**
   * Uses a microphone from now on.
   * @param {Promise<MediaStream>} opening
   */
  #take(opening) {
    this.#watch(opening);
    for (const change of this.#links) change(opening);
  }

  /**
   * Keeps a microphone, and takes the default one when it is unplugged.
   * @param {Promise<MediaStream>} opening
   */
  #watch(opening) {
    this.#microphone = opening;
    const onUnplugged = () => {
      if (this.#microphone !== opening) return;
      this.#microphone = undefined;
      const { deviceId: _gone, ...rest } = this.#constraints;
      this.#constraints = rest;
      if (this.#links.size > 0) this.#take(this.#openMicrophone());
    };
    opening.then(
      (stream) => {
        for (const track of stream.getTracks()) track.addEventListener('ended', onUnplugged);
      },
      () => undefined,
    );
  }
}

/** @param {MediaStream | undefined} stream */
function stopTracks(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/**
 * @param {AudioContext} context
 * @param {string} deviceId
 */
async function setSpeaker(context, deviceId) {
  try {
    // The types of the DOM do not have it yet.
    await /** @type {any} */ (context).setSinkId(deviceId);
  } catch (error) {
    throw failure('speaker_refused', error);
  }
}

/** @param {MediaTrackConstraints} constraints */
async function openMicrophone(constraints) {
  // Without https there is no `mediaDevices`.
  return await navigator.mediaDevices.getUserMedia({ audio: constraints });
}

/**
 * Opens an audio context with the worklet of the library. Its code is a text in this module, because bundlers treat a
 * worklet's file differently.
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
 * Plays the audio that a socket receives, and measures it.
 * @param {AudioContext} context
 * @param {WebSocket} socket
 * @param {Pick<Required<LinkListener>, 'onFlow' | 'onQuality'>} listener
 */
function playFrom(context, socket, { onFlow, onQuality }) {
  const playback = new AudioWorkletNode(context, 'dialplane-playback', { numberOfInputs: 0, outputChannelCount: [1] });
  const quality = measureQuality(socket, onQuality);
  playback.port.onmessage = ({ data }) => quality.handleReport(data);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.event === 'mark') quality.handleMark(message.name);
    if (message.event !== 'media') return;
    const codes = fromBase64(message.payload);
    onFlow(codes);
    playback.port.postMessage({ seq: message.seq, codes }, [codes.buffer]);
  };
  return playback;
}

/**
 * Makes a node that sends its inputs: the microphone, and sounds of files.
 * @param {AudioContext} context
 * @param {(codes: Uint8Array) => void} send
 */
function captureTo(context, send) {
  const capture = new AudioWorkletNode(context, 'dialplane-capture', { numberOfOutputs: 0, channelCount: 1 });
  capture.port.onmessage = ({ data: codes }) => send(codes);
  return capture;
}

/**
 * Plays a sound into a node.
 * @param {AudioContext} context
 * @param {AudioNode} into
 * @param {AudioBuffer} sound
 */
function playInto(context, into, sound) {
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  const ended = new Promise((resolve) => {
    source.onended = () => resolve(undefined);
  });
  source.connect(into);
  source.start();
  return { ended, stop: () => source.stop() };
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
