/**
 * Hears an engine: one process of the installation at a time, the one that has the engine's row. What happened while
 * none heard it is found by comparing its channels with the legs that it should have.
 */
import { randomUUID } from 'node:crypto';
import { textAt, valueAt } from '../../lib/json-object.ts';
import type { EngineClient } from './ari-client.ts';
import { type HeldEngine, holdEngine, leaveEngine, OWNED_MS } from './engine-queries.ts';
import { createEventQueue, type EventQueueOptions } from './event-queue.ts';
import { type AriEvent, type EventSocket, openEventSocket } from './event-socket.ts';
import { NEW_MS } from './leg-queries.ts';
import { endAllLegs, reconcile } from './reconcile.ts';
import type { SipLine } from './sip-line.ts';
import { hideTrunks, showTrunks } from './trunk-states.ts';

export type EngineWatch = {
  /** Begins to try to have the engine. */
  start(): void;
  /** Lets another process have it. */
  close(): Promise<void>;
};

type WatchOptions = Omit<EventQueueOptions, 'log'> & { readonly line: SipLine; readonly client: EngineClient };

const BEAT_MS = 1_000;
const RECONNECT_MS = 500;
/** So often the metrics are told which trunks work. */
const SHOW_MS = 10_000;
/** An engine is compared anew so often, for events that are lost although its socket is open. */
const RECONCILE_MS = 60_000;
/** An engine that has just been connected is compared again after this time, when no leg of before is new any more. */
const AGAIN_MS = NEW_MS + 1_000;

export function watchEngine(options: WatchOptions): EngineWatch {
  const { line, client } = options;
  const { db, log, connectionId } = line;
  const name = { connectionId, name: client.name };
  const owner = randomUUID();
  const hearing = createHearing(options);
  const pause = createPause();
  let ownedUntil = 0;
  let isClosed = false;
  let running: Promise<void> | undefined;

  const beat = async () => {
    try {
      const held = await holdEngine(db, name, { owner, isReady: hearing.isReady() });
      if (held === undefined) return hearing.end();
      ownedUntil = performance.now() + OWNED_MS;
      await hearing.keepUp(held, pause.wake);
    } catch (error) {
      log.error({ err: error, connection: connectionId, engine: client.name }, 'the engine could not be looked after');
      // Another process may have it by now.
      if (performance.now() > ownedUntil) hearing.end();
    }
  };
  const run = async () => {
    while (!isClosed) {
      const wasReady = hearing.isReady();
      await beat();
      // What has just become ready is noted at once: calls may be dialled.
      if (hearing.isReady() === wasReady) await pause.rest(hearing.isOpen() ? BEAT_MS : RECONNECT_MS);
    }
  };

  return {
    start: () => {
      running ??= run();
    },
    close: async () => {
      isClosed = true;
      hearing.end();
      pause.wake();
      await running;
      await hearing.drained();
      if (running !== undefined) await leaveEngine(db, name, owner);
    },
  };
}

/** Waits that can be ended early. */
function createPause() {
  let end: (() => void) | undefined;
  return {
    wake: () => end?.(),
    rest: async (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** The socket of an engine's events, and what is done when it opens and closes. */
function createHearing({ line, client, onEvents, isReport }: WatchOptions) {
  const { log, connectionId } = line;
  const about = { connection: connectionId, engine: client.name };
  const queue = createEventQueue({ log, onEvents, isReport });
  const comparison = createComparison(line, client, queue.isWaiting);
  const noteLoss = createLossCount(line, client);
  let socket: EventSocket | undefined;
  let isReady = false;
  let shownAt = 0;

  const end = () => {
    client.useSocket(undefined);
    socket?.close();
    if (socket !== undefined) {
      line.metrics.sipEngineHeard.set(about, 0);
      hideTrunks(line, client);
    }
    socket = undefined;
    isReady = false;
  };
  const connect = async (held: HeldEngine, onLost: () => void) => {
    let own: EventSocket | undefined;
    const early: AriEvent[] = [];
    const take = (event: AriEvent) => {
      if (own === undefined) return early.push(event);
      if (socket !== own || queue.add(event, () => socket === own)) return;
      log.error(about, 'too many events of the engine are waiting; it is compared anew');
      end();
    };
    own = await openEventSocket({ client, log, onEvent: take });
    socket = own;
    client.useSocket(own);
    noteLoss.forget();
    log.info(about, 'the engine is heard');
    line.metrics.sipEngineHeard.set(about, 1);
    own.closed.then(() => {
      if (socket !== own) return;
      log.warn(about, 'the engine is not heard any more');
      end();
      onLost();
    });
    for (const event of early) take(event);
    await comparison.begin(held.heardAt);
    isReady = socket === own;
  };

  return {
    end,
    isOpen: () => socket !== undefined,
    isReady: () => isReady,
    drained: queue.drained,
    /** Connects if there is no socket, and compares what the engine has from time to time. */
    keepUp: async (held: HeldEngine, onLost: () => void) => {
      if (socket === undefined) await connect(held, onLost).catch((error: unknown) => noteLoss.note(error, held));
      else await comparison.keepUp(held.heardAt);
      if (socket !== undefined && performance.now() - shownAt > SHOW_MS) {
        shownAt = performance.now();
        await showTrunks(line, client);
      }
    },
  };
}

/** Compares an engine when it has been connected, again soon, and then from time to time. */
function createComparison(line: SipLine, client: EngineClient, isWaiting: (channelId: string) => boolean) {
  let comparedAt = 0;
  let heardBefore: Date | undefined;
  const compare = async (heardAt: Date) => {
    comparedAt = performance.now();
    await reconcile(line, client, { heardAt, isWaiting });
  };
  return {
    /** What had only just been asked for when the socket opened is judged by the next comparison. */
    begin: async (heardAt: Date) => {
      await compare(heardAt);
      heardBefore = heardAt;
      comparedAt -= RECONCILE_MS - AGAIN_MS;
    },
    /** What the second comparison finds gone may have ended before the first. */
    keepUp: async (heardAt: Date) => {
      if (performance.now() - comparedAt <= RECONCILE_MS) return;
      await compare(heardBefore ?? heardAt);
      heardBefore = undefined;
    },
  };
}

/** A process that refuses connections for so long is dead, and its calls with it. */
const REFUSED_MS = 5_000;
/** So long an engine that does not answer may still have its calls: the network between may be cut. */
const SILENT_MS = 30_000;

/** So often the log has that an engine cannot be reached. */
const TELL_MS = 10_000;

/** Ends the legs of an engine that is gone. */
function createLossCount(line: SipLine, client: EngineClient) {
  let lostSince: number | undefined;
  let toldAt: number | undefined;
  return {
    forget: () => {
      lostSince = undefined;
      toldAt = undefined;
    },
    note: async (error: unknown, { heardAt }: HeldEngine) => {
      const now = performance.now();
      lostSince ??= now;
      const problem = textAt(error, 'code') ?? String(error);
      if (toldAt === undefined || now - toldAt > TELL_MS) {
        line.log.warn({ connection: line.connectionId, engine: client.name, problem }, 'the engine cannot be reached');
        toldAt = now;
      }
      const patienceMs = valueAt(error, 'code') === 'ECONNREFUSED' ? REFUSED_MS : SILENT_MS;
      if (now - lostSince > patienceMs) await endAllLegs(line, client, heardAt);
    },
  };
}
