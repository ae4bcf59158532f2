import pg from 'pg';
import type { Logger } from 'pino';
import { isAnswerMissing, toApiError } from './error-codes.ts';
import type { Statement } from './statement.ts';

/** A notice within this process that something was committed: work that is due, an event to pass on. */
export type Signal = { readonly topic: string; readonly payload?: unknown };

/** Runs statements, each in its own transaction. */
export type Db = {
  /** Returns the statement's rows. Throws ApiError for a violation of a constraint that has an error code. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Passes a signal to the listeners: immediately, or, within a transaction, after its commit. */
  signal(signal: Signal): void;
};

declare const inTransaction: unique symbol;

/** Runs statements in one open transaction. The effects of a function that takes a `Tx` commit with its caller's. */
export type Tx = Db & {
  readonly [inTransaction]: true;
  /** The trace context (W3C traceparent) of the request that the transaction is part of; null without one. */
  readonly traceparent: string | null;
};

export type TransactionOptions = { readonly traceparent?: string | null };

export type Database = Db & {
  /** Runs `work` in a READ COMMITTED transaction: commits if it resolves, rolls back if it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls the listener with every signal of this process. */
  onSignal(listener: (signal: Signal) => void): void;
  /** Runs statements over a reserved connection, for statements that cannot wait for a connection of the pool. */
  readonly reserved: Db;
  /** Opens a separate connection, for LISTEN and session locks. The caller ends it. */
  connect(purpose: string): Promise<pg.Client>;
  close(): Promise<void>;
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
 * How long a transaction may be idle. After that the server ends it, so the locks of a process that is stopped, or
 * whose machine is gone, are released.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * How long to wait for an answer, because a server that is stopped or disconnected silently would block requests for
 * ever. Longer than IDLE_IN_TRANSACTION_MS, the time for which a stopped process can hold locks.
 */
const STATEMENT_MS = 15_000;

/** Opens the pool. No connection is made until the first query. */
export function openDatabase({ url, connectionsMax, log, statementMs = STATEMENT_MS }: DatabaseOptions): Database {
  const settings = { connectionString: url, types, keepAlive: true, application_name: 'dialplane' };
  const timeout = { query_timeout: statementMs };
  let closing = false;
  const openPool = (max: number) => {
    const bounds = { max, connectionTimeoutMillis: 5_000, idleTimeoutMillis: 60_000 };
    const opened = new pg.Pool({ ...settings, ...timeout, ...bounds, onConnect: configureSession });
    // A connection can break while it is idle, also between two statements of a transaction. The pool replaces it, and
    // the next statement reports the error; without a listener the process would end.
    opened.on('connect', (client) =>
      client.on('error', (error) => {
        // During the shutdown the server may close connections before this process does.
        if (!closing) log.warn({ err: error }, 'database connection lost');
      }),
    );
    opened.on('error', (error) => log.debug({ err: error }, 'the pool dropped a lost connection'));
    return opened;
  };
  const pool = openPool(connectionsMax);
  const reservedPool = openPool(1);
  const listeners: ((signal: Signal) => void)[] = [];
  const signal = (sent: Signal) => {
    for (const listener of listeners) listener(sent);
  };
  const queryOn =
    (on: pg.Pool): Db['query'] =>
    (statement, values) =>
      retryAfterDeadlock(() => runSingle(on, statement, values));
  return {
    query: queryOn(pool),
    reserved: { query: queryOn(reservedPool), signal },
    signal,
    onSignal: (listener) => {
      listeners.push(listener);
    },
    transaction: async (work, options) => {
      const { result, signals } = await retryAfterDeadlock(() => attemptTransaction(pool, work, options));
      signals.forEach(signal);
      return result;
    },
    connect: async (purpose) => {
      const client = new pg.Client({ ...settings, application_name: `dialplane ${purpose}` });
      await client.connect().catch((error: unknown) => {
        throw toApiError(error);
      });
      return client;
    },
    close: async () => {
      closing = true;
      await Promise.all([pool.end(), reservedPool.end()]);
    },
  };
}

/**
 * Session settings. They are not part of the connection's address, because poolers refuse parameters that they do not
 * know. Sequential scans are off because a prepared statement keeps its plan: a plan made while a table was nearly
 * empty would read the whole table when it has grown. Every statement has an index.
 */
const SESSION = `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; set enable_seqscan = off`;

async function configureSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION);
}

async function run<Row>(
  client: pg.PoolClient,
  { name, text, timeoutMs }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  try {
    const result = await client.query({ name, text, values: values as unknown[], ...timeout });
    return result.rows as Row[];
  } catch (error) {
    throw toApiError(error);
  }
}

/**
 * Runs one statement outside of a transaction. The pool's own `query` drops the connection, and all statements prepared
 * on it, after any error of a statement.
 */
async function runSingle<Row>(pool: pg.Pool, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
  const client = await take(pool);
  let broken = false;
  try {
    return await run<Row>(client, statement, values);
  } catch (error) {
    broken = isLost(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

async function take(pool: pg.Pool): Promise<pg.PoolClient> {
  return await pool.connect().catch((error: unknown) => {
    throw toApiError(error);
  });
}

/** Returns true if the connection failed, and not a statement on it: it cannot be used any more. */
function isLost(error: unknown): boolean {
  return !(causeOf(error) instanceof pg.DatabaseError);
}

/** Returns false if the connection is lost. */
function rollBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

const DEADLOCK_ATTEMPTS_MAX = 3;

type Committed<T> = { result: T; signals: Signal[] };

/** Repeats a transaction, or a single statement, that PostgreSQL rolled back to end a deadlock. */
async function retryAfterDeadlock<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (attempt < DEADLOCK_ATTEMPTS_MAX && isDeadlock(error)) continue;
      throw error;
    }
  }
}

async function attemptTransaction<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { traceparent = null }: TransactionOptions = {},
): Promise<Committed<T>> {
  const client = await take(pool);
  const signals: Signal[] = [];
  let broken = false;
  try {
    await client.query('begin');
    const result = await work({
      query: (statement, values) => run(client, statement, values),
      signal: (signal) => {
        signals.push(signal);
      },
      traceparent,
    } as Tx);
    await client.query('commit');
    return { result, signals };
  } catch (error) {
    // If the connection is lost, PostgreSQL rolls back by itself, and the pool must drop the connection.
    broken = isAnswerMissing(causeOf(error)) || !(await rollBack(client));
    throw toApiError(error);
  } finally {
    client.release(broken);
  }
}

function isDeadlock(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof pg.DatabaseError && (cause.code === '40P01' || cause.code === '40001');
}
