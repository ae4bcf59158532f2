/** A relay is a stream whose client is the text socket of an agent: a row of media_streams with settings. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { RelaySettings } from '../../numbers/index.ts';
import type { InLedger } from '../calls/queries.ts';
import type { Relay } from './schema.ts';

const COLUMNS = `m.id, 'call_relay' as object, m.call_id, m.tenant_id,
  case m.status when 'starting' then 'connecting' when 'active' then 'active' else 'ended' end as status,
  m.connect_url as url, m.relay -> 'welcome_text' as welcome_text, m.relay ->> 'language' as language,
  m.relay -> 'voice' as voice, m.relay -> 'interruptible' as interruptible, m.relay -> 'dtmf' as dtmf,
  m.relay -> 'silence_ms' as silence_ms, m.relay -> 'partial_prompts' as partial_prompts, m.parameters,
  m.relay_reason as reason, m.connect_error, m.handoff_data, m.created_at, m.started_at, m.stopped_at as ended_at`;

const INSERT = statement(
  'relays_insert',
  `insert into media_streams as m
     (ledger_id, id, call_id, tenant_id, direction, track, status, url, node_id, token_hash, created_at,
      connect_url, dialect, parameters, relay)
   values ($1, $2, $3, $4, 'bidirectional', 'both', 'starting', '', $5, '', $6, $7, 'relay', $8, $9)`,
);

export type NewRelay = {
  readonly id: string;
  readonly callId: string;
  readonly tenantId: string;
  readonly nodeId: string;
  readonly createdAt: Date;
  readonly settings: RelaySettings;
};

export async function insertRelay(tx: Tx, { ledgerId }: InLedger, relay: NewRelay): Promise<void> {
  const { id, callId, tenantId, nodeId, createdAt, settings } = relay;
  const { url, parameters, ...rest } = settings;
  await tx.query(INSERT, [ledgerId, id, callId, tenantId, nodeId, createdAt, url, parameters, rest]);
}

const FIND = statement(
  'relays_find',
  `select ${COLUMNS} from media_streams m where m.ledger_id = $1 and m.id = $2 and m.relay is not null`,
);

export async function findRelay(db: Db, { ledgerId }: InLedger, id: string): Promise<Relay | undefined> {
  const [row] = await db.query<Relay>(FIND, [ledgerId, id]);
  return row;
}

// A call has few streams, and their ids are in the order of their creation.
const LATEST = statement(
  'relays_latest',
  `select ${COLUMNS} from media_streams m where m.ledger_id = $1 and m.call_id = $2 and m.relay is not null
   order by m.created_at desc, m.id desc limit 1`,
);

/** Returns the latest relay of a call. */
export async function findLatestRelay(db: Db, { ledgerId }: InLedger, callId: string): Promise<Relay | undefined> {
  const [row] = await db.query<Relay>(LATEST, [ledgerId, callId]);
  return row;
}

const DIAL = statement(
  'relays_dial',
  `update media_streams set dial_at = clock_timestamp() where ledger_id = $1 and id = $2 and status = 'starting'
   returning node_id as "nodeId"`,
);

/** Stores that the gateway must connect the relay. Returns its node; undefined if the relay is over. */
export async function markDialled(tx: Tx, { ledgerId }: InLedger, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ nodeId: string }>(DIAL, [ledgerId, id]);
  return row?.nodeId;
}

const SET_END = statement(
  'relays_set_end',
  `update media_streams m set relay_reason = $3, handoff_data = $4 where m.ledger_id = $1 and m.id = $2
   returning ${COLUMNS}`,
);

/** Stores why a relay has ended. */
export async function setRelayEnd(
  tx: Tx,
  { ledgerId }: InLedger,
  { id, reason, handoffData }: { id: string; reason: string; handoffData: string | null },
): Promise<Relay> {
  const [row] = await tx.query<Relay>(SET_END, [ledgerId, id, reason, handoffData]);
  return row as Relay;
}
