import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { CarrierCapability } from '../ports/carrier.ts';

/** active: takes all requests; draining: only completes its existing work; disabled: takes no requests. */
export type ConnectionStatus = 'active' | 'draining' | 'disabled';

/** A connection as stored. `credentials` is encrypted. */
export type ConnectionRow = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The only account that may use the connection; null for all accounts. */
  readonly account_id: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Buffer;
  readonly status: ConnectionStatus;
  readonly created_at: Date;
};

/** The connection for new objects of one account, or of the installation (`account_id` is null). */
export type DefaultRow = {
  readonly capability: CarrierCapability;
  readonly account_id: string | null;
  readonly connection_id: string;
};

const COLUMNS = 'id, kind, name, account_id, settings, credentials, status, created_at';

const LIST = statement('carrier_connections_list', `select ${COLUMNS} from carrier_connections order by id`);

/** Returns all connections of the installation, oldest first. There are few, because operators make them. */
export async function listConnections(db: Db): Promise<ConnectionRow[]> {
  return await db.query<ConnectionRow>(LIST, []);
}

const FIND = statement('carrier_connections_find', `select ${COLUMNS} from carrier_connections where name = $1`);

export async function findConnection(db: Db, name: string): Promise<ConnectionRow | undefined> {
  const [row] = await db.query<ConnectionRow>(FIND, [name]);
  return row;
}

const FIND_BY_ID = statement(
  'carrier_connections_find_by_id',
  `select ${COLUMNS} from carrier_connections where id = $1`,
);

export async function findConnectionById(db: Db, id: string): Promise<ConnectionRow | undefined> {
  const [row] = await db.query<ConnectionRow>(FIND_BY_ID, [id]);
  return row;
}

const LIST_DEFAULTS = statement(
  'carrier_defaults_list',
  'select capability, account_id, connection_id from carrier_defaults order by capability, account_id nulls first',
);

export async function listDefaults(db: Db): Promise<DefaultRow[]> {
  return await db.query<DefaultRow>(LIST_DEFAULTS, []);
}

const INSERT = statement(
  'carrier_connections_insert',
  `insert into carrier_connections (id, kind, name, account_id, settings, credentials)
   values ($1, $2, $3, $4, $5::json, $6) on conflict (name) do nothing returning ${COLUMNS}`,
);

type NewConnection = Pick<ConnectionRow, 'id' | 'kind' | 'name' | 'account_id' | 'settings' | 'credentials'>;

/** Adds a connection. Returns undefined if another connection has the name. */
export async function insertConnection(tx: Tx, made: NewConnection): Promise<ConnectionRow | undefined> {
  const { id, kind, name, account_id, settings, credentials } = made;
  const values = [id, kind, name, account_id, JSON.stringify(settings), credentials];
  const [row] = await tx.query<ConnectionRow>(INSERT, values);
  return row;
}

const MOVE = statement(
  'carrier_connections_move',
  `update carrier_connections set status = $2 where name = $1 returning ${COLUMNS}`,
);

/** Changes the status of a connection. Returns undefined if no connection has the name. */
export async function moveConnection(
  tx: Tx,
  name: string,
  status: ConnectionStatus,
): Promise<ConnectionRow | undefined> {
  const [row] = await tx.query<ConnectionRow>(MOVE, [name, status]);
  return row;
}

const CHANGE = statement(
  'carrier_connections_change',
  `update carrier_connections set settings = $2::json, credentials = $3 where id = $1`,
);

/** Replaces the settings and credentials of a connection. */
export async function changeConnection(
  tx: Tx,
  { id, settings, credentials }: Pick<ConnectionRow, 'id' | 'settings' | 'credentials'>,
): Promise<void> {
  await tx.query(CHANGE, [id, JSON.stringify(settings), credentials]);
}

const SET_DEFAULT = statement(
  'carrier_defaults_set',
  `insert into carrier_defaults (capability, account_id, connection_id) values ($1, $2, $3)
   on conflict (capability, account_id) do update set connection_id = excluded.connection_id`,
);

export async function setDefault(tx: Tx, { capability, account_id, connection_id }: DefaultRow): Promise<void> {
  await tx.query(SET_DEFAULT, [capability, account_id, connection_id]);
}

const TENANTS = statement(
  'carrier_connections_tenants',
  `select t.id, t.name, l.account_id from ledgers l
   join tenants t on t.ledger_id = l.id and t.id = any($1::text[]) and t.deleted_at is null where l.mode = 'live'`,
);

export type NamedTenant = { readonly id: string; readonly name: string; readonly account_id: string };

/** Returns tenants of live ledgers by their ids, except deleted ones. For operators, so the accounts may differ. */
export async function findLiveTenants(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, NamedTenant>> {
  const rows = await db.query<NamedTenant>(TENANTS, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}
