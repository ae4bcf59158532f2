import pg from 'pg';
import type { Logger } from 'pino';
import { type ClaimOffers, createClaimOffers } from './claim-offers.ts';
import { type ConnectionPool, type ConnectionState, createPool } from './connection-pool.ts';
import { createConnector } from './connector.ts';
import { isServerGone, isStandbyRefusal, toApiError } from './error-codes.ts';
import { bind, type Statement } from './statement.ts';

/** A notice within this process about a commit: there is due work, or an event to pass on. */
export type Signal = { readonly topic: string; readonly payload?: unknown };

/** Runs statements, each in its own transaction. */
export type Db = {
  /** Returns the statement's rows. Throws ApiError for a violation of a constraint that has an error code. */
  query<Row, Given = readonly unknown[]>(statement: Statement<Given, Row>, values: NoInfer<Given>): Promise<Row[]>;
  /** Passes a signal to the listeners: immediately, or, within a transaction, after its commit. */
  signal(signal: Signal): void;
  /**
   * Runs `work` immediately. Within a transaction, runs it after the commit, and never after a rollback. Logs any error
   * of `work`.
   */
  afterCommit(work: () => void): void;
  /** The claims that this process can make on work that it writes. */
  readonly offers: ClaimOffers;
};

declare const inTransaction: unique symbol;

/** Runs statements in one open transaction. A function that takes a `Tx` writes in its caller's transaction. */
export type Tx = Db & {
  readonly [inTransaction]: true;
  /** The trace context (W3C traceparent) of the request that the transaction is part of; null without one. */
  readonly traceparent: string | null;
};

type TransactionOptions = { readonly traceparent?: string | null };

export type Database = Db & {
  /** Runs `work` in a READ COMMITTED transaction: commits if it resolves, rolls back if it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls the listener with every signal of this process. */
  onSignal(listener: (signal: Signal) => void): void;
  /** Runs statements over a reserved connection, for statements that cannot wait for a connection of the pool. */
  readonly reserved: Db;
  /** Returns the figures of the pool at this moment, for metrics. */
  pool(): PoolFigures;
  /**
   * Opens a separate connection, for LISTEN and session locks. The caller ends it.
   * @param options.statementMs how long to wait for the answer to a statement; no limit by default
   */
  connect(purpose: string, options?: { statementMs?: number }): Promise<pg.Client>;
  /**
   * Replaces every connection of the pool before its next use, because it may lead to a server that is a standby now.
   */
  renewConnections(): void;
  close(): Promise<void>;
  /** Fails the statements in progress and every later one: a stop does not wait for a server that does not answer. */
  cut(): void;
};

/** Connections in use, idle connections, the most connections, and callers that wait for one. */
type PoolFigures = {
  readonly busy: number;
  readonly idle: number;
  readonly max: number;
  readonly waiting: number;
};

type DatabaseOptions = {
  url: string;
  /** The most connections in the pool. */
  connectionsMax: number;
  log: Logger;
  /** How long to wait for the answer to a statement without its own `timeoutMs`; 15 s by default. */
  statementMs?: number;
};

// The driver returns int8 as text by default. Every int8 that is read as a number is a count below 2^53.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text: string) => Number(text));

/**
 * How long to wait for an answer. Without a limit, a server that is frozen or disconnected silently would block
 * requests for ever. A frozen process can hold locks for ten seconds, so the limit is longer than that.
 */
const STATEMENT_MS = 15_000;

/** A connection outside the pool fails if it does not open within this time. */
const CONNECT_WITHIN_MS = 5_000;

/**
 * Opens the pool. No connection is made until the first query.
 * @throws DatabaseAddressError
 */
export function openDatabase({ url, connectionsMax, log, statementMs = STATEMENT_MS }: DatabaseOptions): Database {
  const connector = createConnector(url);
  const settings = { types, keepAlive: true, application_name: 'dialplane' };
  const openPool = (max: number) =>
    createPool({ connector, settings: { ...settings, query_timeout: statementMs }, max, log });
  const pool = openPool(connectionsMax);
  const reservedPool = openPool(1);
  const listeners: ((signal: Signal) => void)[] = [];
  const offers = createClaimOffers();
  // The transaction is committed, so an error of this work must not reach the caller of the transaction.
  const afterCommit = (work: () => void) => {
    try {
      work();
    } catch (error) {
      log.error({ err: error }, 'work after a commit failed; the commit stands');
    }
  };
  const signal = (sent: Signal) => {
    for (const listener of listeners) afterCommit(() => listener(sent));
  };
  const queryOn =
    (on: ConnectionPool): Db['query'] =>
    (statement, values) =>
      retryRolledBack(() => runSingle(on, statement, values));
  return {
    query: queryOn(pool),
    reserved: { query: queryOn(reservedPool), signal, afterCommit, offers },
    signal,
    afterCommit,
    offers,
    onSignal: (listener) => {
      listeners.push(listener);
    },
    transaction: async (work, options) => {
      const { result, next } = await retryRolledBack(() =>
        attemptTransaction(pool, work, { ...options, offers, signal }),
      );
      for (const work of next) afterCommit(work);
      return result;
    },
    pool: () => ({ ...pool.figures(), max: connectionsMax }),
    connect: (purpose, { statementMs: answerMs } = {}) => {
      const ownSettings = { ...settings, application_name: `dialplane ${purpose}`, query_timeout: answerMs };
      return connector
        .connect({ ...ownSettings, connectionTimeoutMillis: CONNECT_WITHIN_MS })
        .catch((error: unknown) => {
          throw toApiError(error);
        });
    },
    renewConnections: () => {
      pool.discardAll();
      reservedPool.discardAll();
    },
    close: async () => {
      await Promise.all([pool.close(), reservedPool.close()]);
    },
    cut: () => {
      pool.cut();
      reservedPool.cut();
    },
  };
}

async function run<Row, Given>(client: pg.PoolClient, statement: Statement<Given, Row>, given: Given): Promise<Row[]> {
  const { timeoutMs } = statement;
  const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  const bound = bind(statement, given);
  try {
    const result = await client.query({ ...bound, ...timeout });
    return result.rows as Row[];
  } catch (error) {
    throw toApiError(error);
  }
}

/**
 * Runs one statement outside of a transaction. The pool's own `query` drops the connection, and all statements prepared
 * on it, after any error of a statement.
 */
async function runSingle<Row, Given>(
  pool: ConnectionPool,
  statement: Statement<Given, Row>,
  given: Given,
): Promise<Row[]> {
  const client = await pool.take();
  let state: ConnectionState = 'usable';
  try {
    return await run(client, statement, given);
  } catch (error) {
    const cause = causeOf(error);
    if (isServerGone(cause)) state = 'server gone';
    else if (!(cause instanceof pg.DatabaseError)) state = 'broken';
    throw error;
  } finally {
    pool.giveBack(client, state);
  }
}

async function rollBack(client: pg.PoolClient): Promise<ConnectionState> {
  try {
    await client.query('rollback');
    return 'usable';
  } catch {
    return 'broken';
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

const ROLLED_BACK_ATTEMPTS_MAX = 3;

/** `next` is the work to do after the commit. */
type Committed<T> = { result: T; next: (() => void)[] };

/**
 * Repeats a transaction or a single statement that PostgreSQL rolled back. The reason is a deadlock, or a connection
 * that led to a standby; the next connection may lead to the primary.
 */
async function retryRolledBack<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (attempt < ROLLED_BACK_ATTEMPTS_MAX && isRolledBack(causeOf(error))) continue;
      throw error;
    }
  }
}

async function attemptTransaction<T>(
  pool: ConnectionPool,
  work: (tx: Tx) => Promise<T>,
  { traceparent = null, offers, signal }: TransactionOptions & Pick<Db, 'offers' | 'signal'>,
): Promise<Committed<T>> {
  const client = await pool.take();
  const next: (() => void)[] = [];
  let state: ConnectionState = 'usable';
  try {
    await client.query('begin');
    const result = await work({
      query: (statement, values) => run(client, statement, values),
      signal: (sent) => {
        next.push(() => signal(sent));
      },
      afterCommit: (after) => {
        next.push(after);
      },
      traceparent,
      offers,
    } as Tx);
    const { command } = await client.query('commit');
    // PostgreSQL answers ROLLBACK if a statement of the transaction failed and the caller ignored the error.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed');
    return { result, next };
  } catch (error) {
    // If the connection is lost, PostgreSQL rolls back, and the pool must drop the connection.
    state = isServerGone(causeOf(error)) ? 'server gone' : await rollBack(client);
    throw toApiError(error);
  } finally {
    pool.giveBack(client, state);
  }
}

function isRolledBack(cause: unknown): boolean {
  return isLostRaceForLocks(cause) || isStandbyRefusal(cause);
}

function isLostRaceForLocks(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && (cause.code === '40P01' || cause.code === '40001');
}
