/**
 * Tells a server, a pooler in session mode and a pooler in transaction mode apart. Dialplane needs sessions: LISTEN,
 * session locks, prepared statements and settings of a session are lost in transaction mode
 * (docs/decisions/0024-sessions.md).
 */
import type pg from 'pg';
import type { Connector } from './connector.ts';

export type Route = 'server' | 'session pooler';

/** The address leads to a pooler that gives each transaction another session. */
class TransactionPoolerError extends Error {
  override readonly name = 'TransactionPoolerError';
  /** Named like the codes of the driver's errors. */
  readonly code = 'TRANSACTION_POOLER';

  constructor() {
    super('the address leads to a pooler that does not keep sessions');
  }
}

/**
 * The number of rounds. Each round can show that the pooler shares sessions. In one round, another client of a busy
 * pooler may hide it.
 */
const ROUNDS = 5;

const CONNECT_WITHIN_MS = 5_000;

/**
 * Finds what an open connection leads to. At the start of a connection a server names its own process, and a pooler
 * invents a number. A second connection then shows whether the first keeps its session while it is idle. Over a direct
 * connection this costs one statement.
 * @throws TransactionPoolerError
 */
export async function findRoute(first: pg.Client, connector: Connector): Promise<Route> {
  const pid = await readPid(first);
  if (pid === (first as { processID?: number | null }).processID) return 'server';
  const second = await connector.connect({
    application_name: 'dialplane check',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
  });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await begin(second);
      if ((await readPid(second)) === pid || (await readPid(first)) !== pid) throw new TransactionPoolerError();
      await second.query('commit');
    }
    return 'session pooler';
  } finally {
    await second.end();
  }
}

async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return (rows[0] as { pid: number }).pid;
}

/** A pooler in statement mode refuses transactions altogether. */
async function begin(client: pg.Client): Promise<void> {
  try {
    await client.query('begin');
  } catch (error) {
    throw error instanceof Error && /statement pooling/.test(error.message) ? new TransactionPoolerError() : error;
  }
}
