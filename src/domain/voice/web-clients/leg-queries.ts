/** The legs of web clients. */
import type { WebClientLegIds } from '../../../carriers/ports/web-client.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import type { FailedTransfer } from '../calls/state/call-transfer.ts';
import type { LegOfWebClient } from './leg-rules.ts';
import type { WebClientName } from './web-client-signal.ts';

export type StoredLeg = LegOfWebClient & { readonly callId: string; readonly webClientId: string };

/** A transfer, as its agent's web client shows it. `talking`: the agents talk to each other. */
export type ShownTransfer = {
  readonly to: string;
  readonly mode: 'announce' | 'consult';
  readonly state: 'ringing' | 'talking';
};

/** The agent who asks a web client before a transfer. `name`: that of the agent's web client. */
export type ConsultingAgent = { readonly agent: string; readonly name: string | null };

/** One leg of a web client, as the web client shows it. */
export type WebClientLeg = WebClientLegIds & {
  /** False if the web client made the call. */
  readonly wasRung: boolean;
  readonly state: 'ringing' | 'up' | 'ended';
  /**
   * The state of the other party's leg. Null if the call has no other leg yet, or if its caller is not answered yet.
   */
  readonly other: 'dialing' | 'ringing' | 'up' | null;
  /** The transfer that is under way, if this is the leg of the agent who started it. */
  readonly transfer: ShownTransfer | null;
  /** The agent who talks to this web client first, while a consult transfer to it rings or they talk. */
  readonly consultedBy: ConsultingAgent | null;
  /** The latest transfer, if it failed and this is the leg of an agent who has the call. */
  readonly failedTransfer: FailedTransfer | null;
  /** Why the leg ended; null until then. */
  readonly endReason: string | null;
};

const LOCK = statement(
  'web_client_legs_lock',
  `select leg_id as "legId", call_id as "callId", web_client_id as "webClientId", was_rung as "wasRung", state,
     end_reason as "endReason"
   from web_client_legs where ledger_id = $1 and leg_id = $2 for update`,
);

/** Locks a leg until the transaction ends. The call is locked before. */
export async function lockLeg(tx: Tx, { ledgerId }: InLedger, legId: string): Promise<StoredLeg | undefined> {
  const [row] = await tx.query<StoredLeg>(LOCK, [ledgerId, legId]);
  return row;
}

const SAVE = statement(
  'web_client_legs_save',
  `insert into web_client_legs (ledger_id, leg_id, call_id, web_client_id, was_rung, state, end_reason)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (ledger_id, leg_id) do update set state = excluded.state, end_reason = excluded.end_reason`,
);

/** Stores a leg, or its new state. */
export async function saveLeg(tx: Tx, { ledgerId }: InLedger, leg: StoredLeg): Promise<void> {
  const { legId, callId, webClientId, wasRung, state, endReason } = leg;
  await tx.query(SAVE, [ledgerId, legId, callId, webClientId, wasRung, state, endReason]);
}

// The other party's leg comes from the call, because it may be a leg of the carrier. A caller who is not answered is
// not shown.
const SHOWN = `w.call_id as "callId", w.leg_id as "legId", w.was_rung as "wasRung",
     case w.state when 'dialing' then 'ringing' else w.state end as state, w.end_reason as "endReason",
     (select o.state from calls c, jsonb_to_recordset(c.state -> 'legs') as o (party text, direction text, state text)
      where c.ledger_id = w.ledger_id and c.id = w.call_id and o.party = 'customer'
        and o.state in ('up', 'ringing', 'dialing') and (o.direction = 'outbound' or o.state = 'up')
      order by array_position(array['up', 'ringing', 'dialing'], o.state) limit 1) as other,
     (select jsonb_build_object('to', t ->> 'to',
        'mode', case when (t -> 'consults')::boolean then 'consult' else 'announce' end,
        'state', case when (t -> 'isConsulting')::boolean then 'talking' else 'ringing' end)
      from calls c, jsonb_extract_path(c.state, 'transfer') t
      where c.ledger_id = w.ledger_id and c.id = w.call_id and t ->> 'legId' <> w.leg_id
        and c.state -> 'legs' @> jsonb_build_array(jsonb_build_object('id', w.leg_id, 'state', 'up'))) as transfer,
     (select jsonb_build_object('agent', o ->> 'address', 'name', k.name)
      from calls c, jsonb_extract_path(c.state, 'transfer') t, jsonb_array_elements(c.state -> 'legs') o
      left join web_clients k on k.ledger_id = w.ledger_id and k.id = o ->> 'address'
      where c.ledger_id = w.ledger_id and c.id = w.call_id and t ->> 'legId' = w.leg_id and (t -> 'consults')::boolean
        and o ->> 'party' = 'agent' and o ->> 'state' = 'up' and o ->> 'id' <> w.leg_id limit 1) as "consultedBy",
     (select c.state -> 'failedTransfer' from calls c
      where c.ledger_id = w.ledger_id and c.id = w.call_id and c.state -> 'legs' @>
        jsonb_build_array(jsonb_build_object('id', w.leg_id, 'party', 'agent', 'state', 'up'))) as "failedTransfer"`;

const LIST = statement(
  'web_client_legs_list',
  `select ${SHOWN}
   from web_client_legs w
   where w.ledger_id = $1 and w.web_client_id = $2 and w.leg_id in (
     select leg_id from web_client_legs where ledger_id = $1 and web_client_id = $2 and state <> 'ended'
     union select unnest($3::text[]))
   order by w.leg_id`,
);

/** Returns the web client's legs that have not ended. Also returns the legs in `known` (leg ids), ended or not. */
export function listLegs(
  db: Db,
  { ledgerId }: InLedger,
  { webClientId, known }: { webClientId: string; known: readonly string[] },
): Promise<WebClientLeg[]> {
  return db.query<WebClientLeg>(LIST, [ledgerId, webClientId, known]);
}

const WEB_CLIENTS = inputOf<WebClientName>('web_clients', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  web_client_id: ['text', ({ webClientId }) => webClientId],
});

// `offset 0` keeps one range of the index for each web client, however many there are.
const LIST_LIVE = statement<
  { readonly web_clients: readonly WebClientName[] },
  WebClientLeg & { readonly position: number }
>(
  'web_client_legs_live',
  `select asked.position::int as position, ${SHOWN}
   from ${WEB_CLIENTS.rows('asked', 'position')}
   cross join lateral (
     select * from web_client_legs
     where ledger_id = asked.ledger_id and web_client_id = asked.web_client_id and state <> 'ended' offset 0) w`,
);

/** Returns the legs of many web clients, of any ledgers, in order. Leaves out ended legs. */
export async function listLiveLegs(db: Db, webClients: readonly WebClientName[]): Promise<WebClientLeg[][]> {
  const legs: WebClientLeg[][] = webClients.map(() => []);
  if (webClients.length === 0) return legs;
  const rows = await db.query(LIST_LIVE, { web_clients: webClients });
  for (const { position, ...leg } of rows) legs[position - 1]?.push(leg);
  return legs;
}

const FIND_OWNER = statement(
  'web_client_legs_find_owner',
  `select w.call_id, c.tenant_id from web_client_legs w join calls c on c.ledger_id = w.ledger_id and c.id = w.call_id
   where w.ledger_id = $1 and w.leg_id = $2`,
);

/** Returns the call of a leg, and the tenant of the call. */
export async function findOwnerOfLeg(
  db: Db,
  { ledgerId }: InLedger,
  legId: string,
): Promise<{ readonly call_id: string; readonly tenant_id: string } | undefined> {
  const [row] = await db.query<{ call_id: string; tenant_id: string }>(FIND_OWNER, [ledgerId, legId]);
  return row;
}

const LIST_UP = statement(
  'web_client_legs_up',
  `select leg_id as "legId" from web_client_legs where ledger_id = $1 and leg_id = any($2::text[]) and state = 'up'`,
);

/** Returns the given legs that are up. */
export async function listLegsUp(
  db: Db,
  { ledgerId }: InLedger,
  legIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ legId: string }>(LIST_UP, [ledgerId, legIds]);
  return new Set(rows.map(({ legId }) => legId));
}

const OTHER = statement(
  'web_client_legs_other',
  `select 1 as other from web_client_legs
   where ledger_id = $1 and web_client_id = $2 and leg_id is distinct from $3 and state <> 'ended' limit 1`,
);

/** True if the web client has a leg that has not ended, other than `legId`. */
export async function hasOtherLeg(
  db: Db,
  { ledgerId }: InLedger,
  { webClientId, legId }: { webClientId: string; legId: string | null },
): Promise<boolean> {
  return (await db.query(OTHER, [ledgerId, webClientId, legId])).length > 0;
}
