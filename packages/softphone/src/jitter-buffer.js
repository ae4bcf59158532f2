/**
 * Evens out frames that the network delivers unevenly. Frames of 20 ms are pushed as they arrive and pulled every 20
 * ms. The buffered time depends on the jitter: 40 ms on a quiet line, at most 200. A missing frame is concealed by the
 * one before it, softer each time; after three concealed frames there is silence. Frames beyond the target depth are
 * dropped one at a time, so that a delay never stays.
 */

/**
 * Frames that were due since the start, due frames that were never played, and the smoothed jitter now.
 * @typedef {{ due: number, lost: number, jitterMs: number }} LineCounts
 */

export const FRAME_MS = 20;
const DEPTH_MIN = 2;
const DEPTH_MAX = 10;
/** A frame is dropped after SURPLUS_PULLS pulls in a row with more than SURPLUS frames above the target depth. */
const SURPLUS = 1;
const SURPLUS_PULLS = 25;
const CONCEAL_MAX = 3;
const CONCEAL_GAIN = 0.5;
/** After this number of pulls from an empty buffer, it collects frames again before it plays. */
const EMPTY_PULLS = 3;
/** A jump of the sequence numbers that is not a loss: the sender has restarted. */
const RESTART = 500;
/** Multiples of the smoothed jitter (RFC 3550, 6.4.1) that the depth has room for. */
const JITTERS = 3;

export class JitterBuffer {
  /** @type {Map<number, Float32Array>} */
  #frames = new Map();
  /** Sequence number of the next frame. */
  #next = -1;
  #isPlaying = false;
  #emptyPulls = 0;
  #surplusPulls = 0;
  #concealed = 0;
  /** @type {Float32Array | null} */
  #last = null;
  #jitterMs = 0;
  /** Transit time of the last frame: its arrival less its position in the stream. */
  #transitMs = Number.NaN;

  /** Statistics of the line, for display. */
  stats = { received: 0, late: 0, missing: 0, concealed: 0, dropped: 0 };

  /**
   * @param {number} seq rises by one for each frame
   * @param {Float32Array} frame
   * @param {number} nowMs on any clock that runs evenly
   */
  push(seq, frame, nowMs) {
    this.stats.received++;
    if (Math.abs(seq - this.#next) > RESTART) this.#restart(seq);
    if (seq < this.#next) {
      this.stats.late++;
      this.#measure(seq, nowMs);
      // Before playing starts, an earlier frame may still become the first.
      if (this.#isPlaying) return;
      this.#next = seq;
    } else {
      this.#measure(seq, nowMs);
    }
    this.#frames.set(seq, frame);
    while (this.#frames.size > DEPTH_MAX) this.#dropOldest();
  }

  /**
   * Returns the frame to play now; undefined for silence.
   * @returns {Float32Array | undefined}
   */
  pull() {
    if (!this.#isPlaying) {
      if (this.#frames.size < this.depth) return undefined;
      this.#isPlaying = true;
      this.#next = Math.min(...this.#frames.keys());
    }
    this.#reduceDelay();
    const frame = this.#frames.get(this.#next);
    if (frame === undefined) return this.#conceal();
    this.#frames.delete(this.#next);
    this.#next++;
    this.#emptyPulls = 0;
    this.#concealed = 0;
    this.#last = frame;
    return frame;
  }

  /** @returns {LineCounts} */
  get counts() {
    const { received, late, missing, dropped } = this.stats;
    // A late frame was missing when it was due.
    return { due: received - late + missing, lost: missing + dropped, jitterMs: this.#jitterMs };
  }

  /** Target number of buffered frames, from the jitter. */
  get depth() {
    const wanted = DEPTH_MIN + Math.ceil((JITTERS * this.#jitterMs) / FRAME_MS - 0.5);
    return Math.max(DEPTH_MIN, Math.min(DEPTH_MAX, wanted));
  }

  /** Buffered frames. */
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

  #dropOldest() {
    const oldest = Math.min(...this.#frames.keys());
    this.#frames.delete(oldest);
    this.#next = Math.max(this.#next, oldest + 1);
    this.stats.dropped++;
  }

  #reduceDelay() {
    this.#surplusPulls = this.#frames.size > this.depth + SURPLUS ? this.#surplusPulls + 1 : 0;
    if (this.#surplusPulls < SURPLUS_PULLS) return;
    this.#surplusPulls = 0;
    this.#dropOldest();
  }

  #conceal() {
    if (this.#frames.size > 0) {
      // The frame was lost, or a later frame has arrived before it.
      this.#next++;
      this.stats.missing++;
    } else if (++this.#emptyPulls >= EMPTY_PULLS) {
      this.#isPlaying = false;
      this.#emptyPulls = 0;
    }
    if (this.#last === null || ++this.#concealed > CONCEAL_MAX) return undefined;
    this.stats.concealed++;
    this.#last = this.#last.map((sample) => sample * CONCEAL_GAIN);
    return this.#last;
  }
}
