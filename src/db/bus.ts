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
  const origin = randomBytes(9).toString('base64url');
  const { subscribe, onGap, deliver, reportGap } = createListeners();
  // A set of encoded messages, so a message that is published twice before it is sent is sent once.
  let waiting = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let reconnectMs = RECONNECT_MIN_MS;
  let sending = false;
  let closed = false;

  const receive = (text: string | undefined) => {
    const [sender, ...messages] = JSON.parse(text ?? '[]') as [string, ...[string, string][]];
    if (sender === origin) return;
    for (const [channel, payload] of messages) deliver(channel, payload, true);
  };

  const connect = async (): Promise<void> => {
    try {
      const next = await db.connect('bus');
      let broken = false;
      const onBroken = (error?: Error) => {
        if (broken) return;
        broken = true;
        if (client === next) client = undefined;
        if (!closed) log.warn({ err: error }, 'bus connection lost; reconnecting');
        reconnect();
      };
      next.on('error', onBroken);
      next.on('end', () => onBroken());
      next.on('notification', (message) => receive(message.payload));
      await next.query(`listen ${CHANNEL}`);
      if (closed) return await next.end();
      client = next;
      reconnectMs = RECONNECT_MIN_MS;
      reportGap();
      schedule();
    } catch (error) {
      log.warn({ err: error }, 'the bus cannot connect; retrying');
      reconnect();
    }
  };

  const reconnect = () => {
    if (closed || reconnectTimer !== undefined) return;
    reconnectTimer = setTimeout(() => {
      reconnectTimer = undefined;
      void connect();
    }, reconnectMs);
    reconnectMs = Math.min(reconnectMs * 2, RECONNECT_MAX_MS);
  };

  const schedule = () => {
    if (timer !== undefined || sending || client === undefined || waiting.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      ignoreError(send(), log, 'the bus is best effort; its listeners read the database after a gap');
    }, NOTIFY_EVERY_MS);
  };

  const send = async () => {
    const on = client;
    if (on === undefined) return;
    const payloads = pack(origin, waiting);
    waiting = new Set();
    sending = true;
    try {
      await on.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]);
    } finally {
      sending = false;
      schedule();
    }
  };

  return {
    start: connect,
    publish: (channel, payload) => {
      const message = JSON.stringify([channel, payload]);
      if (Buffer.byteLength(message) > MESSAGE_BYTES_MAX) throw new RangeError(`message on ${channel} is too long`);
      waiting.add(message);
      if (waiting.size > WAITING_MAX) waiting.delete(waiting.values().next().value ?? '');
      schedule();
      deliver(channel, payload, false);
    },
    subscribe,
    onGap,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(reconnectTimer);
      await client?.end();
    },
  };
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
