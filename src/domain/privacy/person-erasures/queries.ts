import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { nextPendingOf } from '../next-queries.ts';
import type { ErasureCounts, PersonErasure } from './schema.ts';

type InLedger = { readonly ledgerId: number };

const NOTHING: ErasureCounts = {
  messages: 0,
  conversations: 0,
  notes: 0,
  contacts: 0,
  calls: 0,
  recordings: 0,
  voicemails: 0,
  opt_in_submissions: 0,
  events: 0,
};

/** Erasures of earlier versions have no count of notes. */
const COUNTS = `('{"notes": 0}'::jsonb || counts::jsonb) as counts`;

const COLUMNS = `id, 'person_erasure' as object, tenant_id, status, ${COUNTS}, created_at, completed_at`;

const INSERT = statement(
  'person_erasures_insert',
  `insert into person_erasures (ledger_id, id, tenant_id, external_number, status, counts, created_at)
   values ($1, $2, $3, $4, 'pending', $5, ledger_now($1)) returning ${COLUMNS}`,
);

export async function insertErasure(
  tx: Tx,
  { ledgerId }: InLedger,
  { id, tenantId, externalNumber }: Record<'id' | 'tenantId' | 'externalNumber', string>,
): Promise<PersonErasure> {
  const values = [ledgerId, id, tenantId, externalNumber, JSON.stringify(NOTHING)];
  const [row] = await tx.query<PersonErasure>(INSERT, values);
  return row as PersonErasure;
}

const FIND = statement(
  'person_erasures_find',
  `select ${COLUMNS} from person_erasures where ledger_id = $1 and id = $2`,
);

export async function findErasure(db: Db, { ledgerId }: InLedger, id: string): Promise<PersonErasure | undefined> {
  const [row] = await db.query<PersonErasure>(FIND, [ledgerId, id]);
  return row;
}

const readList = tenantReader<PersonErasure>({
  name: 'person_erasures_list',
  from: ['person_erasures', 'e'],
  columns: COLUMNS,
});

export function listErasures(
  db: Db,
  { ledgerId }: InLedger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<PersonErasure[]> {
  return readList(db, ledgerId, page);
}

const LOCK = statement(
  'person_erasures_lock',
  `select tenant_id, external_number, ${COUNTS}, created_at::text as until from person_erasures
   where ledger_id = $1 and id = $2 and status = 'pending' for update`,
);

/** A running erasure. It spares content that is younger than `until`. */
export type PendingErasure = {
  readonly tenant_id: string;
  readonly external_number: string;
  readonly counts: ErasureCounts;
  readonly until: string;
};

export async function lockPending(tx: Tx, { ledgerId }: InLedger, id: string): Promise<PendingErasure | undefined> {
  const [row] = await tx.query<PendingErasure>(LOCK, [ledgerId, id]);
  return row;
}

const COUNT = statement(
  'person_erasures_count',
  'update person_erasures set counts = $3 where ledger_id = $1 and id = $2',
);

export async function keepCounts(tx: Tx, { ledgerId }: InLedger, id: string, counts: ErasureCounts): Promise<void> {
  await tx.query(COUNT, [ledgerId, id, JSON.stringify(counts)]);
}

const COMPLETE = statement(
  'person_erasures_complete',
  `update person_erasures set status = 'completed', external_number = null, completed_at = ledger_now($1)
   where ledger_id = $1 and id = $2`,
);

/** Ends an erasure, and deletes the number of its person. */
export async function completeErasure(tx: Tx, { ledgerId }: InLedger, id: string): Promise<void> {
  await tx.query(COMPLETE, [ledgerId, id]);
}

/** Finds the oldest erasures of a tenant that are pending. */
export const nextErasures = nextPendingOf('person_erasures');

const THIS = statement('transactions_this', 'select pg_current_xact_id()::text as id');

/** Returns the id of the transaction, for `isSettled`. */
export async function thisTransaction(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ id: string }>(THIS, []);
  return (row as { id: string }).id;
}

const SETTLED = statement(
  'transactions_settled',
  'select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as is_settled',
);

/** Returns true once every transaction that is older than a given one has ended. */
export async function isSettled(tx: Tx, transactionId: string): Promise<boolean> {
  const [row] = await tx.query<{ is_settled: boolean }>(SETTLED, [transactionId]);
  return row?.is_settled === true;
}
