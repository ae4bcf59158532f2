/**
 * Short messages between the processes of an installation, over LISTEN and NOTIFY on a separate connection. Messages
 * that are published within 5 ms share one NOTIFY, because a NOTIFY per commit would cost most of the throughput of
 * commits. Delivery is best effort: after a lost connection the bus reports a gap, because messages may have been
 * missed.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { ignoreError } from '../lib/ignore-error.ts';
import type { Database } from './database.ts';

/** `remote` is false for a message that this process published. */
export type BusListener = (payload: string, remote: boolean) => void;

export type Bus = {
  /** Connects, and reconnects until `close`. Resolves after the first attempt, successful or not. */
  start(): Promise<void>;
  /**
   * Passes a message to all listeners of the channel: in this process immediately, in others within milliseconds.
   * @throws RangeError if channel and payload together exceed what one NOTIFY carries (7,400 bytes)
   */
  publish(channel: string, payload: string): void;
  subscribe(channel: string, listener: BusListener): void;
  /** Calls the listener after every (re)connection: messages before it may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
};

/** PostgreSQL refuses payloads of 8,000 bytes and more. */
const NOTIFY_BYTES_MAX = 7_500;
const MESSAGE_BYTES_MAX = 7_400;

const NOTIFY_EVERY_MS = 5;
const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 5_000;

/** The most messages that wait while the connection is lost; beyond it the oldest are dropped. */
const WAITING_MAX = 10_000;

const CHANNEL = 'dialplane';

/** Holds the listeners of this process, for a bus over any transport. */
export function createListeners() {
  const listeners = new Map<string, BusListener[]>();
  const gapListeners: (() => void)[] = [];
  return {
    subscribe: (channel: string, listener: BusListener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    onGap: (listener: () => void) => {
      gapListeners.push(listener);
    },
    deliver: (channel: string, payload: string, remote: boolean) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload, remote);
    },
    reportGap: () => {
      for (const listener of gapListeners) listener();
    },
  };
}

export function createBus(db: Database, log: Logger): Bus {
  return new NotifyBus(db, log);
}

class NotifyBus implements Bus {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #origin = randomBytes(9).toString('base64url');
  readonly #listeners = createListeners();
  /** A set of encoded messages, so a message that is published twice before it is sent is sent once. */
  #waiting = new Set<string>();
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #reconnectMs = RECONNECT_MIN_MS;
  #sending = false;
  #closed = false;

  readonly subscribe = this.#listeners.subscribe;
  readonly onGap = this.#listeners.onGap;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  start(): Promise<void> {
    return this.#connect();
  }

  publish(channel: string, payload: string): void {
    const message = JSON.stringify([channel, payload]);
    if (Buffer.byteLength(message) > MESSAGE_BYTES_MAX) throw new RangeError(`message on ${channel} is too long`);
    this.#waiting.add(message);
    if (this.#waiting.size > WAITING_MAX) this.#waiting.delete(this.#waiting.values().next().value ?? '');
    this.#schedule();
    this.#listeners.deliver(channel, payload, false);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#reconnectTimer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    try {
      const next = await this.#db.connect('bus');
      let broken = false;
      const onBroken = (error?: Error) => {
        if (broken) return;
        broken = true;
        if (this.#client === next) this.#client = undefined;
        if (!this.#closed) this.#log.warn({ err: error }, 'bus connection lost; reconnecting');
        this.#reconnect();
      };
      next.on('error', onBroken);
      next.on('end', () => onBroken());
      next.on('notification', (message) => this.#receive(message.payload));
      await next.query(`listen ${CHANNEL}`);
      if (this.#closed) return await next.end();
      this.#client = next;
      this.#reconnectMs = RECONNECT_MIN_MS;
      this.#listeners.reportGap();
      this.#schedule();
    } catch (error) {
      this.#log.warn({ err: error }, 'the bus cannot connect; retrying');
      this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#closed || this.#reconnectTimer !== undefined) return;
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = undefined;
      void this.#connect();
    }, this.#reconnectMs);
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MAX_MS);
  }

  #receive(text: string | undefined): void {
    const [sender, ...messages] = JSON.parse(text ?? '[]') as [string, ...[string, string][]];
    if (sender === this.#origin) return;
    for (const [channel, payload] of messages) this.#listeners.deliver(channel, payload, true);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#sending || this.#client === undefined || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      ignoreError(this.#send(), this.#log, 'the bus is best effort; its listeners read the database after a gap');
    }, NOTIFY_EVERY_MS);
  }

  async #send(): Promise<void> {
    const on = this.#client;
    if (on === undefined) return;
    const payloads = pack(this.#origin, this.#waiting);
    this.#waiting = new Set();
    this.#sending = true;
    try {
      await on.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]);
    } finally {
      this.#sending = false;
      this.#schedule();
    }
  }
}

/** Packs messages into as few NOTIFY payloads as possible: JSON arrays of the origin and the messages. */
function pack(origin: string, messages: Iterable<string>): string[] {
  const payloads: string[] = [];
  const head = JSON.stringify(origin);
  let parts = [head];
  let bytes = head.length + 2;
  for (const message of messages) {
    const added = Buffer.byteLength(message) + 1;
    if (bytes + added > NOTIFY_BYTES_MAX && parts.length > 1) {
      payloads.push(`[${parts.join(',')}]`);
      parts = [head];
      bytes = head.length + 2;
    }
    parts.push(message);
    bytes += added;
  }
  payloads.push(`[${parts.join(',')}]`);
  return payloads;
}
