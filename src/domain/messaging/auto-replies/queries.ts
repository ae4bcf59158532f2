import type { Db, Tx } from '../../../db/database.ts';
import { deleteOldSql } from '../../../db/old-rows.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { REPLY_HOURS_MAX } from '../../tenants/index.ts';

type Claim = {
  readonly tenantId: string;
  /** E.164. */
  readonly person: string;
  /** The id of the text or the call that is answered. */
  readonly source: string;
  readonly hours: number;
};
type ClaimValues = {
  readonly ledger_id: number;
  readonly tenant_id: string;
  readonly person: string;
  readonly source: string;
  readonly hours: number;
};

const CLAIM = statement<ClaimValues>(
  'auto_replies_claim',
  `insert into auto_replies as a (ledger_id, tenant_id, external_number, source, replied_at)
   values (:ledger_id::int, :tenant_id, :person, :source, ledger_now(:ledger_id::int))
   on conflict (ledger_id, tenant_id, external_number) do update
     set source = excluded.source,
         replied_at = case when a.source = excluded.source then a.replied_at else excluded.replied_at end
     where a.source = excluded.source or a.replied_at <= excluded.replied_at - make_interval(hours => :hours::int)
   returning 1 as claimed`,
);

/** Claims the one reply that a person gets in a period. Returns false if another text or call has claimed it. */
export async function claimReply(db: Db, { ledgerId }: Ledger, claim: Claim): Promise<boolean> {
  const { tenantId, person, source, hours } = claim;
  const values = { ledger_id: ledgerId, tenant_id: tenantId, person, source, hours };
  return (await db.query(CLAIM, values)).length > 0;
}

const FORGET = statement(
  'auto_replies_forget',
  'delete from auto_replies where ledger_id = $1 and tenant_id = $2 and external_number = $3',
);

/** Forgets when a person was answered. */
export async function forgetReplies(
  tx: Tx,
  { ledgerId, tenantId, number }: Pick<Ledger, 'ledgerId'> & { readonly tenantId: string; readonly number: string },
): Promise<void> {
  await tx.query(FORGET, [ledgerId, tenantId, number]);
}

/** After the longest period, a row no longer prevents a reply. */
const KEPT = `${REPLY_HOURS_MAX} hours`;

const SWEEP = statement(
  'auto_replies_sweep',
  deleteOldSql({ table: 'auto_replies', column: 'replied_at', kept: KEPT }),
);

/** Deletes rows that no longer prevent a reply. Returns how many. */
export async function sweepReplies(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(SWEEP, [rowsMax])).length;
}
