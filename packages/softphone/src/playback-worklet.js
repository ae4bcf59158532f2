/// <reference path="../worklet.d.ts" />
/** Runs in the audio thread: plays mu-law frames evenly, however unevenly they arrive. */
import { FRAME_MS, JitterBuffer } from './jitter-buffer.js';
import { decodeMulaw } from './mulaw.js';
import { Resampler } from './resampler.js';

const SILENCE = new Float32Array(160);
/** Frames from one report to the next: five seconds. */
const REPORT_FRAMES = 5_000 / FRAME_MS;

class PlaybackProcessor extends AudioWorkletProcessor {
  #resampler = new Resampler(8_000, sampleRate);
  #buffer = new JitterBuffer();
  /** Samples at the context's rate; those from `#played` on are not played yet. */
  #ready = new Float32Array(0);
  #played = 0;
  #frames = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data: { seq, codes } }) => {
      this.#buffer.push(seq, decodeMulaw(codes), currentTime * 1_000);
    };
  }

  /**
   * @param {Float32Array[][]} _inputs
   * @param {Float32Array[][]} outputs
   * @returns {boolean} true: keep calling
   */
  process(_inputs, [output]) {
    const channels = output ?? [];
    const wanted = channels[0]?.length ?? 0;
    while (this.#ready.length - this.#played < wanted) this.#prepareFrame();
    const samples = this.#ready.subarray(this.#played, this.#played + wanted);
    for (const channel of channels) channel.set(samples);
    this.#played += wanted;
    return true;
  }

  #prepareFrame() {
    const rest = this.#ready.subarray(this.#played);
    const next = this.#resampler.push(this.#buffer.pull() ?? SILENCE);
    const ready = new Float32Array(rest.length + next.length);
    ready.set(rest);
    ready.set(next, rest.length);
    this.#ready = ready;
    this.#played = 0;
    if (++this.#frames % REPORT_FRAMES === 0) this.port.postMessage(this.#buffer.counts);
  }
}

registerProcessor('dialplane-playback', PlaybackProcessor);
