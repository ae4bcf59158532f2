import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { nextPendingOf } from '../next-queries.ts';
import type { PersonExport } from './schema.ts';

export type InLedger = { readonly ledgerId: number };

/** How long the file of an export is kept, in ledger time. */
const KEPT = '7 days';

const COLUMNS = `id, 'person_export' as object, tenant_id, status, blob_key, created_at`;

/** An export as it is stored. */
export type ExportRow = Omit<PersonExport, 'download_url'> & { readonly blob_key: string | null };

const INSERT = statement(
  'person_exports_insert',
  `insert into person_exports (ledger_id, id, tenant_id, external_number, status, created_at)
   values ($1, $2, $3, $4, 'pending', ledger_now($1)) returning ${COLUMNS}`,
);

export async function insertExport(
  tx: Tx,
  { ledgerId }: InLedger,
  { id, tenantId, externalNumber }: Record<'id' | 'tenantId' | 'externalNumber', string>,
): Promise<ExportRow> {
  const [row] = await tx.query<ExportRow>(INSERT, [ledgerId, id, tenantId, externalNumber]);
  return row as ExportRow;
}

const FIND = statement('person_exports_find', `select ${COLUMNS} from person_exports where ledger_id = $1 and id = $2`);

export async function findExport(db: Db, { ledgerId }: InLedger, id: string): Promise<ExportRow | undefined> {
  const [row] = await db.query<ExportRow>(FIND, [ledgerId, id]);
  return row;
}

const readList = tenantReader<ExportRow>({
  name: 'person_exports_list',
  from: ['person_exports', 'e'],
  columns: COLUMNS,
});

export function listExports(
  db: Db,
  { ledgerId }: InLedger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<ExportRow[]> {
  return readList(db, ledgerId, page);
}

const PENDING = statement(
  'person_exports_pending',
  `select tenant_id as "tenantId", external_number as number from person_exports
   where ledger_id = $1 and id = $2 and status = 'pending'`,
);

export type ExportedPerson = InLedger & { readonly tenantId: string; readonly number: string };

export async function findPending(db: Db, { ledgerId }: InLedger, id: string): Promise<ExportedPerson | undefined> {
  const [row] = await db.query<Omit<ExportedPerson, 'ledgerId'>>(PENDING, [ledgerId, id]);
  return row && { ...row, ledgerId };
}

/** Finds the oldest exports of a tenant that are pending. */
export const nextExports = nextPendingOf('person_exports');

const SETTLE = statement(
  'person_exports_settle',
  `update person_exports set status = $3, blob_key = $4, completed_at = ledger_now($1)
   where ledger_id = $1 and id = $2 and status = 'pending' returning 1 as settled`,
);

/** Records the end of an export. Returns false if an erasure has deleted the export. */
export async function settleExport(
  tx: Tx,
  { ledgerId }: InLedger,
  { id, status, key }: { readonly id: string; readonly status: 'completed' | 'failed'; readonly key: string | null },
): Promise<boolean> {
  return (await tx.query(SETTLE, [ledgerId, id, status, key])).length > 0;
}

const EXPIRE = statement(
  'person_exports_expire',
  `with old as materialized (
     select e.ledger_id, e.id, e.blob_key from ledgers l cross join lateral (
       select ledger_id, id, blob_key from person_exports
       where ledger_id = l.id and blob_key is not null
         and created_at < statement_timestamp() + l.clock_offset - interval '${KEPT}'
       order by created_at limit $1::int) e
     limit $1::int
   )
   update person_exports x set blob_key = null from old where x.ledger_id = old.ledger_id and x.id = old.id
   returning old.blob_key`,
);

/** Removes the files from exports that are past their time. Returns the keys of the files. */
export async function expireExports(tx: Tx, rowsMax: number): Promise<string[]> {
  return (await tx.query<{ blob_key: string }>(EXPIRE, [rowsMax])).map(({ blob_key }) => blob_key);
}

const DELETE = statement(
  'person_exports_delete',
  `delete from person_exports where ledger_id = $1 and (tenant_id || '/' || external_number) = $2::text || '/' || $3::text
   returning blob_key`,
);

/** Deletes the exports of a person. Returns the keys of their files. */
export async function deleteExports(tx: Tx, { ledgerId, tenantId, number }: ExportedPerson): Promise<string[]> {
  const rows = await tx.query<{ blob_key: string | null }>(DELETE, [ledgerId, tenantId, number]);
  return rows.flatMap(({ blob_key }) => blob_key ?? []);
}
