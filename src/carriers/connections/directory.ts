/**
 * The connections of this process. Every request for a carrier is answered from memory. The rows are read every two
 * seconds, so a command of the operator soon takes effect in every process.
 */
import type { Db } from '../../db/database.ts';
import { coalesce } from '../../lib/concurrency/coalesce.ts';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import type { Ledger } from '../../lib/scope.ts';
import { every, type Timer } from '../../lib/time/time.ts';
import type { CarrierCapability } from '../ports/carrier.ts';
import { createOpener, type OpenConnection, type OpenerOptions } from './opener.ts';
import { listConnections, listDefaults } from './queries.ts';

export type ConnectionDirectory = {
  /** Reads the rows as they are at the call or later. Opens new connections. Closes disabled and deleted ones. */
  refresh(): Promise<void>;
  /**
   * Reads the rows now, and then every two seconds. `listen`: connections are started, so that they receive reports.
   */
  start(options: { listen: boolean }): Promise<void>;
  /** False until the rows have been read once. Before that, no connection is found. */
  isRead(): boolean;
  find(id: string): OpenConnection | undefined;
  /** Returns the connection for a new object. Throws carrier_unavailable (ApiError). */
  choose(capability: CarrierCapability, ledger: Ledger): OpenConnection;
  list(): readonly OpenConnection[];
  close(): Promise<void>;
};

type DirectoryOptions = OpenerOptions & { readonly db: Db };

const REFRESH_MS = 2_000;

/** How long a stop waits for a database that does not answer. */
const READING_ENDS_WITHIN_MS = 1_000;

/** Creates the directory. It is empty until its first refresh. */
export function createConnectionDirectory(options: DirectoryOptions): ConnectionDirectory {
  const { db, log } = options;
  const opener = createOpener(options);
  let open: ReadonlyMap<string, OpenConnection> = new Map();
  let defaults: ReadonlyMap<string, string> = new Map();
  let isRead = false;
  let timer: Timer | undefined;
  let reading: Promise<void> | undefined;

  const read = async () => {
    const [rows, chosen] = [await listConnections(db), await listDefaults(db)];
    const ids = new Set(rows.map(({ id }) => id));
    const gone = [...open.values()].filter(({ id }) => !ids.has(id));
    const [followed] = await Promise.all([
      Promise.all(rows.map((row) => opener.follow(row, open.get(row.id)))),
      Promise.all(gone.map(opener.leave)),
    ]);
    open = new Map(followed.flatMap((connection) => (connection === undefined ? [] : [[connection.id, connection]])));
    defaults = new Map(
      chosen.map(({ capability, account_id, connection_id }) => [keyOf(capability, account_id), connection_id]),
    );
    isRead = true;
  };
  // Reads run one at a time, because two concurrent reads would open the same connection. Each caller gets the rows
  // that were stored before its call.
  const readAfterCall = coalesce(read);
  const refresh = (): Promise<void> => {
    reading = readAfterCall();
    return reading;
  };

  return {
    refresh,
    start: async ({ listen }) => {
      opener.listens = listen;
      await refresh();
      timer = every(REFRESH_MS, () => {
        ignoreError(refresh(), log, 'connections stay as they are until the database answers');
      }).unref();
    },
    isRead: () => isRead,
    find: (id) => open.get(id),
    choose: (capability, { accountId }) => {
      const id = defaults.get(keyOf(capability, accountId)) ?? defaults.get(keyOf(capability, null));
      const chosen = id === undefined ? undefined : open.get(id);
      if (chosen?.status !== 'active' || !(capability in chosen.connected.carrier)) throw unavailable();
      return chosen;
    },
    list: () => [...open.values()],
    close: async () => {
      timer?.cancel();
      if (reading !== undefined)
        await endsWithin(
          reading.catch(() => undefined),
          READING_ENDS_WITHIN_MS,
        );
      await Promise.all([...open.values()].map(({ connected }) => connected.close?.()));
    },
  };
}

function keyOf(capability: CarrierCapability, accountId: string | null): string {
  return `${capability} ${accountId ?? ''}`;
}

/** Returns the error for a request whose connection does not exist or takes no requests. */
export function unavailable(): ApiError {
  return new ApiError('carrier_unavailable', { retryAfterS: 60 });
}
