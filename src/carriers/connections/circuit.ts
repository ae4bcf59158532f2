/**
 * A circuit breaker. After some consecutive failures the circuit is open: no request is made. After a pause it is half
 * open: one request is made as a probe. If the probe is answered the circuit closes; if it fails the circuit stays open
 * for twice as long. The breaker makes no requests: its owner asks before each one and reports its result.
 */

export type CircuitState = 'closed' | 'half_open' | 'open';

/** A request that was made, in the form that the circuit needs. */
type Attempt = { readonly isProbe: boolean };

export type Circuit = {
  readonly state: CircuitState;
  /** Returns the milliseconds until a request may be made; 0 if one may be made now. */
  waitMs(): number;
  /** Records that a request is made now. Its end is reported by `succeed`, `fail` or `pass`. */
  begin(): Attempt;
  succeed(): void;
  fail(attempt: Attempt): void;
  /**
   * Reports a request whose end shows nothing about the carrier. After such a probe the next request is a probe again.
   */
  pass(attempt: Attempt): void;
};

export type CircuitOptions = {
  /** Consecutive failures that open the circuit; Infinity for a circuit that never opens. */
  readonly failuresMax: number;
  /** How long the circuit stays open: at first, and at most. */
  readonly openMsMin: number;
  readonly openMsMax: number;
  /** How long other requests wait for a probe to end. */
  readonly probeMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  onChange(state: CircuitState, openMs: number): void;
};

export function createCircuit(options: CircuitOptions): Circuit {
  return new Breaker(options);
}

class Breaker implements Circuit {
  readonly #options: CircuitOptions;
  #state: CircuitState = 'closed';
  #failures = 0;
  #openMs = 0;
  #openUntilMs = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    return this.#state;
  }

  waitMs(): number {
    if (this.#state === 'closed') return 0;
    if (this.#state === 'half_open') return this.#options.probeMs;
    return Math.max(0, this.#openUntilMs - this.#options.now());
  }

  begin(): Attempt {
    const isProbe = this.#state === 'open';
    if (isProbe) this.#move('half_open');
    return { isProbe };
  }

  /** A request from before the circuit opened may succeed now. That too shows that the carrier works. */
  succeed(): void {
    this.#failures = 0;
    this.#openMs = 0;
    if (this.#state !== 'closed') this.#move('closed');
  }

  fail({ isProbe }: Attempt): void {
    this.#failures++;
    const opens = this.#state === 'closed' ? this.#failures >= this.#options.failuresMax : isProbe;
    if (!opens) return;
    const { openMsMin, openMsMax, now } = this.#options;
    this.#openMs = Math.min(Math.max(this.#openMs * 2, openMsMin), openMsMax);
    this.#openUntilMs = now() + this.#openMs;
    this.#move('open');
  }

  pass({ isProbe }: Attempt): void {
    if (!isProbe || this.#state !== 'half_open') return;
    this.#state = 'open';
    this.#openUntilMs = this.#options.now();
  }

  #move(state: CircuitState): void {
    this.#state = state;
    this.#options.onChange(state, this.#openMs);
  }
}
