/// <reference path="../worklet.d.ts" />
/** Runs in the audio thread: turns the microphone's audio into mu-law frames of 20 ms. */
import { encodeMulaw } from './mulaw.js';
import { Resampler } from './resampler.js';

const FRAME_SAMPLES = 160;

class CaptureProcessor extends AudioWorkletProcessor {
  #resampler = new Resampler(sampleRate, 8_000);
  #frame = new Float32Array(FRAME_SAMPLES);
  #filled = 0;

  /**
   * @param {Float32Array[][]} inputs
   * @returns {boolean} true: keep calling
   */
  process([input]) {
    const channel = input?.[0];
    // Without a channel no input is connected yet.
    if (channel === undefined) return true;
    for (const sample of this.#resampler.push(channel)) {
      this.#frame[this.#filled++] = sample;
      if (this.#filled < FRAME_SAMPLES) continue;
      const codes = encodeMulaw(this.#frame);
      this.port.postMessage(codes, [codes.buffer]);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('dialplane-capture', CaptureProcessor);
