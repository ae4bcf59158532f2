import { Emitter } from './emitter.ts';
import { DialplaneError, parseJson } from './errors.ts';
import type { Event, EventOf, EventType } from './generated/schemas.ts';
import type { Page, Pages } from './pages.ts';
import { openSocket, type SocketConstructor, type SocketEnd, type SocketLike } from './sockets.ts';
import { backoffMs, wait } from './waits.ts';

/** The stored events, oldest first. Only a server can read them: they need an API key. */
export type EventHistory = {
  /** Returns the id of the newest event, if there is one. */
  newest(): Promise<string | undefined>;
  /** Reads the events after an event, or all events. */
  after(eventId: string | undefined): AsyncIterable<Event>;
};

export type RealtimeOptions = {
  /** Gets a new token. Called before every connection, as a token is valid for an hour. */
  token: () => Promise<{ token: string; url: string }>;
  /** Where missed events are read. Without it, `gap` says that events may be missing. */
  history?: EventHistory | undefined;
  /** The `position` where an earlier client stopped. By default events from now on are emitted. */
  after?: string | undefined;
  /** For runtimes without a global WebSocket, such as Node 20. */
  WebSocket?: SocketConstructor | undefined;
  /**
   * The most seconds between two comparisons with the history while connected; 60 by default. After a connection opens,
   * the first comparisons come sooner.
   */
  checkSeconds?: number | undefined;
};

type Emitted = { [T in EventType]: EventOf<T> } & {
  /** Every event, also of a type that this version does not know. */
  event: Event;
  /**
   * The socket is open, and the missed events have been emitted. An event that was being written while they were read
   * follows within seconds.
   */
  open: { isResumed: boolean };
  /** The connection was lost, or could not be made; the next attempt follows after the wait. */
  disconnected: { code: number | undefined; reason: string; waitMs: number };
  /** Events may be missing: read the shown data again. */
  gap: undefined;
  /** The client has ended: by `close()`, or with the reason why it cannot connect. */
  closed: { error: DialplaneError | undefined };
};

/**
 * The number of ids that are remembered to recognise repeats; after CHECK_EVENTS events the history is compared again.
 */
const SEEN_MAX = 10_000;
const CHECK_EVENTS = 1_000;
const CHECK_SECONDS = 60;
/**
 * The history shows no event while an older transaction is open, so the first reading may lack the newest events. The
 * next readings follow after 1 s, 4 s, 16 s and so on, up to `checkSeconds`.
 */
const CHECK_FIRST_SECONDS = 1;
const CHECK_GROWTH = 4;
const WAIT_FIRST_MS = 1_000;
const WAIT_MAX_MS = 30_000;
/** After a connection that lasted this long, the waits start with the shortest one again. */
const STABLE_MS = 5_000;
const OPEN_MS = 15_000;
const REFUSALS_MAX = 2;

/** The events of an account or tenant as they occur. Connects again when the connection is lost. */
export class Realtime extends Emitter<Emitted> {
  readonly #options: RealtimeOptions;
  readonly #ender = new AbortController();
  readonly #seen = new Set<string>();
  #isRunning = false;
  #socket: SocketLike | undefined;
  /** The history was read up to this event. Live events come in another order, so their ids are no position. */
  #position: string | undefined;
  #hasStart: boolean;
  /** Live events that wait until the history was read. */
  #held: Event[] | undefined;
  /** Live events since the last comparison with the history. */
  #sinceCheck = 0;
  #isChecking = false;

  constructor(options: RealtimeOptions) {
    super();
    this.#options = options;
    this.#position = options.after;
    this.#hasStart = options.after !== undefined;
  }

  /** All events up to this one have been emitted. Stored, it is the `after` of the next client. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Starts. Add the listeners before. */
  connect(): void {
    if (this.#isRunning || this.#ender.signal.aborted) return;
    this.#isRunning = true;
    this.#run().then(
      () => this.emit('closed', { error: undefined }),
      (error: DialplaneError) => this.emit('closed', { error: this.#ender.signal.aborted ? undefined : error }),
    );
  }

  /** Ends the client for good. */
  close(): void {
    this.#ender.abort(new DialplaneError('disconnected', 'close() was called.'));
    this.#socket?.close(1000);
  }

  /** Connects, and reconnects after each loss. Ends by `close()`, or throws why the client cannot connect. */
  async #run(): Promise<void> {
    let failures = 0;
    let refusals = 0;
    for (;;) {
      const start = performance.now();
      const end = await this.#connectOnce();
      this.#ender.signal.throwIfAborted();
      if (performance.now() - start >= STABLE_MS) failures = 0;
      failures += 1;
      refusals = end.code === 4401 ? refusals + 1 : 0;
      // A token can expire with its key. If a second new token is refused immediately, later ones will be refused too.
      if (refusals >= REFUSALS_MAX) throw new DialplaneError('login_refused', 'The server refused two new tokens.');
      const waitMs = waitFor(end.code, failures);
      this.emit('disconnected', { code: end.code, reason: end.reason, waitMs });
      await wait(waitMs, this.#ender.signal);
    }
  }

  /** Returns how the connection ended. Throws an error if no other attempt can succeed. */
  async #connectOnce(): Promise<{ code: number | undefined; reason: string }> {
    let socket: SocketLike | undefined;
    try {
      const { token, url } = await this.#options.token();
      this.#ender.signal.throwIfAborted();
      socket = openSocket(url, token, this.#options.WebSocket);
      return await this.#follow(socket);
    } catch (error) {
      if (isFinal(error)) throw error;
      return { code: undefined, reason: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#socket = undefined;
      this.#held = undefined;
      socket?.close(1000);
    }
  }

  /** Emits the events of a socket until it is closed. Throws if it does not open, or if the history cannot be read. */
  async #follow(socket: SocketLike): Promise<SocketEnd> {
    const { history, checkSeconds = CHECK_SECONDS } = this.#options;
    const { signal } = this.#ender;
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#socket = socket;
    this.#held = [];
    let stop: (() => void) | undefined;
    try {
      return await new Promise<SocketEnd>((resolve, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop);
        timer = setTimeout(() => reject(new Error(`no connection within ${OPEN_MS} ms`)), OPEN_MS);
        // What the first comparison finds may have occurred before the connection. It does not show that it is dead.
        const compareIn = (seconds: number, isProof: boolean) => {
          timer = setTimeout(() => {
            this.#check(socket, { isProof }).catch(reject);
            compareIn(Math.min(seconds * CHECK_GROWTH, checkSeconds), true);
          }, seconds * 1000);
        };
        socket.addEventListener('open', () => {
          clearTimeout(timer);
          const first = Math.min(CHECK_FIRST_SECONDS, checkSeconds);
          this.#resume(socket).then(() => {
            if (history && this.#socket === socket) compareIn(first, checkSeconds <= CHECK_FIRST_SECONDS);
          }, reject);
        });
        socket.addEventListener('message', ({ data }) => {
          if (this.#socket !== socket) return;
          this.#receive(parseJson(String(data)) as Event);
          if (history && this.#sinceCheck >= CHECK_EVENTS) this.#check(socket, { isProof: true }).catch(reject);
        });
        socket.addEventListener('close', resolve);
      });
    } finally {
      clearTimeout(timer);
      if (stop) signal.removeEventListener('abort', stop);
    }
  }

  #receive(event: Event): void {
    this.#sinceCheck += 1;
    if (this.#held !== undefined) this.#held.push(event);
    else this.#deliver(event);
  }

  /** Emits the missed events, then the live events that came while they were read. */
  async #resume(socket: SocketLike): Promise<void> {
    const isResumed = this.#hasStart;
    if (this.#options.history === undefined) {
      if (isResumed) this.emit('gap', undefined);
    } else if (isResumed) await this.#readHistory(socket);
    else this.#position = await this.#options.history.newest();
    if (this.#socket !== socket) return;
    this.#hasStart = true;
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#deliver(event);
    this.emit('open', { isResumed });
  }

  /**
   * Compares with the history. A socket that brought none of the new events is dead, though it looks open. If this
   * comparison is a proof of that, closes it.
   */
  async #check(socket: SocketLike, { isProof }: { isProof: boolean }): Promise<void> {
    if (this.#isChecking || this.#held !== undefined || this.#socket !== socket) return;
    this.#isChecking = true;
    try {
      const live = this.#sinceCheck;
      this.#sinceCheck = 0;
      const missed = await this.#readHistory(socket);
      if (isProof && missed > 0 && live + this.#sinceCheck === 0) socket.close(4000, 'no events arrive');
    } finally {
      this.#isChecking = false;
    }
  }

  /** Emits the events after the position that were not emitted yet, and returns how many there were. */
  async #readHistory(socket: SocketLike): Promise<number> {
    const history = this.#options.history as EventHistory;
    let count = 0;
    try {
      for await (const event of history.after(this.#position)) {
        if (this.#socket !== socket) return count;
        this.#position = event.id;
        if (this.#deliver(event)) count += 1;
      }
    } catch (error) {
      // The event at the position is older than 30 days, or the test ledger was reset.
      if (!DialplaneError.is(error, 'invalid_body', 'invalid_cursor', 'event_not_found')) throw error;
      this.#position = await history.newest();
      this.emit('gap', undefined);
    }
    return count;
  }

  #deliver(event: Event): boolean {
    if (this.#seen.has(event.id)) return false;
    this.#seen.add(event.id);
    for (const id of this.#seen) {
      if (this.#seen.size <= SEEN_MAX) break;
      this.#seen.delete(id);
    }
    this.emit('event', event);
    this.emit(event.type, event as never);
    return true;
  }
}

/** The part of the API client that `fromApi` uses. */
type EventsApi = {
  events: {
    list(query?: { tenant_id?: string; after?: string; order?: 'asc' | 'desc'; limit?: number }): Pages<Event>;
    createRealtimeToken(body?: { tenant_id?: string }): Promise<{ token: string; url: string }>;
  };
};

/** Returns the options of a Realtime on a server: tokens and history of the API, for all tenants or for one. */
export function fromApi(
  { events }: EventsApi,
  scope: { tenant_id?: string } = {},
): Pick<RealtimeOptions, 'token' | 'history'> {
  return {
    token: () => events.createRealtimeToken(scope),
    history: {
      newest: async () => ((await events.list({ ...scope, limit: 1 })) as Page<Event>).data[0]?.id,
      after: (eventId) =>
        events.list({ ...scope, order: 'asc', limit: 100, ...(eventId !== undefined && { after: eventId }) }),
    },
  };
}

/** Tells whether the API refused for a reason that stays, such as a revoked key or an unknown tenant. */
function isFinal(error: unknown): error is DialplaneError {
  if (!DialplaneError.is(error)) return false;
  const { code, status = 0 } = error;
  return code === 'invalid_argument' || (status >= 400 && status < 500 && ![408, 409, 429].includes(status));
}

function waitFor(code: number | undefined, failures: number): number {
  if (code === 4408) return 0;
  if (code === 1012) return Math.random() * 2_000;
  return backoffMs(failures, WAIT_FIRST_MS, WAIT_MAX_MS);
}
