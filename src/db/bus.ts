/**
 * Short messages between the processes of an installation, over LISTEN and NOTIFY on a separate connection. Messages
 * that are published within 5 ms share one NOTIFY, because a NOTIFY per commit would cost most of the throughput of
 * commits. Messages can be lost with a connection, so after each connection the bus reports a gap. After a failed
 * NOTIFY it sends the messages again over the next connection, so a message may arrive twice.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { endsWithin } from '../lib/concurrency/ends-within.ts';
import { after, every, monotonicMs, type Timer } from '../lib/time/time.ts';
import type { Database } from './database.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { bind, statement } from './statement.ts';

/** `remote` is false for a message that this process published. */
export type BusListener = (payload: string, remote: boolean) => void;

export type Bus = {
  /** Connects, and reconnects until `close`. Resolves after the first attempt, successful or not. */
  start(): Promise<void>;
  /**
   * Passes a message to all listeners of the channel: in this process immediately, in others within milliseconds.
   * @throws RangeError if channel and payload together exceed the limit of one NOTIFY (7,400 bytes)
   */
  publish(channel: string, payload: string): void;
  subscribe(channel: string, listener: BusListener): void;
  /** Calls the listener after every (re)connection, because the bus may have missed messages before it. */
  onGap(listener: () => void): void;
  /** Sends the waiting messages, within a second, and disconnects. */
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

/** At the stop: the time limit for sending the last messages and for the server to close the connection. */
export const END_WITHIN_MS = 1_000;

/** The channel of NOTIFY for the database of DATABASE_URL. */
const CHANNEL = 'dialplane';

/** Ignored messages of other programs are logged at most once in this time. */
const LOG_STRANGERS_EVERY_MS = 60_000;

const NOTIFY = statement<{ readonly channel: string; readonly payloads: readonly string[] }>(
  'bus_notify',
  'select pg_notify(:channel, payload) from unnest(:payloads::text[]) as payload',
);

/** Holds the listeners of this process, for a bus over any transport. A listener that throws does not affect others. */
export function createListeners(log: Logger) {
  const listeners = new Map<string, BusListener[]>();
  const gapListeners: (() => void)[] = [];
  let logStrangersAt = 0;
  const attempt = (channel: string, call: () => void) => {
    try {
      call();
    } catch (error) {
      log.error({ err: error, channel }, 'a listener of the bus failed');
    }
  };
  const deliver = (channel: string, payload: string, remote: boolean) => {
    for (const listener of listeners.get(channel) ?? []) attempt(channel, () => listener(payload, remote));
  };
  return {
    subscribe: (channel: string, listener: BusListener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    onGap: (listener: () => void) => {
      gapListeners.push(listener);
    },
    deliver,
    reportGap: () => {
      for (const listener of gapListeners) attempt('gap', listener);
    },
    /**
     * Parses a message with `parse` and delivers the result. A message that `parse` does not know is ignored: other
     * clients of the server can send anything.
     */
    receive: (text: string | undefined, parse: (json: unknown) => readonly Message[] | undefined) => {
      const messages = parse(parseJson(text));
      if (messages !== undefined) {
        for (const [channel, payload] of messages) deliver(channel, payload, true);
        return;
      }
      if (monotonicMs() < logStrangersAt) return;
      logStrangersAt = monotonicMs() + LOG_STRANGERS_EVERY_MS;
      log.warn({ bytes: text?.length ?? 0 }, 'ignored a message on the bus that no Dialplane process has sent');
    },
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** A channel and a payload. */
export type Message = readonly [string, string];

export function isMessage(value: unknown): value is Message {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/**
 * @param cell the name of the bus's cell. Cells may be schemas of one database, which share its channels, so each cell
 * uses its own channel
 */
export function createBus(db: Database, log: Logger, cell?: string): Bus {
  return new NotifyBus(db, log, cell === undefined ? CHANNEL : `${CHANNEL}/${cell}`);
}

class NotifyBus implements Bus {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #channel: string;
  readonly #origin = randomBytes(9).toString('base64url');
  readonly #listeners: ReturnType<typeof createListeners>;
  readonly #outbox: Outbox;
  #client: pg.Client | undefined;
  #reconnectTimer: Timer | undefined;
  #probeTimer: Timer | undefined;
  #reconnectMs = RECONNECT_MIN_MS;
  #closed = false;

  readonly subscribe: Bus['subscribe'];
  readonly onGap: Bus['onGap'];

  constructor(db: Database, log: Logger, channel: string) {
    this.#db = db;
    this.#channel = channel;
    this.#log = log;
    this.#listeners = createListeners(log);
    this.subscribe = this.#listeners.subscribe;
    this.onGap = this.#listeners.onGap;
    this.#outbox = createOutbox({
      canSend: () => this.#client !== undefined,
      send: (messages) => this.#send(messages),
      delayMs: NOTIFY_EVERY_MS,
      log,
    });
  }

  start(): Promise<void> {
    return this.#connect();
  }

  publish(channel: string, payload: string): void {
    const message = JSON.stringify([channel, payload]);
    if (Buffer.byteLength(message) > MESSAGE_BYTES_MAX) throw new RangeError(`message on ${channel} is too long`);
    this.#outbox.add(message);
    this.#listeners.deliver(channel, payload, false);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#reconnectTimer?.cancel();
    this.#probeTimer?.cancel();
    const client = this.#client;
    if (client === undefined) return;
    // The end of a connection aborts its statement. A server that does not answer does not close its connection either.
    const ended = this.#outbox.close().then(() => client.end());
    await endsWithin(ended, END_WITHIN_MS);
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
      await opened.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
      if (this.#closed) return await opened.end();
      this.#client = opened;
      this.#reconnectMs = RECONNECT_MIN_MS;
      this.#probeTimer = every(PROBE_EVERY_MS, () => void this.#probe(opened)).unref();
      this.#listeners.reportGap();
      this.#outbox.resume();
    } catch (error) {
      // LISTEN fails on a standby. The connection is closed here, because it would stay open while the next one opens.
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
    this.#probeTimer?.cancel();
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
    this.#reconnectTimer = after(this.#reconnectMs, () => {
      this.#reconnectTimer = undefined;
      void this.#connect();
    });
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, RECONNECT_MAX_MS);
  }

  #receive(text: string | undefined): void {
    this.#listeners.receive(text, (json) => {
      if (!Array.isArray(json)) return undefined;
      const [sender, ...messages]: unknown[] = json;
      if (typeof sender !== 'string' || !messages.every(isMessage)) return undefined;
      return sender === this.#origin ? [] : messages;
    });
  }

  async #send(messages: readonly string[]): Promise<void> {
    const on = this.#client;
    if (on === undefined) throw new Error('the bus is not connected');
    const payloads = pack(this.#origin, messages);
    try {
      await on.query(bind(NOTIFY, { channel: this.#channel, payloads }));
    } catch (error) {
      this.#dropBroken(on, error);
      throw error;
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
