/**
 * The connections of this process. Every request for a carrier is answered from memory; the rows are read again every
 * two seconds, so a command of the operator takes effect in every process soon after.
 */
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import type { Cipher } from '../../lib/cipher.ts';
import { ApiError } from '../../lib/errors.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Adapter, ConnectedCarrier } from '../adapter.ts';
import type { Carrier, CarrierCapability } from '../ports/carrier.ts';
import { openCredentials } from './credentials.ts';
import { type ConnectionRow, type ConnectionStatus, listConnections, listDefaults } from './queries.ts';

/** A connection that this process can use. */
export type OpenConnection = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly status: ConnectionStatus;
  readonly connected: ConnectedCarrier;
};

export type ConnectionDirectory = {
  /** Reads the rows, opens new connections and closes those that are disabled. */
  refresh(): Promise<void>;
  /** Reads the rows now, and from then on every two seconds. `listen`: connections are started, to be heard. */
  start(options: { listen: boolean }): Promise<void>;
  find(id: string): OpenConnection | undefined;
  /** Returns the connection for something new. Throws carrier_unavailable (ApiError). */
  choose(capability: CarrierCapability, ledger: Ledger): OpenConnection;
  list(): readonly OpenConnection[];
  close(): Promise<void>;
};

type DirectoryOptions = {
  readonly db: Db;
  readonly cipher: Cipher;
  readonly log: Logger;
  /** By kind. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Adds what every port of a connection has: measuring, bounds. */
  readonly wrap: (carrier: Carrier, connectionId: string) => Carrier;
};

const REFRESH_MS = 2_000;

/** Creates the directory. It is empty until its first refresh. */
export function createConnectionDirectory(options: DirectoryOptions): ConnectionDirectory {
  const { db, log } = options;
  const opener = createOpener(options);
  let open: ReadonlyMap<string, OpenConnection> = new Map();
  let defaults: ReadonlyMap<string, string> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;

  const read = async () => {
    const [rows, chosen] = [await listConnections(db), await listDefaults(db)];
    const followed = await Promise.all(rows.map((row) => opener.follow(row, open.get(row.id))));
    open = new Map(followed.flatMap((connection) => (connection === undefined ? [] : [[connection.id, connection]])));
    defaults = new Map(
      chosen.map(({ capability, account_id, connection_id }) => [keyOf(capability, account_id), connection_id]),
    );
  };
  // Of two refreshes at a time, both would open the same connection.
  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return {
    refresh,
    start: async ({ listen }) => {
      opener.listens = listen;
      await refresh();
      timer = setInterval(() => {
        ignoreError(refresh(), log, 'connections stay as they are until the database answers');
      }, REFRESH_MS).unref();
    },
    find: (id) => open.get(id),
    choose: (capability, { accountId }) => {
      const id = defaults.get(keyOf(capability, accountId)) ?? defaults.get(keyOf(capability, null));
      const chosen = id === undefined ? undefined : open.get(id);
      if (chosen?.status !== 'active' || !(capability in chosen.connected.carrier)) throw unavailable();
      return chosen;
    },
    list: () => [...open.values()],
    close: async () => {
      clearInterval(timer);
      await reading?.catch(() => undefined);
      await Promise.all([...open.values()].map(({ connected }) => connected.close?.()));
    },
  };
}

/** Opens connections as their rows say, and closes those that are disabled. */
function createOpener(options: DirectoryOptions) {
  const { log } = options;
  /** Connections that could not be opened: they are reported once, not at every refresh. */
  const failed = new Set<string>();
  const opener = {
    listens: false,
    follow: async (row: ConnectionRow, known: OpenConnection | undefined): Promise<OpenConnection | undefined> => {
      if (known?.status === row.status || failed.has(row.id)) return known;
      try {
        const connected = known?.connected ?? connect(options, row);
        const wasHeard = opener.listens && known !== undefined && known.status !== 'disabled';
        if (row.status === 'disabled') await connected.close?.();
        else if (opener.listens && !wasHeard) await connected.start?.();
        const { id, kind, name, account_id: accountId, status } = row;
        return { id, kind, name, accountId, status, connected };
      } catch (error) {
        failed.add(row.id);
        log.error({ err: error, connection: row.name }, 'the connection cannot be opened; it is not used');
        return undefined;
      }
    },
  };
  return opener;
}

/** Opens a connection. Throws if this program has no adapter for it, or cannot read its credentials. */
function connect({ adapters, cipher, wrap }: DirectoryOptions, row: ConnectionRow): ConnectedCarrier {
  const adapter = adapters.get(row.kind);
  if (adapter === undefined) throw new Error(`this version has no adapter of the kind ${row.kind}`);
  const { id, name, settings } = row;
  const connected = adapter.connect({ id, name, settings, credentials: openCredentials(cipher, row) });
  return { ...connected, carrier: wrap(connected.carrier, id) };
}

function keyOf(capability: CarrierCapability, accountId: string | null): string {
  return `${capability} ${accountId ?? ''}`;
}

/** The error of what needs a connection that is not there, or takes nothing. */
export function unavailable(): ApiError {
  return new ApiError('carrier_unavailable', { retryAfterS: 60 });
}
