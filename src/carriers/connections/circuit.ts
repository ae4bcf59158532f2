/**
 * A circuit breaker. After several consecutive failures the circuit is open, and no request is made. After a pause it
 * is half open, and one request is made as a probe. If the probe is answered, the circuit closes. If the probe fails,
 * the circuit stays open for twice the time. The breaker makes no requests: its owner asks it before each request and
 * reports the result.
 */

export type CircuitState = 'closed' | 'half_open' | 'open';

/** A request that was made, in the form that the circuit needs. */
type Attempt = { readonly isProbe: boolean };

export type Circuit = {
  readonly state: CircuitState;
  /** Returns in how many milliseconds a request may be made; 0 if one may be made now. */
  waitMs(): number;
  /** Records that a request is made now. `succeed`, `fail` or `pass` reports its end. */
  begin(): Attempt;
  succeed(): void;
  fail(attempt: Attempt): void;
  /** Reports a request whose end says nothing about the carrier. After such a probe the next request is a probe too. */
  pass(attempt: Attempt): void;
};

export type CircuitOptions = {
  /** The number of consecutive failures that opens the circuit. With Infinity it never opens. */
  readonly failuresMax: number;
  /** How long the circuit stays open the first time. The maximum follows. */
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

  /** A request that was made before the circuit opened may succeed now. This too shows that the carrier works. */
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
