import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { deleteOldSql } from '../../../db/old-rows.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { SHOWN_BODY } from '../messages/queries.ts';
import type { Message } from '../messages/schema.ts';
import type { OptOutCandidate } from './schema.ts';

/** How long a text waits for a decision. */
const KEPT = '30 days';

// A person who is opted out of texts already needs no decision.
const INSERT = statement(
  'opt_out_candidates_insert',
  `insert into opt_out_candidates (ledger_id, message_id, tenant_id, external_number, created_at)
   select $1, $2, $3, $4, $5
   where not exists (
     select 1 from opt_outs
     where ledger_id = $1 and tenant_id = $3 and external_number = $4 and 'text' = any(channels))
   on conflict (ledger_id, message_id) do nothing`,
);

/** Lists a text for a decision. */
export async function insertCandidate(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, tenant_id, from, created_at }: Pick<Message, 'id' | 'tenant_id' | 'from' | 'created_at'>,
): Promise<void> {
  await tx.query(INSERT, [ledgerId, id, tenant_id, from, created_at]);
}

/** SQL of the deletion of a person's candidates. `$2` is the tenant, `$3` the external number. */
export const DECIDE_SQL = `delete from opt_out_candidates
     where ledger_id = $1 and tenant_id = $2 and external_number = $3`;

const COLUMNS = `c.message_id, 'opt_out_candidate' as object, c.tenant_id, c.external_number, (
    select ${SHOWN_BODY} from messages m where m.ledger_id = c.ledger_id and m.id = c.message_id) as body, c.created_at as at`;

const readList = tenantReader<OptOutCandidate>({
  name: 'opt_out_candidates_list',
  from: ['opt_out_candidates', 'c'],
  columns: COLUMNS,
  ids: ['message_id'],
  shown: `c.created_at > ledger_now(:ledger_id) - interval '${KEPT}'`,
});

/** Returns candidates, newest first. */
export function listCandidates(
  db: Db,
  { ledgerId }: Ledger,
  page: { readonly tenantId: string | null; readonly before: string | null; readonly rows: number },
): Promise<OptOutCandidate[]> {
  return readList(db, ledgerId, page);
}

const FIND = statement(
  'opt_out_candidates_find',
  `select tenant_id from opt_out_candidates
   where ledger_id = $1 and message_id = $2 and created_at > ledger_now($1) - interval '${KEPT}'`,
);

export async function findCandidate(
  db: Db,
  { ledgerId }: Ledger,
  messageId: string,
): Promise<{ readonly tenant_id: string } | undefined> {
  const [row] = await db.query<{ tenant_id: string }>(FIND, [ledgerId, messageId]);
  return row;
}

const DELETE = statement(
  'opt_out_candidates_delete',
  'delete from opt_out_candidates where ledger_id = $1 and message_id = $2',
);

export async function deleteCandidate(tx: Tx, { ledgerId }: Ledger, messageId: string): Promise<void> {
  await tx.query(DELETE, [ledgerId, messageId]);
}

const FORGET = statement('opt_out_candidates_forget', DECIDE_SQL);

/** Deletes the candidates of a person. */
export async function forgetCandidates(
  tx: Tx,
  { ledgerId, tenantId, number }: Pick<Ledger, 'ledgerId'> & { readonly tenantId: string; readonly number: string },
): Promise<void> {
  await tx.query(FORGET, [ledgerId, tenantId, number]);
}

const SWEEP = statement(
  'opt_out_candidates_sweep',
  deleteOldSql({ table: 'opt_out_candidates', column: 'created_at', kept: KEPT }),
);

/** Deletes candidates whose time is over. Returns how many. */
export async function sweepCandidates(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(SWEEP, [rowsMax])).length;
}
