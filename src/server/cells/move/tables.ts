/**
 * The tables that a move copies. A referenced table comes before the tables that refer to it, so rows can be inserted
 * in this order.
 */
import { LEDGER_TABLES } from '../../../db/ledger-tables.ts';
import { connectionsOf } from './connection-queries.ts';

/** A table of a move, and the column that names the owner of a row. */
export type MovedTable = {
  readonly table: string;
  readonly column: 'ledger_id' | 'account_id' | 'connection_id';
  /**
   * Columns that must not be updated during a move. If absent, no column may be updated. If empty, all writes to the
   * table are allowed: its rows are notes, and one statement of a process writes notes of several accounts.
   */
  readonly refusedColumns?: readonly string[];
  /** Expressions that are copied instead of the columns' values. */
  readonly copiedAs?: Readonly<Record<string, string>>;
};

/** Tables with notes that processes write: about requests, actions and open sockets. */
const NOTES = new Set(['web_client_sessions', 'audit_log', 'request_log']);

const ofLedger = (table: string): MovedTable => ({
  table,
  column: 'ledger_id',
  ...(NOTES.has(table) && { refusedColumns: [] }),
});

/** Each read with a key marks the key as used. So the column of that mark is not in this list. */
const KEYS: MovedTable = {
  table: 'api_keys',
  column: 'ledger_id',
  refusedColumns: ['revoked_at', 'expires_at', 'name', 'permissions', 'rate_limit', 'tenant_id'],
};

/** The account's own connections. A copy accepts no requests and no reports until the account is opened. */
const CONNECTIONS: MovedTable = {
  table: 'carrier_connections',
  column: 'account_id',
  copiedAs: { status: `'disabled'`, status_after_move: 'coalesce(status_after_move, status)' },
};

/** Tables with the account's resources at its connections. */
const TABLES_AT_CARRIERS = [
  ...['live_numbers', 'carrier_requests'],
  ...['telnyx_profiles', 'telnyx_registrations', 'telnyx_port_ins', 'telnyx_documents'],
  ...['telnyx_legs', 'telnyx_playbacks', 'telnyx_recordings'],
  ...['sip_legs', 'sip_playbacks', 'sip_recordings', 'sip_streams'],
];

/**
 * The engines of the account's own connections. A lease is not copied, because its owner is a process of the old
 * database.
 */
const ENGINES: MovedTable = {
  table: 'sip_engines',
  column: 'connection_id',
  copiedAs: { owner: 'null::text', owned_until: 'null::timestamptz', ready_at: 'null::timestamptz' },
};

const ofConnection = (table: string): MovedTable => ({ table, column: 'connection_id' });

export const MOVED_TABLES: readonly MovedTable[] = [
  CONNECTIONS,
  { table: 'carrier_defaults', column: 'account_id' },
  { table: 'users', column: 'account_id' },
  KEYS,
  ...[...LEDGER_TABLES, 'balance_entries', 'balances', 'audit_log', 'request_log'].reverse().map(ofLedger),
  ...TABLES_AT_CARRIERS.map(ofLedger),
  ...['carrier_inbox', 'telnyx_missed_reports', 'sip_registrations'].map(ofConnection),
  ENGINES,
];

/**
 * These tables are copied in the pause, after their rows were delayed. Before that, workers of the new database would
 * take the rows as work.
 */
export const ONLY_IN_PAUSE: ReadonlySet<string> = new Set(['jobs', 'lanes']);

/** SQL of the condition for the account's rows. $1 is its id, or the ids of its ledgers. */
export function whose(column: MovedTable['column']): string {
  if (column === 'ledger_id') return 'ledger_id = any($1::integer[])';
  return column === 'account_id' ? 'account_id = $1' : `connection_id in (${connectionsOf('$1')})`;
}

export function idsOf(
  column: MovedTable['column'],
  { accountId, ledgerIds }: { readonly accountId: string; readonly ledgerIds: readonly number[] },
): string | readonly number[] {
  return column === 'ledger_id' ? ledgerIds : accountId;
}

/** True if rows may be added to the table during the pause. These tables have notes about reads and open sockets. */
export const isNotes = ({ refusedColumns }: MovedTable): boolean => refusedColumns?.length === 0;

/**
 * Tables that a move keeps in the old database, so that addresses and keys there lead to the new database. A move back
 * replaces their rows.
 */
export const TABLES_THAT_STAY: ReadonlySet<string> = new Set(['api_keys', 'opt_in_slugs']);

/** The columns that refer to a connection. `what` names the rows for people. */
export const CONNECTION_COLUMNS = [
  {
    table: 'phone_numbers',
    columns: ['connection_id', 'messaging_connection_id', 'voice_connection_id', 'e911_connection_id'],
    what: 'numbers',
  },
  { table: 'brands', columns: ['connection_id'], what: 'brands' },
  { table: 'e911_addresses', columns: ['connection_id'], what: 'emergency addresses' },
  { table: 'port_ins', columns: ['connection_id'], what: 'port-ins' },
  ...TABLES_AT_CARRIERS.filter((table) => table !== 'live_numbers').map((table) => ({
    table,
    columns: ['connection_id'],
    what: table === 'carrier_requests' ? 'requests to a carrier' : `rows of ${table}`,
  })),
] as const;
