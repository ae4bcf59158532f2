import pg from 'pg';
import type { Logger } from 'pino';
import { ApiError } from '../lib/errors/errors.ts';
import type { Connector } from './connector.ts';
import { toApiError } from './error-codes.ts';

/** The state of a connection after its use. */
export type ConnectionState = 'usable' | 'broken' | 'server gone';

/** Connections that statements and transactions borrow. */
export type ConnectionPool = {
  /** @throws ApiError database_unavailable if none becomes free or opens within 5 s */
  take(): Promise<pg.PoolClient>;
  /**
   * Takes a connection back, and closes a `broken` one. After `server gone`, each connection that was opened since the
   * last discard is closed before its next use, because it leads to the same server.
   */
  giveBack(client: pg.PoolClient, state: ConnectionState): void;
  /** Closes every connection before its next use. */
  discardAll(): void;
  /** Returns how many connections are in use and idle, and how many callers wait for one. */
  figures(): { readonly busy: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
  /** Ends every connection at once. Running statements fail, and the pool lends no more connections. */
  cut(): void;
};

type PoolOptions = {
  connector: Connector;
  settings: pg.ClientConfig;
  /** The most connections. */
  max: number;
  log: Logger;
};

const CONNECT_WITHIN_MS = 5_000;
const IDLE_MS = 60_000;

/**
 * How long a transaction may be idle. After that the server ends it, which releases the locks of a process that is
 * frozen or whose machine has failed.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * How the server plans the statements of a connection (docs/decisions/0019-plans-by-index.md). A prepared statement
 * keeps its plan, which may be made while its tables are nearly empty.
 * - enable_seqscan: such a plan would later read the whole table. Every statement has an index.
 * - random_page_cost: such a plan of a claim would later read and sort the whole backlog.
 * - plan_cache_mode: the server would plan a statement with few rows of values again in each run.
 * - jit: the server would compile a statement whose plan seems dear, for longer than the statement takes.
 */
export const PLANNING =
  'set enable_seqscan = off; set random_page_cost = 1; set plan_cache_mode = force_generic_plan; set jit = off';

/**
 * Session settings. They are not part of the connection's address, because poolers refuse parameters that they do not
 * know.
 */
const SESSION = `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; ${PLANNING}`;

/** Creates a pool. It opens no connection before the first is taken. */
export function createPool({ connector, settings, max, log }: PoolOptions): ConnectionPool {
  let closing = false;
  const end = createEnd();
  const clients = new Set<pg.PoolClient>();
  /** The number of discards. A connection that is older than the last discard is closed instead of used. */
  let age = 0;
  const ages = new WeakMap<pg.PoolClient, number>();
  const pool = new pg.Pool({
    ...settings,
    connectionString: connector.connectionString,
    Client: connector.Client,
    max,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
    onConnect: async (client) => {
      await client.query(SESSION);
    },
  });
  // A connection can break while it is idle, also between two statements of a transaction. The pool replaces it, and
  // the next statement reports the error. Without a listener the process would end.
  pool.on('connect', (client) => {
    ages.set(client, age);
    clients.add(client);
    client.on('error', (error) => {
      // During a shutdown the server may close connections before this process closes them.
      if (!closing) log.warn({ err: error }, 'database connection lost');
    });
  });
  pool.on('remove', (client) => clients.delete(client));
  pool.on('error', (error) => log.debug({ err: error }, 'the pool dropped a lost connection'));
  const open = () => end.before(connector.attempt(() => pool.connect()));
  return {
    take: async () => {
      try {
        let client = await open();
        while (ages.get(client) !== age) {
          client.release(true);
          client = await open();
        }
        return client;
      } catch (error) {
        throw toApiError(error);
      }
    },
    giveBack: (client, state) => {
      if (state === 'server gone' && ages.get(client) === age) age++;
      client.release(state !== 'usable');
    },
    discardAll: () => {
      age++;
    },
    figures: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { busy: totalCount - idle, idle, waiting };
    },
    close: async () => {
      closing = true;
      // After a cut, connections of the pool may still be opening.
      await Promise.race([end.come, pool.end()]);
    },
    cut: () => {
      closing = true;
      end.comes();
      // If a statement is running, the driver breaks its connection.
      for (const client of clients) void client.end();
    },
  };
}

/** The end of a pool. A connection that is still opening at the end is closed. */
function createEnd() {
  const { promise: come, resolve: comes } = Promise.withResolvers<void>();
  return {
    come,
    comes,
    /** @throws ApiError database_unavailable at the end. A connection that opens later is closed. */
    before: async (opening: Promise<pg.PoolClient>): Promise<pg.PoolClient> => {
      const client = await Promise.race([come, opening]);
      if (client instanceof Object) return client;
      opening.then(
        (late) => late.release(true),
        () => undefined,
      );
      throw new ApiError('database_unavailable');
    },
  };
}
