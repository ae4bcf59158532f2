import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Call } from './schema.ts';

/** The ledger of a row. Carrier events and jobs have no scope, only a ledger. */
export type InLedger = Pick<Ledger, 'ledgerId'>;

export const CALL_COLUMNS = `c.id, 'call' as object, c.tenant_id, c.phone_number_id, c.conversation_id, c.direction,
  c."from", c."to", c.connect_to, c.status, c.outcome, c.answered_by,
  coalesce(c.duration_seconds, 0) as duration_seconds, c.record, c.recording_id, c.voicemail_id, c.summary, c.started_at, c.ended_at,
  (select coalesce(json_agg(json_build_object('type', e.type,
            'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'detail', e.detail)
          order by e.position), '[]')
   from call_events e where e.ledger_id = c.ledger_id and e.call_id = c.id) as events`;

const FIND_CONNECTION = statement(
  'calls_find_connection',
  'select connection_id from calls where ledger_id = $1 and id = $2',
);

/** Returns the connection that a call goes by. */
export async function findCallConnection(db: Db, { ledgerId }: InLedger, id: string): Promise<ConnectionId> {
  const [row] = await db.query<{ connection_id: ConnectionId }>(FIND_CONNECTION, [ledgerId, id]);
  return row?.connection_id ?? null;
}

const FIND = statement('calls_find', `select ${CALL_COLUMNS} from calls c where c.ledger_id = $1 and c.id = $2`);

export async function findCall(db: Db, { ledgerId }: InLedger, id: string): Promise<Call | undefined> {
  const [row] = await db.query<Call>(FIND, [ledgerId, id]);
  return row;
}
