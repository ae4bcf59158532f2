import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { OptOutSource } from './rules.ts';
import type { OptOut } from './schema.ts';

const COLUMNS = `'opt_out' as object, tenant_id, external_number, opted_out_at, source`;

const FIND = statement(
  'opt_outs_find',
  `select ${COLUMNS} from opt_outs where ledger_id = $1 and tenant_id = $2 and external_number = $3`,
);

export type OptOutKey = { tenantId: string; externalNumber: string };

export async function findOptOut(db: Db, { ledgerId }: Ledger, key: OptOutKey): Promise<OptOut | undefined> {
  const [row] = await db.query<OptOut>(FIND, [ledgerId, key.tenantId, key.externalNumber]);
  return row;
}

// A STOP of the person, or an opt-out from the carrier, replaces one set by the API or an import. Nothing else replaces
// an opt-out.
const INSERT = statement(
  'opt_outs_insert',
  `insert into opt_outs as o (ledger_id, tenant_id, external_number, source, opted_out_at)
   values ($1, $2, $3, $4, ledger_now($1))
   on conflict (ledger_id, tenant_id, external_number) do update
     set source = excluded.source, opted_out_at = excluded.opted_out_at
     where o.source in ('api', 'import') and excluded.source not in ('api', 'import')
   returning ${COLUMNS}`,
);

/** Stores an opt-out and returns it; undefined if there is one already that this one does not replace. */
export async function insertOptOut(
  tx: Tx,
  { ledgerId }: Ledger,
  key: OptOutKey,
  source: OptOutSource,
): Promise<OptOut | undefined> {
  const [row] = await tx.query<OptOut>(INSERT, [ledgerId, key.tenantId, key.externalNumber, source]);
  return row;
}

const DELETE = statement(
  'opt_outs_delete',
  `delete from opt_outs where ledger_id = $1 and tenant_id = $2 and external_number = $3
     and source = any($4::text[]) returning ${COLUMNS}`,
);

/** Deletes an opt-out that one of the sources set, and returns it; undefined if there is none. */
export async function deleteOptOut(
  tx: Tx,
  { ledgerId }: Ledger,
  key: OptOutKey,
  sources: readonly OptOutSource[],
): Promise<OptOut | undefined> {
  const [row] = await tx.query<OptOut>(DELETE, [ledgerId, key.tenantId, key.externalNumber, sources]);
  return row;
}

export type ListedOptOut = OptOut & { position: string };

const LIST = statement(
  'opt_outs_list',
  `select ${COLUMNS}, to_char(opted_out_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
   from opt_outs
   where ledger_id = $1 and ($2::text is null or tenant_id = $2)
     and ($3::timestamptz is null or (opted_out_at, tenant_id, external_number) < ($3, $4, $5))
   order by opted_out_at desc, tenant_id desc, external_number desc limit $6`,
);

export function listOptOuts(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, before, rows }: { tenantId: string | null; before: Position; rows: number },
): Promise<ListedOptOut[]> {
  const [at, tenant, number] = before ?? [];
  return db.query(LIST, [ledgerId, tenantId, at ?? null, tenant ?? null, number ?? null, rows]);
}
