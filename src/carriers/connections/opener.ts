/** Opens connections as their rows say, and closes those that are disabled. */
import type { Logger } from 'pino';
import type { Cipher } from '../../lib/cipher.ts';
import type { Clock } from '../../lib/clock.ts';
import { endsWithin } from '../../lib/ends-within.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
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
  readonly connected: ConnectedCarrier;
};

export type OpenerOptions = {
  readonly cipher: Cipher;
  readonly log: Logger;
  readonly clock: Clock;
  /** By kind. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Adds what every port of a connection has: measuring, bounds. */
  readonly wrap: (carrier: Carrier, connectionId: string) => Carrier;
};

/** What a connection was to become when that failed. */
type Failure = { readonly status: ConnectionStatus; readonly againAtMs: number };

const AGAIN_MS = 60_000;
/** A start or an end may take this long: the other connections wait for it. */
const STEP_MS_MAX = 5_000;

/**
 * Creates an opener. What fails is tried again after a minute, and at once if the operator has changed the status in
 * between.
 */
export function createOpener(options: OpenerOptions) {
  const { log, clock } = options;
  const failures = new Map<string, Failure>();
  const opener = {
    /** True if connections are started, to be heard. */
    listens: false,
    /** Returns the connection as its row says; undefined if it cannot be opened. `known` is what it was before. */
    follow: async (row: ConnectionRow, known: OpenConnection | undefined): Promise<OpenConnection | undefined> => {
      const failure = failures.get(row.id);
      if (failure === undefined && known?.status === row.status) return known;
      if (failure?.status === row.status && clock.now() < failure.againAtMs) return known;
      try {
        const opened = await move(options, { row, known, listens: opener.listens });
        failures.delete(row.id);
        return opened;
      } catch (error) {
        failures.set(row.id, { status: row.status, againAtMs: clock.now() + AGAIN_MS });
        log.error(
          { err: error, connection: row.name, status: row.status, was: known?.status ?? 'closed' },
          'the connection could not be opened or closed; the next attempt follows in 60 s',
        );
        // A connection that the operator has disabled takes nothing, also if its end failed.
        return known && row.status === 'disabled' ? { ...known, status: 'disabled' } : known;
      }
    },
  };
  return opener;
}

type Move = { readonly row: ConnectionRow; readonly known: OpenConnection | undefined; readonly listens: boolean };

/** Starts or ends a connection, as its status asks. Throws what the adapter throws. */
async function move(options: OpenerOptions, { row, known, listens }: Move): Promise<OpenConnection> {
  const connected = known?.connected ?? connect(options, row);
  const wasHeard = listens && known !== undefined && known.status !== 'disabled';
  try {
    if (row.status === 'disabled') await inTime(connected.close?.());
    else if (listens && !wasHeard) await inTime(connected.start?.());
  } catch (error) {
    // The next attempt makes a new one, so what this one has opened is closed.
    if (known === undefined) {
      ignoreError(Promise.resolve(connected.close?.()), options.log, 'a connection that did not start was not closed');
    }
    throw error;
  }
  const { id, kind, name, account_id: accountId, status } = row;
  return { id, kind, name, accountId, status, connected };
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
