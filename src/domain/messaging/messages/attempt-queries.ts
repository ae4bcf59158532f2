/** The attempts to hand texts to their carriers, as they are stored with the texts. */
import type { ErrorDetail } from '../../../carriers/ports/outcome.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { ATTEMPTS_MAX, type MessageAttempt } from './schema.ts';

/** The outcome of an attempt. */
export type Attempt = Pick<MessageAttempt, 'outcome' | 'reason'> & { readonly errorDetail?: ErrorDetail | undefined };

/** An attempt of a text. */
export type TextAttempt = Attempt & { readonly messageId: string };

const ATTEMPTS = inputOf<TextAttempt>('submit_attempts', {
  id: ['text', ({ messageId }) => messageId],
  outcome: ['text', ({ outcome }) => outcome],
  reason: ['text', ({ reason }) => reason],
  error_detail: ['json', ({ errorDetail = null }) => errorDetail],
});

const LOCK = statement(
  'messages_lock_attempted',
  'select id from messages where ledger_id = $1 and id = any($2::text[]) order by id for update',
);

const ADD = statement<{ readonly ledger_id: number; readonly submit_attempts: readonly TextAttempt[] }>(
  'messages_add_attempts',
  `update messages m set submit_attempts = coalesce(m.submit_attempts, '[]') || jsonb_build_array(jsonb_build_object(
     'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
     'outcome', a.outcome, 'reason', a.reason, 'error_detail', a.error_detail))
   from (
     select id, outcome, reason, error_detail, (select ledger_now(:ledger_id::int)) as at
     from ${ATTEMPTS.rows('r')}
     order by id offset 0) a
   where m.ledger_id = :ledger_id::int and m.id = a.id
     and coalesce(jsonb_array_length(m.submit_attempts), 0) < ${ATTEMPTS_MAX}`,
);

/**
 * Stores attempts with their texts, at most one of each text.
 * @param messageIds all texts that the transaction changes: they are locked in one order, as receipts lock them
 */
export async function addAttempts(
  tx: Tx,
  { ledgerId }: Ledger,
  attempts: readonly TextAttempt[],
  messageIds: readonly string[],
): Promise<void> {
  if (attempts.length === 0) return;
  await tx.query(LOCK, [ledgerId, messageIds]);
  await tx.query(ADD, { ledger_id: ledgerId, submit_attempts: attempts });
}

const LIST = statement(
  'messages_list_attempts',
  `select tenant_id, coalesce(submit_attempts, '[]') as attempts from messages where ledger_id = $1 and id = $2`,
);

type AttemptsOfText = { readonly tenant_id: string; readonly attempts: MessageAttempt[] };

/** Returns the attempts of a text, oldest first, with its tenant; undefined if there is no such text. */
export async function findAttempts(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  id: string,
): Promise<AttemptsOfText | undefined> {
  const [row] = await db.query<AttemptsOfText>(LIST, [ledgerId, id]);
  return row;
}
