import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { USAGE_COLUMNS } from '../../billing/index.ts';

// A message that failed before it reached the carrier costs nothing, however often its job ran.
const METER = statement(
  'messages_meter_accepted',
  `insert into usage_entries ${USAGE_COLUMNS}
   select m.ledger_id, case when json_array_length(m.media) > 0 then 'mms_outbound' else 'sms_segment_outbound' end, m.id,
     m.tenant_id, case when json_array_length(m.media) > 0 then 1 else m.segments end, ledger_now(m.ledger_id)
   from messages m
   where m.ledger_id = $1 and m.id = any($2::text[])
     and (m.status <> 'failed' or m.error_code in ('carrier_rejected', 'unreachable', 'spam_blocked'))
   order by 1, 2, 3
   on conflict do nothing`,
);

/** Counts texts that the carrier has accepted, each once. */
export async function meterAccepted(tx: Tx, ledgerId: number, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length > 0) await tx.query(METER, [ledgerId, messageIds]);
}
