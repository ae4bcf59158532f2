/**
 * Short messages between the processes of an installation, over LISTEN and NOTIFY on a separate connection. Messages
 * that are published within 5 ms share one NOTIFY, because a NOTIFY per commit would cost most of the throughput of
 * commits. Delivery is best effort: after a lost connection the bus reports a gap, because messages may have been
 * missed.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
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

/** A server that does not answer within this time is gone. */
const ANSWER_WITHIN_MS = 5_000;

const PROBE_EVERY_MS = 5_000;

/** How long a stop waits for the server to close the connection. */
const END_WITHIN_MS = 1_000;

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
  #probeTimer: NodeJS.Timeout | undefined;
  #reconnectMs = RECONNECT_MIN_MS;
  #sending = false;
  /** Resolves when the latest messages have been sent, or could not be. */
  #sent: Promise<unknown> = Promise.resolve();
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
    clearInterval(this.#probeTimer);
    const client = this.#client;
    if (client === undefined) return;
    // Waits for the messages that are being sent: the end of a connection aborts its statement. A server that does
    // not answer does not close its connection either.
    const ended = this.#sent.then(() => client.end());
    await Promise.race([ended, delay(END_WITHIN_MS, undefined, { ref: false })]);
  }

  async #connect(): Promise<void> {
    let next: pg.Client | undefined;
    try {
      next = await this.#db.connect('bus', { statementMs: ANSWER_WITHIN_MS });
      const opened = next;
      const onBroken = (error?: Error) => this.#dropBroken(opened, error);
      opened.on('error', onBroken);
      opened.on('end', () => onBroken());
      opened.on('notification', (message) => this.#receive(message.payload));
      await opened.query(`listen ${CHANNEL}`);
      if (this.#closed) return await opened.end();
      this.#client = opened;
      this.#reconnectMs = RECONNECT_MIN_MS;
      this.#probeTimer = setInterval(() => void this.#probe(opened), PROBE_EVERY_MS).unref();
      this.#listeners.reportGap();
      this.#schedule();
    } catch (error) {
      // LISTEN fails on a standby. The connection would stay open beside the next one.
      if (next !== undefined) void next.end();
      if (this.#closed) return;
      this.#log.warn({ err: error }, 'the bus cannot connect; retrying');
      this.#reconnect();
    }
  }

  /** Ends the connection in use and opens another. The end of any other connection changes nothing. */
  #dropBroken(client: pg.Client, error?: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#probeTimer);
    void client.end();
    if (this.#closed) return;
    this.#log.warn({ err: error }, 'bus connection lost; reconnecting');
    this.#reconnect();
  }

  /** Reconnects if the server is silent or has become a standby, which sends no notification of the primary. */
  async #probe(client: pg.Client): Promise<void> {
    try {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      if (rows[0]?.standby === true) this.#dropBroken(client, new Error('the server has become a standby'));
    } catch (error) {
      this.#dropBroken(client, error);
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
    if (this.#closed || this.#timer !== undefined || this.#sending) return;
    if (this.#client === undefined || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const sending = this.#send();
      this.#sent = Promise.allSettled([sending]);
      ignoreError(sending, this.#log, 'the bus is best effort; its listeners read the database after a gap');
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
    } catch (error) {
      this.#dropBroken(on, error);
      throw error;
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
