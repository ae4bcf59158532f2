import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement, type Which, whichStatement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import type { WebClient } from './schema.ts';

const COLUMNS = `w.id, 'web_client' as object, w.tenant_id, w.name, w.e911_address_id, w.sip_username, w.status, w.created_at`;

const INSERT = statement(
  'web_clients_insert',
  `insert into web_clients as w (ledger_id, id, tenant_id, name, sip_username, e911_address_id, status, created_at)
   values ($1, $2, $3, $4, $5, $6, 'active', ledger_now($1)) returning ${COLUMNS}`,
);

export type NewWebClient = {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string | null;
  readonly sipUsername: string;
  readonly addressId: string | null;
};

export async function insertWebClient(tx: Tx, { ledgerId }: InLedger, client: NewWebClient): Promise<WebClient> {
  const { id, tenantId, name, sipUsername, addressId } = client;
  const [row] = await tx.query<WebClient>(INSERT, [ledgerId, id, tenantId, name, sipUsername, addressId]);
  return row as WebClient;
}

const FIND = statement('web_clients_find', `select ${COLUMNS} from web_clients w where ledger_id = $1 and id = $2`);

/** Returns a web client, active or revoked. */
export async function findWebClient(db: Db, { ledgerId }: InLedger, id: string): Promise<WebClient | undefined> {
  const [row] = await db.query<WebClient>(FIND, [ledgerId, id]);
  return row;
}

/** Returns a web client that can log in and be dialled. */
export async function findActiveWebClient(db: Db, ledger: InLedger, id: string): Promise<WebClient | undefined> {
  const found = await findWebClient(db, ledger, id);
  return found?.status === 'active' ? found : undefined;
}

const ACTIVE = statement(
  'web_clients_active',
  `select id, tenant_id from web_clients where ledger_id = $1 and id = any($2::text[]) and status = 'active'`,
);

/** Returns the given web clients that are active, by their ids. */
export async function listActiveWebClients(
  db: Db,
  { ledgerId }: InLedger,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<WebClient, 'id' | 'tenant_id'>>> {
  const rows = await db.query<Pick<WebClient, 'id' | 'tenant_id'>>(ACTIVE, [ledgerId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

const readList = tenantReader<WebClient>({
  name: 'web_clients_list',
  from: ['web_clients', 'w'],
  columns: COLUMNS,
});

export function listWebClients(
  db: Db,
  { ledgerId }: InLedger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<WebClient[]> {
  return readList(db, ledgerId, page);
}

const revoke = whichStatement(
  'web_clients_revoke',
  (which) => `update web_clients w set status = 'revoked'
   where ledger_id = $1 and ${which} and status = 'active'
   returning ${COLUMNS}`,
);

/** Revokes one web client, or all of a tenant. Returns the web clients that were active. */
export function revokeWebClientRows(tx: Tx, { ledgerId }: InLedger, which: Which): Promise<WebClient[]> {
  const [statement, value] = revoke(which);
  return tx.query<WebClient>(statement, [ledgerId, value]);
}
