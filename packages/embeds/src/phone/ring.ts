/** The sound of an incoming call: two tones, two seconds on and four off, as phones ring in North America. */
const TONES_HZ = [440, 480];
const ON_MS = 2_000;
const PERIOD_MS = 6_000;
const LOUDNESS = 0.08;

export class Ring {
  #context: AudioContext | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Rings until `stop`. On a page without a click of the person it is silent, because browsers play nothing there. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#context = new AudioContext();
    this.#burst(this.#context);
    this.#timer = setInterval(() => this.#context && this.#burst(this.#context), PERIOD_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    void this.#context?.close();
    this.#context = undefined;
  }

  #burst(context: AudioContext): void {
    if (context.state !== 'running') return;
    const gain = new GainNode(context, { gain: LOUDNESS });
    gain.connect(context.destination);
    for (const frequency of TONES_HZ) {
      const tone = new OscillatorNode(context, { frequency });
      tone.connect(gain);
      tone.start();
      tone.stop(context.currentTime + ON_MS / 1_000);
    }
  }
}
