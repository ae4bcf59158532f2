import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';

// Amounts go to and from SQL as text: a JavaScript number would round them.

/** The balance of ledger $1 in micro-dollars, as text; 0 without entries. */
export const BALANCE_SQL = 'coalesce((select amount_micros from balances where ledger_id = $1), 0)::text';

const FIND = statement('balances_find', `select ${BALANCE_SQL} as amount`);

/** Returns the balance in micro-dollars; 0 without entries. */
export async function findBalance(db: Db, { ledgerId }: Ledger): Promise<bigint> {
  const [row] = await db.query<{ amount: string }>(FIND, [ledgerId]);
  return BigInt(row?.amount ?? 0);
}

const LOCK = statement(
  'balances_lock',
  `insert into balances as b (ledger_id) select id from ledgers where id = $1 and mode = 'live'
   on conflict (ledger_id) do update set amount_micros = b.amount_micros returning amount_micros::text as amount`,
);

/** Like `findBalance`, but locks the balance until the transaction ends. Only for live ledgers. */
export async function lockBalance(tx: Tx, { ledgerId }: Ledger): Promise<bigint> {
  const [row] = await tx.query<{ amount: string }>(LOCK, [ledgerId]);
  if (row === undefined) throw new Error(`ledger ${ledgerId} is not live: it has no balance`);
  return BigInt(row.amount);
}

/** An entry to post: credits are above 0, charges below. `reference` is unique in the ledger. */
export type NewEntry = {
  readonly kind: string;
  readonly amountMicros: bigint;
  readonly reference: string;
  readonly description: string;
};

const ENTRIES = inputOf<NewEntry>('balance_entries', {
  id: ['text', () => newId('balance_entry')],
  kind: ['text', ({ kind }) => kind],
  amount: ['bigint', ({ amountMicros }) => amountMicros],
  reference: ['text', ({ reference }) => reference],
  description: ['text', ({ description }) => description],
});

type PostValues = { readonly ledger_id: number; readonly balance_entries: readonly NewEntry[] };

// An earlier statement must have locked the balance, so that this statement's snapshot has all earlier entries.
const POST = statement<PostValues, { readonly reference: string; readonly balance_after: string }>(
  'balance_entries_post',
  `with input as (
     select * from ${ENTRIES.rows('i', 'n')}
   ), fresh as materialized (
     select *, sum(amount) over (order by n) as running from input i
     where not exists (select 1 from balance_entries e where e.ledger_id = :ledger_id and e.reference = i.reference)
   ), moved as (
     update balances set amount_micros = amount_micros + (select sum(amount) from fresh)
     where ledger_id = :ledger_id and exists (select 1 from fresh)
   ), written as (
     insert into balance_entries (ledger_id, id, kind, amount_micros, balance_after_micros, reference, description,
       created_at)
     select :ledger_id, f.id, f.kind, f.amount, b.amount_micros + f.running, f.reference, f.description,
       ledger_now(:ledger_id)
     from fresh f join balances b on b.ledger_id = :ledger_id
     returning reference, balance_after_micros::text as balance_after
   )
   select w.reference, w.balance_after from written w join fresh f using (reference) order by f.n`,
);

/** Changes the balance and inserts its entries in one statement. Skips entries whose reference exists. */
export async function insertEntries(
  tx: Tx,
  { ledgerId }: Ledger,
  entries: readonly NewEntry[],
): Promise<{ reference: string; balanceAfter: bigint }[]> {
  const rows = await tx.query(POST, { ledger_id: ledgerId, balance_entries: entries });
  return rows.map((row) => ({ reference: row.reference, balanceAfter: BigInt(row.balance_after) }));
}

const readList = listReader<EntryRow>(
  {
    name: 'balance_entries_list',
    from: ['balance_entries', 'b'],
    columns: `b.id, b.kind, b.amount_micros::text as amount, b.balance_after_micros::text as balance_after, b.reference,
      b.description, b.created_at`,
  },
  { name: 'ledger', keys: [] },
);

export type EntryRow = {
  id: string;
  kind: string;
  amount: string;
  balance_after: string;
  reference: string;
  description: string;
  created_at: Date;
};

/** Lists entries, newest first. */
export function listEntries(
  db: Db,
  { ledgerId }: Ledger,
  page: { before: string | null; rows: number },
): Promise<EntryRow[]> {
  return readList(db, ledgerId, page);
}
