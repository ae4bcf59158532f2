/** The tables that a move copies, in the order in which rows can be inserted: referenced tables first. */
import { LEDGER_TABLES } from '../../../db/ledger-tables.ts';

/** A table of a move, and the column that says whose a row is. */
export type MovedTable = {
  readonly table: string;
  readonly column: 'ledger_id' | 'account_id';
  /**
   * Columns whose update is refused during a move; all without it. With an empty list nothing of the table is refused:
   * it has what a process notes about several accounts with one statement.
   */
  readonly refusedColumns?: readonly string[];
};

/** Notes of processes: of requests, actions and open sockets. */
const NOTES = new Set(['web_client_sessions', 'audit_log', 'request_log']);

const ofLedger = (table: string): MovedTable => ({
  table,
  column: 'ledger_id',
  ...(NOTES.has(table) && { refusedColumns: [] }),
});

/** A key is marked as used by each read. */
const KEYS: MovedTable = {
  table: 'api_keys',
  column: 'ledger_id',
  refusedColumns: ['revoked_at', 'expires_at', 'name', 'permissions', 'rate_limit', 'tenant_id'],
};

export const MOVED_TABLES: readonly MovedTable[] = [
  { table: 'users', column: 'account_id' },
  KEYS,
  ...[...LEDGER_TABLES, 'balance_entries', 'balances', 'audit_log', 'request_log'].reverse().map(ofLedger),
];

/** SQL of the rows of the account, by its id or the ids of its ledgers as $1. */
export function whose(column: MovedTable['column']): string {
  return column === 'ledger_id' ? 'ledger_id = any($1::integer[])' : 'account_id = $1';
}

export function idsOf(
  column: MovedTable['column'],
  { accountId, ledgerIds }: { readonly accountId: string; readonly ledgerIds: readonly number[] },
): string | readonly number[] {
  return column === 'ledger_id' ? ledgerIds : accountId;
}

/** True if rows of the table may come during the pause: it has notes about reads and open sockets. */
export const isNotes = ({ refusedColumns }: MovedTable): boolean => refusedColumns?.length === 0;

/**
 * Tables that a move leaves in the old database, so that addresses and keys there lead to the new one. A move back
 * replaces their rows.
 */
export const TABLES_THAT_STAY: ReadonlySet<string> = new Set(['api_keys', 'opt_in_slugs']);

/** Tables whose rows hold an account where its connections to carriers are. */
export const HOLDING_TABLES = [
  { table: 'live_numbers', what: 'live numbers' },
  { table: 'carrier_requests', what: 'requests to a carrier' },
  { table: 'telnyx_profiles', what: 'messaging profiles at Telnyx' },
  { table: 'telnyx_registrations', what: 'registrations at Telnyx' },
  { table: 'telnyx_port_ins', what: 'port-ins at Telnyx' },
  { table: 'telnyx_documents', what: 'documents at Telnyx' },
  { table: 'telnyx_legs', what: 'calls at Telnyx' },
  { table: 'telnyx_playbacks', what: 'calls at Telnyx' },
  { table: 'telnyx_recordings', what: 'recordings at Telnyx' },
  { table: 'sip_legs', what: 'calls of SIP trunks' },
  { table: 'sip_playbacks', what: 'calls of SIP trunks' },
  { table: 'sip_recordings', what: 'recordings of SIP trunks' },
  { table: 'sip_streams', what: 'streams of SIP trunks' },
] as const;

/** Columns of moved tables that refer to a connection to a carrier. */
export const HOLDING_COLUMNS = [
  {
    table: 'phone_numbers',
    columns: ['connection_id', 'messaging_connection_id', 'voice_connection_id', 'e911_connection_id'],
    what: 'numbers',
  },
  { table: 'brands', columns: ['connection_id'], what: 'brands' },
  { table: 'e911_addresses', columns: ['connection_id'], what: 'emergency addresses' },
  { table: 'port_ins', columns: ['connection_id'], what: 'port-ins' },
] as const;
