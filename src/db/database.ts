import pg from 'pg';
import type { Logger } from 'pino';
import { isAnswerMissing, toApiError } from './error-codes.ts';
import type { Statement } from './statement.ts';

/** Tells the rest of the process that something was committed: work that waits, an event to show. */
export type Signal = { readonly topic: string; readonly payload?: unknown };

/** Runs statements, each in a transaction of its own. */
export type Db = {
  /** Rows of the statement; constraint violations the catalogue knows arrive as ApiError. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Passes a signal to the listeners: at once, or within a transaction once it has committed. */
  signal(signal: Signal): void;
};

declare const inTransaction: unique symbol;

/**
 * Runs statements in one open transaction. A function that takes a `Tx` can only be called where its effects commit
 * together with the caller's.
 */
export type Tx = Db & {
  readonly [inTransaction]: true;
};

export type Database = Db & {
  /** Runs `work` in a READ COMMITTED transaction: commits when it resolves, rolls back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Hears every signal of this process. */
  onSignal(listener: (signal: Signal) => void): void;
  /** Runs statements over a connection kept apart from the others, for what cannot wait until work gives one back. */
  readonly aside: Db;
  /** A connection of one's own, for LISTEN and session locks. The caller ends it. */
  connect(purpose: string): Promise<pg.Client>;
  close(): Promise<void>;
};

type DatabaseOptions = {
  url: string;
  /** Most connections this process opens for queries. */
  connectionsMax: number;
  log: Logger;
  /** How long the answer to a statement may take that says no more; 15 s. */
  statementMs?: number;
};

// int8 arrives as text by default; every int8 the product reads as a number is a count below 2^53.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text: string) => Number(text));

/**
 * How long a transaction may wait for its process. One that has been stopped, or whose machine is gone, then holds no
 * rows any more, and whoever waits for them goes on.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * A server that has been stopped, or is cut off without a word, must not keep requests for ever. It is longer than rows
 * may be held by a process that stands still.
 */
const STATEMENT_MS = 15_000;

/** Opens the pool. No connection is made until the first query. */
export function openDatabase({ url, connectionsMax, log, statementMs = STATEMENT_MS }: DatabaseOptions): Database {
  const settings = { connectionString: url, types, keepAlive: true, application_name: 'dialplane' };
  const patience = { query_timeout: statementMs };
  let closing = false;
  const openPool = (max: number) => {
    const bounds = { max, connectionTimeoutMillis: 5_000, idleTimeoutMillis: 60_000 };
    const opened = new pg.Pool({ ...settings, ...patience, ...bounds, onConnect: settle });
    // A connection may break while nothing runs on it: at rest, and also between two statements of a transaction. It is
    // replaced, and the next statement reports what matters; without a listener the process would end.
    opened.on('connect', (client) =>
      client.on('error', (error) => {
        // At the end the server may go before the connections have said their farewell.
        if (!closing) log.warn({ err: error }, 'database connection lost');
      }),
    );
    opened.on('error', (error) => log.debug({ err: error }, 'the pool drops a lost connection'));
    return opened;
  };
  const pool = openPool(connectionsMax);
  const asidePool = openPool(1);
  const listeners: ((signal: Signal) => void)[] = [];
  const signal = (sent: Signal) => {
    for (const listener of listeners) listener(sent);
  };
  const queryOn =
    (on: pg.Pool): Db['query'] =>
    (statement, values) =>
      againAfterDeadlock(() => runAlone(on, statement, values));
  return {
    query: queryOn(pool),
    aside: { query: queryOn(asidePool), signal },
    signal,
    onSignal: (listener) => {
      listeners.push(listener);
    },
    transaction: async (work) => {
      const { result, signals } = await againAfterDeadlock(() => attemptTransaction(pool, work));
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
      await Promise.all([pool.end(), asidePool.end()]);
    },
  };
}

/**
 * Not said in the address of the connection, because poolers refuse what they do not know there. Every statement has an
 * index to go by; but a plan is kept with its prepared statement, and one made while a table was all but empty would go
 * on reading the whole of it as it grows.
 */
const SESSION = `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; set enable_seqscan = off`;

async function settle(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION);
}

async function run<Row>(
  client: pg.PoolClient,
  { name, text, patienceMs }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const patience = patienceMs === undefined ? {} : { query_timeout: patienceMs };
  try {
    const result = await client.query({ name, text, values: values as unknown[], ...patience });
    return result.rows as Row[];
  } catch (error) {
    throw toApiError(error);
  }
}

/** The pool's own `query` would give up a connection, and all that is prepared on it, for each error of a statement. */
async function runAlone<Row>(pool: pg.Pool, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
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
  return pool.connect().catch((error: unknown) => {
    throw toApiError(error);
  });
}

/** Whether the connection, rather than a statement on it, is what failed: nothing more can be asked over it. */
function isLost(error: unknown): boolean {
  return !(causeOf(error) instanceof pg.DatabaseError);
}

async function canRollBack(client: pg.PoolClient): Promise<boolean> {
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

/** Repeats what was chosen to end a deadlock, a transaction or a statement outside of any: nothing of it is left. */
async function againAfterDeadlock<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (attempt < DEADLOCK_ATTEMPTS_MAX && isDeadlock(error)) continue;
      throw error;
    }
  }
}

async function attemptTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<Committed<T>> {
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
    } as Tx);
    await client.query('commit');
    return { result, signals };
  } catch (error) {
    // PostgreSQL rolls back by itself where the connection is lost, and the pool must drop it.
    broken = isAnswerMissing(causeOf(error)) || !(await canRollBack(client));
    throw toApiError(error);
  } finally {
    client.release(broken);
  }
}

function isDeadlock(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof pg.DatabaseError && (cause.code === '40P01' || cause.code === '40001');
}
