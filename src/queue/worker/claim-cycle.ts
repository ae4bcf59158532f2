import type { Logger } from 'pino';
import { createAlarm } from '../../lib/time/alarm.ts';

type ClaimCycleOptions = {
  log: Logger;
  pollMs: number;
  /** Names the claims in the log: `jobs` or `lanes`, and fields that name the queue or kind. */
  claims: { readonly what: string; readonly of: object };
  /** Returns false while there is no room for the result of a claim. */
  hasRoom(): boolean;
  claim(): Promise<void>;
  /** Called at each wake-up, before the claim. */
  onWake?(): void;
};

/**
 * Runs the claims of a loop, one at a time. The next claim follows at once if more may be due and there is room.
 * Otherwise the cycle sleeps until the next work is due, a wake-up, or the poll.
 */
export class ClaimCycle {
  readonly #options: ClaimCycleOptions;
  readonly #alarm = createAlarm(() => this.wake(0));
  #running = false;
  #mayBeDue = false;
  #claiming: Promise<void> | undefined;

  constructor(options: ClaimCycleOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  start(): void {
    this.#running = true;
    this.wake(0);
  }

  /** Announces work that is due in `delayMs`. */
  wake(delayMs: number): void {
    if (!this.#running) return;
    if (delayMs > 0) {
      this.#alarm.set(delayMs);
    } else {
      this.#options.onWake?.();
      this.refill();
    }
  }

  /** Claims at the next opportunity, without a wake-up. */
  refill(): void {
    if (!this.#running) return;
    this.noteMore();
    this.pump();
  }

  /** Notes that more may be due, so that another claim follows the one in progress. */
  noteMore(): void {
    this.#mayBeDue = true;
  }

  /** Wakes the cycle in `delayMs`, which is more than 0. */
  wakeIn(delayMs: number): void {
    this.#alarm.set(delayMs);
  }

  /** Starts a claim if something may be due, no claim is in progress and there is room. */
  pump(): void {
    const { log, pollMs, claims, hasRoom, claim } = this.#options;
    if (!this.#running || !this.#mayBeDue || this.#claiming !== undefined || !hasRoom()) return;
    this.#mayBeDue = false;
    this.#claiming = claim()
      .catch((error: unknown) =>
        log.warn({ err: error, ...claims.of }, `claiming ${claims.what} failed; the poll tries again`),
      )
      .finally(() => {
        this.#claiming = undefined;
        this.#alarm.set(pollMs);
        this.pump();
      });
  }

  /** Starts no more claims, and waits for the claim in progress. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#alarm.clear();
    await this.#claiming;
    this.#alarm.clear();
  }
}
