/**
 * The lanes of waiting notices when an account moves to another database. They are the notices at the account's
 * connections.
 */
import type { Client } from 'pg';
import { addToLanesSql } from '../../queue/lanes/lane-sql.ts';
import { SYSTEM_LEDGER } from '../../queue/worker/sweep.ts';
import { dropLanes } from '../../queue/worker/work-of-moves.ts';
import { NOTICE_LANES } from './queries.ts';

const OWN = 'connection_id in (select id from carrier_connections where account_id = $1)';

// Copied notices keep their positions from the old database. Positions of new notices must be higher.
const PASS_POSITIONS = `
  select setval(pg_get_serial_sequence('carrier_inbox', 'position'), newest)
  from (select max(position) as newest from carrier_inbox where ${OWN}) copied
  where newest > (select coalesce(last_value, 0) from pg_sequences
    where schemaname = current_schema() and sequencename = 'carrier_inbox_position_seq')`;

const ADD = addToLanesSql({
  ledgerId: `${SYSTEM_LEDGER}`,
  kind: `'${NOTICE_LANES}'`,
  groupId: 'connection_id',
  laneKey: 'lane_key',
  items: 'count(*)',
  from: `from carrier_inbox where ${OWN} and state = 'waiting' group by connection_id, lane_key order by connection_id, lane_key`,
});

/** Makes lanes for the notices that were copied, in a transaction of the session. */
export async function addNoticeLanes(target: Client, accountId: string): Promise<void> {
  // While the count is changed, no other notice may get a position.
  await target.query('lock table carrier_inbox in share row exclusive mode');
  await target.query(PASS_POSITIONS, [accountId]);
  await target.query(ADD, [accountId]);
}

/** Deletes the lanes of connections whose notices are now in another database. */
export async function dropNoticeLanes(client: Client, connectionIds: readonly string[]): Promise<void> {
  await dropLanes(client, { ledgerId: SYSTEM_LEDGER, kind: NOTICE_LANES, groupIds: connectionIds });
}
