/**
 * Connects to an engine and reads its events. Only the process that holds the engine's row is connected. While no
 * process was connected, events were lost; the watch finds them by comparing the engine's channels with the stored
 * legs.
 */
import { randomUUID } from 'node:crypto';
import { textAt, valueAt } from '../../lib/json-object.ts';
import { after, monotonicMs } from '../../lib/time/time.ts';
import type { EngineClient } from './ari-client.ts';
import { createComparison } from './comparison-times.ts';
import { type HeldEngine, holdEngine, leaveEngine, OWNED_MS } from './engine-queries.ts';
import { createEventQueue, type EventQueueOptions } from './event-queue.ts';
import { type AriEvent, type EventSocket, openEventSocket } from './event-socket.ts';
import { endAllLegs, reconcile } from './reconcile.ts';
import { createRegistrationKeeper } from './registrations.ts';
import type { SipLine } from './sip-line.ts';
import { hideTrunks, readEndpointStates, showTrunks } from './trunk-states.ts';

export type EngineWatch = {
  /** Starts trying to hold the engine. */
  start(): void;
  /** Releases the engine, so that another process can hold it. */
  close(): Promise<void>;
};

type WatchOptions = Omit<EventQueueOptions, 'log' | 'onDropped'> & {
  /** The clock that schedules comparisons (monotonic). For tests. */
  readonly nowMs?: () => number;
  readonly line: SipLine;
  readonly client: EngineClient;
};

const BEAT_MS = 1_000;
const RECONNECT_MS = 500;
/** How often the states of trunks and telephones are read. */
const SHOW_MS = 10_000;

export function watchEngine(options: WatchOptions): EngineWatch {
  const { line, client } = options;
  const { db, log, connectionId } = line;
  const name = { connectionId, name: client.name };
  const owner = randomUUID();
  const hearing = createHearing(options);
  const pause = createPause();
  const failureLog = createLogPace();
  let ownedUntil = 0;
  let isClosed = false;
  let running: Promise<void> | undefined;

  /** Holds the engine, or renews the hold. Returns undefined if another process holds it, or the watch is closed. */
  const hold = async () => {
    const held = await holdEngine(db, name, { owner, isReady: hearing.isReady() });
    if (held === undefined || isClosed) return hearing.end();
    ownedUntil = monotonicMs() + OWNED_MS;
    return held;
  };
  const noteFailure = (error: unknown) => {
    if (failureLog.isDue())
      log.error({ err: error, connection: connectionId, engine: client.name }, 'could not watch the engine; retrying');
    // Another process may hold the engine now.
    if (monotonicMs() > ownedUntil) hearing.end();
  };
  const beat = async () => {
    const held = await hold();
    // A comparison may take longer than a hold lasts.
    if (held !== undefined) await whileRepeating(() => hold().catch(noteFailure), hearing.keepUp(held, pause.wake));
  };
  const run = async () => {
    while (!isClosed) {
      const wasReady = hearing.isReady();
      await beat().then(failureLog.forget, noteFailure);
      // A change to ready is stored immediately, so that calls can be dialled.
      if (!isClosed && hearing.isReady() === wasReady) await pause.rest(hearing.isOpen() ? BEAT_MS : RECONNECT_MS);
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

/** Repeats an action at each beat until the work has ended. Resolves when both have ended. */
async function whileRepeating(repeat: () => Promise<unknown>, work: Promise<void>): Promise<void> {
  const pause = createPause();
  let isOver = false;
  const repeating = (async () => {
    while (!isOver) {
      await pause.rest(BEAT_MS);
      if (!isOver) await repeat();
    }
  })();
  try {
    await work;
  } finally {
    isOver = true;
    pause.wake();
    await repeating;
  }
}

/** Creates waits that can be ended early. */
function createPause() {
  let end: (() => void) | undefined;
  return {
    wake: () => end?.(),
    rest: async (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      const timer = after(ms, resolve);
      await promise;
      timer.cancel();
    },
  };
}

/** The socket of an engine's events, and the actions when it opens and closes. */
function createHearing({ line, client, nowMs = monotonicMs, ...carrying }: WatchOptions) {
  const { log, connectionId } = line;
  const about = { connection: connectionId, engine: client.name };
  const queue = createEventQueue({ ...carrying, log, onDropped: (since) => comparison.repeatSoon(since) });
  const comparison = createComparison(nowMs, (compared) =>
    reconcile(line, client, { ...compared, isWaiting: queue.isWaiting }),
  );
  let ends = 0;
  const loss = createLossCount(line, client, () => ends);
  let socket: EventSocket | undefined;
  let isReady = false;
  const show = createShow(line, client);

  const end = () => {
    ends++;
    client.useSocket(undefined);
    socket?.close();
    if (socket !== undefined) show.lost();
    socket = undefined;
    isReady = false;
  };
  const connect = async (onLost: () => void) => {
    let current: EventSocket | undefined;
    const early: AriEvent[] = [];
    const take = (event: AriEvent) => {
      if (current === undefined) return early.push(event);
      if (socket !== current || queue.add(event, () => socket === current)) return;
      log.error(about, 'too many events of the engine are waiting; comparing it again');
      end();
    };
    const endsBefore = ends;
    const opened = await openEventSocket({ client, log, onEvent: take });
    // In the meantime the watch was closed, or another process holds the engine.
    if (ends !== endsBefore) return opened.close();
    current = opened;
    socket = current;
    client.useSocket(current);
    loss.forget();
    show.heard();
    current.closed.then(() => {
      if (socket !== current) return;
      log.warn(about, 'not connected to the engine any more');
      end();
      onLost();
    });
    for (const event of early) take(event);
  };

  return {
    end,
    isOpen: () => socket !== undefined,
    isReady: () => isReady,
    drained: queue.drained,
    /** Connects if there is no socket. Compares the engine every RECONCILE_MS. */
    keepUp: async (held: HeldEngine, onLost: () => void) => {
      if (socket === undefined) await connect(onLost).catch((error: unknown) => loss.note(error, held));
      const current = socket;
      if (current === undefined) return;
      const compared = { seenAt: held.seenAt, isWanted: () => socket === current };
      // If the first comparison fails, the next beat repeats it. Until it succeeds, the engine takes no calls.
      if (!isReady) await comparison.begin(compared);
      else await comparison.keepUp(compared);
      isReady = compared.isWanted();
      if (isReady) await show.endpoints();
    },
  };
}

/**
 * Logs whether this process is connected to an engine. Every SHOW_MS, updates which trunks work and which telephones
 * are registered.
 */
function createShow(line: SipLine, client: EngineClient) {
  const about = { connection: line.connectionId, engine: client.name };
  const registrations = createRegistrationKeeper(line, client);
  let shownAt: number | undefined;
  return {
    heard: () => {
      line.log.info(about, 'connected to the engine');
      line.metrics.sipEngineHeard.set(about, 1);
    },
    lost: () => {
      line.metrics.sipEngineHeard.set(about, 0);
      hideTrunks(line, client);
      registrations.forget();
      shownAt = undefined;
    },
    endpoints: async () => {
      if (shownAt !== undefined && monotonicMs() - shownAt <= SHOW_MS) return;
      shownAt = monotonicMs();
      // If an engine does not answer, the shown states do not change.
      const { states } = await readEndpointStates(client);
      if (states === undefined) return;
      showTrunks(line, client, states);
      await registrations.keep(states);
    },
  };
}

/** How often the log repeats that an engine cannot be reached or watched. */
const LOG_INTERVAL_MS = 10_000;

/** Says when a repeated problem is logged: the first time, and then once in LOG_INTERVAL_MS. */
function createLogPace() {
  let loggedAt: number | undefined;
  return {
    isDue: () => {
      if (loggedAt !== undefined && monotonicMs() - loggedAt <= LOG_INTERVAL_MS) return false;
      loggedAt = monotonicMs();
      return true;
    },
    /** The problem is over, so its next occurrence is logged at once. */
    forget: () => {
      loggedAt = undefined;
    },
  };
}

/** If the machine refuses connections for this time, the engine is dead, and its calls with it. */
const REFUSED_MS = 5_000;
/**
 * For this time, an engine that does not answer may still have its calls, because only the network to it may have
 * failed.
 */
const SILENT_MS = 30_000;

/**
 * Ends the legs of an engine that is gone. Stops when `countEnds` changes: the watch was closed, or another process is
 * connected to the engine, so the engine's calls may be alive.
 */
function createLossCount(line: SipLine, client: EngineClient, countEnds: () => number) {
  const lossLog = createLogPace();
  let lostSince: number | undefined;
  return {
    forget: () => {
      lostSince = undefined;
      lossLog.forget();
    },
    note: async (error: unknown, { seenAt }: HeldEngine) => {
      const now = monotonicMs();
      lostSince ??= now;
      const problem = textAt(error, 'code') ?? String(error);
      if (lossLog.isDue())
        line.log.warn({ connection: line.connectionId, engine: client.name, problem }, 'the engine cannot be reached');
      const patienceMs = valueAt(error, 'code') === 'ECONNREFUSED' ? REFUSED_MS : SILENT_MS;
      if (now - lostSince <= patienceMs) return;
      const ends = countEnds();
      await endAllLegs(line, client, { seenAt, isWanted: () => countEnds() === ends });
    },
  };
}
