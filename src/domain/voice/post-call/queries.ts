import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';

/** What the work after a call needs to know of it. */
export type FollowedCall = {
  readonly tenant_id: string;
  readonly from: string;
  readonly direction: 'inbound' | 'outbound';
  readonly duration_seconds: number | null;
  readonly ended_at: Date | null;
  readonly summary: string | null;
};

export const FOLLOWED_COLUMNS = 'tenant_id, "from", direction, duration_seconds, ended_at, summary';

const LOCK = statement(
  'calls_lock_for_follow_up',
  `select ${FOLLOWED_COLUMNS} from calls where ledger_id = $1 and id = $2 for no key update`,
);

/**
 * Holds a call while something that came of it is written: whoever writes of a call does so after another, and holds
 * the call before the job.
 */
export async function lockCall(tx: Tx, { ledgerId }: InLedger, id: string): Promise<FollowedCall | undefined> {
  const [row] = await tx.query<FollowedCall>(LOCK, [ledgerId, id]);
  return row;
}
