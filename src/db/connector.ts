import pg from 'pg';
import { readDatabaseAddress } from './address.ts';

/** Settings of the driver for every connection of one kind. */
type ConnectionSettings = Omit<pg.ClientConfig, 'connectionString' | 'ssl'>;

/** Opens connections to one address, and remembers whether the server takes TLS. */
export type Connector = {
  /** The pool's connections use TLS in the way that worked last. */
  readonly Client: typeof pg.Client;
  readonly connectionString: string;
  /**
   * Runs an attempt to connect. If the server refuses TLS, runs it again without TLS; if the server requires TLS, runs
   * it again with TLS.
   */
  attempt<T>(connect: () => Promise<T>): Promise<T>;
  /**
   * Opens a connection outside of any pool. The caller ends it. If the connection is lost, the running statement and
   * every later one fail.
   */
  connect(settings: ConnectionSettings): Promise<pg.Client>;
};

/** @throws DatabaseAddressError */
export function createConnector(url: string): Connector {
  const { connectionString, tlsUses } = readDatabaseAddress(url);
  let chosen = 0;
  class TlsClient extends pg.Client {
    constructor(settings: pg.ClientConfig = {}) {
      super({ ...settings, ssl: tlsUses[chosen] ?? false });
    }
  }
  const attempt: Connector['attempt'] = async (connect) => {
    const used = chosen;
    try {
      return await connect();
    } catch (error) {
      if (tlsUses.length === 1 || !isAboutTls(error)) throw error;
      if (chosen === used) chosen = 1 - used;
      return await connect().catch((second: unknown) => {
        throw isAboutTls(second) ? error : second;
      });
    }
  };
  return {
    Client: TlsClient,
    connectionString,
    attempt,
    connect: (settings) =>
      attempt(async () => {
        const client = new TlsClient({ ...settings, connectionString });
        // An event without a listener would end the process.
        client.on('error', () => undefined);
        try {
          await client.connect();
          return client;
        } catch (error) {
          // The socket of a refused connection would stay open.
          void client.end();
          throw error;
        }
      }),
  };
}

const HBA_REFUSES = '28000';

/**
 * Returns true if the other way may succeed: the server has no TLS, TLS fails, or pg_hba.conf requires the other way.
 */
function isAboutTls(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return code === HBA_REFUSES || /^ERR_(SSL|TLS)|^EPROTO$/.test(code) || /does not support SSL/.test(error.message);
}
