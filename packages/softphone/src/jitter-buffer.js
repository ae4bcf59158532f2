/**
 * Evens out what the network delivers unevenly. Frames of 20 ms are put in as they arrive and taken out every 20 ms.
 * How many wait depends on how unevenly they come: 40 ms on a quiet line, at most 200. A frame that is missing when its
 * turn comes is concealed by the one before, softer each time; after three of them there is silence. What waits beyond
 * the wanted depth is worked off a frame at a time, so that the delay never stays.
 */

export const FRAME_MS = 20;
const DEPTH_MIN = 2;
const DEPTH_MAX = 10;
/** How much above the wanted depth may wait before a frame is left out, and for how many turns. */
const SURPLUS = 1;
const SURPLUS_TURNS = 25;
const CONCEAL_MAX = 3;
const CONCEAL_GAIN = 0.5;
/** Turns without a single frame after which it collects anew. */
const DRY_TURNS = 3;
/** A jump of the numbers that is no loss: the sender has begun anew. */
const RESTART = 500;
/** Of the smoothed jitter (RFC 3550, 6.4.1), for which the depth has room. */
const JITTERS = 3;

export class JitterBuffer {
  /** @type {Map<number, Float32Array>} */
  #frames = new Map();
  /** Number of the frame whose turn is next. */
  #next = -1;
  #isPlaying = false;
  #dryTurns = 0;
  #surplusTurns = 0;
  #concealed = 0;
  /** @type {Float32Array | null} */
  #last = null;
  #jitterMs = 0;
  /** Of the last frame: when it came, less when it was said. */
  #transitMs = Number.NaN;

  /** Figures of the line, for display. */
  stats = { received: 0, late: 0, concealed: 0, dropped: 0 };

  /**
   * @param {number} seq counted by one for each frame
   * @param {Float32Array} frame
   * @param {number} nowMs on any clock that runs evenly
   */
  push(seq, frame, nowMs) {
    this.stats.received++;
    if (Math.abs(seq - this.#next) > RESTART) this.#restart(seq);
    if (seq < this.#next) {
      this.stats.late++;
      this.#measure(seq, nowMs);
      // Before the first is played, an earlier one may still take its place.
      if (this.#isPlaying) return;
      this.#next = seq;
    } else {
      this.#measure(seq, nowMs);
    }
    this.#frames.set(seq, frame);
    while (this.#frames.size > DEPTH_MAX) this.#leaveOut();
  }

  /**
   * The frame whose turn it is; undefined for silence.
   * @returns {Float32Array | undefined}
   */
  pull() {
    if (!this.#isPlaying) {
      if (this.#frames.size < this.depth) return undefined;
      this.#isPlaying = true;
      this.#next = Math.min(...this.#frames.keys());
    }
    this.#workOff();
    const frame = this.#frames.get(this.#next);
    if (frame === undefined) return this.#conceal();
    this.#frames.delete(this.#next);
    this.#next++;
    this.#dryTurns = 0;
    this.#concealed = 0;
    this.#last = frame;
    return frame;
  }

  /** Frames that are to wait, for how unevenly they come. */
  get depth() {
    const wanted = DEPTH_MIN + Math.ceil((JITTERS * this.#jitterMs) / FRAME_MS - 0.5);
    return Math.max(DEPTH_MIN, Math.min(DEPTH_MAX, wanted));
  }

  /** Frames that wait. */
  get size() {
    return this.#frames.size;
  }

  /** @param {number} seq */
  #restart(seq) {
    this.#frames.clear();
    this.#next = seq;
    this.#isPlaying = false;
    this.#transitMs = Number.NaN;
  }

  /**
   * @param {number} seq
   * @param {number} nowMs
   */
  #measure(seq, nowMs) {
    const transitMs = nowMs - seq * FRAME_MS;
    const differenceMs = Number.isNaN(this.#transitMs) ? 0 : Math.abs(transitMs - this.#transitMs);
    this.#transitMs = transitMs;
    this.#jitterMs += (differenceMs - this.#jitterMs) / 16;
  }

  #leaveOut() {
    const oldest = Math.min(...this.#frames.keys());
    this.#frames.delete(oldest);
    this.#next = Math.max(this.#next, oldest + 1);
    this.stats.dropped++;
  }

  #workOff() {
    this.#surplusTurns = this.#frames.size > this.depth + SURPLUS ? this.#surplusTurns + 1 : 0;
    if (this.#surplusTurns < SURPLUS_TURNS) return;
    this.#surplusTurns = 0;
    this.#leaveOut();
  }

  #conceal() {
    if (this.#frames.size > 0) {
      // Lost, or so late that the next has come before it.
      this.#next++;
    } else if (++this.#dryTurns >= DRY_TURNS) {
      this.#isPlaying = false;
      this.#dryTurns = 0;
    }
    if (this.#last === null || ++this.#concealed > CONCEAL_MAX) return undefined;
    this.stats.concealed++;
    this.#last = this.#last.map((sample) => sample * CONCEAL_GAIN);
    return this.#last;
  }
}
