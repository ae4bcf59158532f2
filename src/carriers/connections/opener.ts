/** Opens connections as their rows state, and closes disabled ones. */
import type { Logger } from 'pino';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Adapter, ConnectedCarrier } from '../adapter.ts';
import type { Carrier } from '../ports/carrier.ts';
import { openCredentials } from './credentials.ts';
import type { ConnectionRow, ConnectionStatus } from './queries.ts';

/** A connection that this process can use. */
export type OpenConnection = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly status: ConnectionStatus;
  /** The settings and credentials that opened it. */
  readonly openedWith: string;
  readonly connected: ConnectedCarrier;
};

export type OpenerOptions = {
  readonly cipher: Cipher;
  readonly log: Logger;
  readonly clock: Clock;
  /** The kinds of carriers, by name. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Adds the wrappers that all ports of connections have: measurement and limits. */
  readonly wrap: (carrier: Carrier, connectionId: string) => Carrier;
};

/** A failed change of a connection: its target state, and the time of the next attempt. */
type Failure = { readonly wanted: string; readonly againAtMs: number };

const AGAIN_MS = 60_000;
/** How long a start or an end may take at most, because the other connections wait for it. */
const STEP_MS_MAX = 5_000;

/**
 * Creates an opener. A failure is tried again after a minute, or immediately if the operator has changed the
 * connection. If the settings of a connection have changed, it is closed and opened with the new settings.
 */
export function createOpener(options: OpenerOptions) {
  const { log, clock } = options;
  const failures = new Map<string, Failure>();
  const opener = {
    /** True if connections are started, so that they receive reports. */
    listens: false,
    /**
     * Returns the connection in the state of its row; undefined if it cannot be opened. `known` is its earlier state.
     */
    follow: async (row: ConnectionRow, known: OpenConnection | undefined): Promise<OpenConnection | undefined> => {
      const failure = failures.get(row.id);
      const isAsWanted = known?.status === row.status && known.openedWith === fieldsOf(row);
      if (failure === undefined && isAsWanted) return known;
      const wanted = `${row.status} ${fieldsOf(row)}`;
      if (failure?.wanted === wanted && clock.now() < failure.againAtMs) return known;
      try {
        const opened = await move(options, { row, known, listens: opener.listens });
        failures.delete(row.id);
        return opened;
      } catch (error) {
        failures.set(row.id, { wanted, againAtMs: clock.now() + AGAIN_MS });
        log.error(
          { err: error, connection: row.name, status: row.status, was: known?.status ?? 'closed' },
          'the connection could not be opened or closed; the next attempt follows in 60 s',
        );
        // A disabled connection takes no requests, even if its end has failed.
        return known && row.status === 'disabled' ? { ...known, status: 'disabled' } : known;
      }
    },
    /**
     * Closes a connection whose row is gone: it has moved to another database with its account. A process that reads
     * the rows during the move finds it disabled first; a process whose database was away then does not.
     */
    leave: async ({ id, name, status, connected }: OpenConnection): Promise<void> => {
      failures.delete(id);
      if (status === 'disabled') return;
      await inTime(connected.close?.()).catch((error: unknown) => {
        log.warn(
          { err: error, connection: name },
          'the connection that is not in this database any more was not closed',
        );
      });
    },
  };
  return opener;
}

type Move = { readonly row: ConnectionRow; readonly known: OpenConnection | undefined; readonly listens: boolean };

function fieldsOf({ settings, credentials }: ConnectionRow): string {
  return `${JSON.stringify(settings)} ${credentials.toString('base64')}`;
}

/** Starts or ends a connection, according to its status. Throws the adapter's error. */
async function move(options: OpenerOptions, { row, known, listens }: Move): Promise<OpenConnection> {
  const { id, kind, name, account_id: accountId, status } = row;
  const isOpen = known !== undefined && known.status !== 'disabled';
  const openedWith = fieldsOf(row);
  if (status === 'disabled') {
    const connected = known?.connected ?? connect(options, row);
    await inTime(connected.close?.());
    return { id, kind, name, accountId, status, openedWith, connected };
  }
  if (isOpen && known.openedWith === openedWith) return { ...known, status };
  // A closed connection cannot be opened again. A new one replaces it.
  const connected = connect(options, row);
  if (isOpen) {
    await inTime(known.connected.close?.()).catch((error: unknown) => {
      options.log.warn({ err: error, connection: name }, 'the connection with the earlier settings was not closed');
    });
  }
  try {
    if (listens) await inTime(connected.start?.());
  } catch (error) {
    // The next attempt makes a new connection, so this one's open parts are closed.
    ignoreError(Promise.resolve(connected.close?.()), options.log, 'a connection that did not start was not closed');
    throw error;
  }
  return { id, kind, name, accountId, status, openedWith, connected };
}

async function inTime(work: Promise<void> | undefined): Promise<void> {
  if (work === undefined || (await endsWithin(work, STEP_MS_MAX))) return;
  throw new Error(`the connection's start or end took more than ${STEP_MS_MAX} ms`);
}

/** Opens a connection. Throws if this program has no adapter for it, or cannot read its credentials. */
function connect({ adapters, cipher, wrap }: OpenerOptions, row: ConnectionRow): ConnectedCarrier {
  const adapter = adapters.get(row.kind);
  if (adapter === undefined) throw new Error(`this version has no adapter of the kind ${row.kind}`);
  const { id, name, settings } = row;
  const connected = adapter.connect({ id, name, settings, credentials: openCredentials(cipher, row) });
  return { ...connected, carrier: wrap(connected.carrier, id) };
}
