import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { CODE_INTERVAL_S } from './rules.ts';

const LOCK = statement(
  'brands_lock_code',
  `select b.connection_id as "connectionId", coalesce(c.attempts, 0) as attempts,
     b.entity_type = 'sole_proprietor' and b.status = 'pending_vetting' and b.carrier_ref is not null as "isAwaited",
     coalesce(greatest(0, ceil(extract(epoch from c.sent_at - ledger_now($1)) + ${CODE_INTERVAL_S})), 0)::integer
       as "waitS"
   from brands b left join brand_codes c on c.ledger_id = b.ledger_id and c.brand_id = b.id
   where b.ledger_id = $1 and b.id = $2 for update of b`,
);

/** The progress of the verification of a brand by a code. */
export type CodeState = {
  readonly connectionId: ConnectionId;
  /** Codes that were tried since the last one was sent. */
  readonly attempts: number;
  /** True if the brand is a registered sole proprietor and the registry has not decided about it. */
  readonly isAwaited: boolean;
  /** Seconds until another code may be sent. */
  readonly waitS: number;
};

/** Locks the brand. */
export async function lockCodeState(tx: Tx, { ledgerId }: Ledger, id: string): Promise<CodeState> {
  const [row] = await tx.query<CodeState>(LOCK, [ledgerId, id]);
  return row as CodeState;
}

const START_SENDING = statement(
  'brand_codes_start_sending',
  `insert into brand_codes (ledger_id, brand_id, sent_at, attempts) values ($1, $2, ledger_now($1), 0)
   on conflict (ledger_id, brand_id) do update set sent_at = excluded.sent_at, attempts = 0`,
);

/** Records that a code is about to be sent. */
export async function startSending(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(START_SENDING, [ledgerId, id]);
}

const UNDO_SENDING = statement(
  'brand_codes_undo_sending',
  'update brand_codes set sent_at = null where ledger_id = $1 and brand_id = $2',
);

/** Records that no code was sent: the next one need not wait. */
export async function undoSending(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(UNDO_SENDING, [ledgerId, id]);
}

const ADD_ATTEMPT = statement(
  'brand_codes_add_attempt',
  `insert into brand_codes as c (ledger_id, brand_id, attempts) values ($1, $2, 1)
   on conflict (ledger_id, brand_id) do update set attempts = c.attempts + 1`,
);

/** Counts a code that is about to be tried. */
export async function addAttempt(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(ADD_ATTEMPT, [ledgerId, id]);
}

const UNDO_ATTEMPT = statement(
  'brand_codes_undo_attempt',
  'update brand_codes set attempts = greatest(0, attempts - 1) where ledger_id = $1 and brand_id = $2',
);

/** Takes back the count of a code that the registry did not check. */
export async function undoAttempt(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(UNDO_ATTEMPT, [ledgerId, id]);
}
