/**
 * The messages of a bus that wait to be sent. One batch is sent at a time. After a failure the batch is sent again,
 * before newer messages. So receivers may get a message twice.
 */
import type { Logger } from 'pino';
import { ignoreError } from '../lib/errors/ignore-error.ts';
import { after, type Timer } from '../lib/time/time.ts';

export type OutboxOptions = {
  /** True while there is a connection. */
  readonly canSend: () => boolean;
  readonly send: (messages: readonly string[]) => Promise<void>;
  /** How long a message waits for others that share its batch; with 0 it is sent at once. */
  readonly delayMs: number;
  readonly log: Logger;
};

export type Outbox = {
  /** Adds a message, unless it already waits. */
  add(message: string): void;
  /** Sends the waiting messages, because a connection has opened. */
  resume(): void;
  /** Sends the waiting messages a last time. Resolves when this succeeded or failed; later messages are not sent. */
  close(): Promise<void>;
};

/** The most waiting messages. Beyond it the oldest are dropped. */
const WAITING_MAX = 10_000;
const BATCH_MAX = 1_000;

/** After this many consecutive failures a batch is dropped: it may contain a message that the server always refuses. */
const ATTEMPTS_MAX = 5;
/** Pause after a failure, if there is still a connection. */
const RETRY_MS = 1_000;

export function createOutbox(options: OutboxOptions): Outbox {
  return new BatchingOutbox(options);
}

class BatchingOutbox implements Outbox {
  readonly #options: OutboxOptions;
  #waiting = new Set<string>();
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  add(message: string): void {
    this.#waiting.add(message);
    if (this.#waiting.size > WAITING_MAX) this.#waiting.delete(this.#waiting.values().next().value ?? '');
    this.#schedule();
  }

  resume(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#schedule(this.#failures > 0 ? RETRY_MS : undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#sending;
    let before = Number.POSITIVE_INFINITY;
    while (this.#waiting.size > 0 && this.#waiting.size < before && this.#options.canSend()) {
      before = this.#waiting.size;
      await this.#sendBatch();
    }
  }

  #schedule(afterMs = this.#options.delayMs): void {
    if (this.#isClosed || this.#timer !== undefined || this.#sending !== undefined) return;
    if (this.#waiting.size === 0 || !this.#options.canSend()) return;
    if (afterMs === 0) return void this.#sendBatch();
    this.#timer = after(afterMs, () => {
      this.#timer = undefined;
      if (this.#options.canSend()) void this.#sendBatch();
    });
  }

  /** Never rejects. */
  async #sendBatch(): Promise<void> {
    const batch = [...this.#waiting.values().take(BATCH_MAX)];
    for (const message of batch) this.#waiting.delete(message);
    const sent = this.#options.send(batch);
    ignoreError(sent, this.#options.log, 'messages could not be sent; they are tried again');
    this.#sending = sent.then(
      () => this.#end(true),
      () => this.#end(false, batch),
    );
    await this.#sending;
  }

  #end(isSent: boolean, batch: readonly string[] = []): void {
    this.#sending = undefined;
    this.#failures = isSent ? 0 : this.#failures + 1;
    if (this.#failures < ATTEMPTS_MAX) this.#putBack(batch);
    else this.#drop(batch);
    this.#schedule(isSent ? undefined : RETRY_MS);
  }

  #putBack(batch: readonly string[]): void {
    if (batch.length === 0) return;
    const all = [...new Set([...batch, ...this.#waiting])];
    this.#waiting = new Set(all.slice(-WAITING_MAX));
  }

  #drop(batch: readonly string[]): void {
    this.#failures = 0;
    this.#options.log.error({ count: batch.length }, `dropped messages that failed ${ATTEMPTS_MAX} times in a row`);
  }
}
