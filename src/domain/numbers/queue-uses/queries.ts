/** Which routing configs and queues lead to a queue. */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';

type QueueUses = {
  /** The routing config, or the queue by its overflow. */
  readonly userId: string;
  readonly queueIds: readonly string[];
};

const WRITE = statement<{ ledger_id: number; user_id: string; queue_ids: readonly string[] }>(
  'queue_uses_write',
  `with dropped as (
     delete from queue_uses where ledger_id = :ledger_id and user_id = :user_id and queue_id <> all(:queue_ids::text[])
   )
   insert into queue_uses (ledger_id, user_id, queue_id)
   select :ledger_id, :user_id, queue_id from unnest(:queue_ids::text[]) as i (queue_id)
   on conflict do nothing`,
);

/**
 * Replaces the queues that a routing config or a queue leads to. A queue cannot be deleted while another resource leads
 * to it.
 */
export async function writeQueueUses(tx: Tx, { ledgerId }: Ledger, { userId, queueIds }: QueueUses): Promise<void> {
  await tx.query(WRITE, { ledger_id: ledgerId, user_id: userId, queue_ids: queueIds });
}
