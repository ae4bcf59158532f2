import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { isLostRace } from '../../../db/error-codes.ts';
import { toInnerError } from '../../../http/edge/error-handler.ts';
import type { IdempotentRequest } from '../../../http/writes/idempotency.ts';
import { findAnswer } from '../../../http/writes/idempotency-queries.ts';
import { createBatcher } from '../../../lib/batcher.ts';
import { ApiError, type ErrorCode } from '../../../lib/errors.ts';
import { fairQueue } from '../../../lib/fair-queue.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { createDestinationRules, isReachable } from '../../numbers/index.ts';
import { checkDraft, type Draft } from './check-send.ts';
import { findMessage } from './queries.ts';
import type { Message, SendCheck, SendMessage } from './schema.ts';
import { countSegments } from './segments.ts';
import { insertSends, judgeSend, type Refusal, type Send, type SendVerdict } from './send-queries.ts';

/** Sized by measurement: larger batches gain little and hold their first row up longer. */
const BATCH_ROWS_MAX = 32;
const BATCH_CONCURRENCY = 3;
/** With more sends open than this a ledger's batches are its own, one at a time, and the other ledgers go beside them. */
const LEDGER_BUSY_MIN = 8;
const LEDGER_BATCHES_MAX = 1;
/** What one ledger may fill of a batch while others send. */
const LEDGER_SHARE_MAX = 8;
/** How long it rests between its batches meanwhile: two processors that are never free would double the others' time. */
const LEDGER_PAUSE_MS = 3;
/** Refusals that come after a carrier that is missing or a destination out of reach. */
const AFTER_BARS: readonly ErrorCode[] = ['campaign_not_approved', 'recipient_opted_out', 'insufficient_balance'];

type SendContext = Pick<Context, 'db' | 'carriers' | 'clock' | 'metrics' | 'settings'>;

export type Sender = ReturnType<typeof createSender>;

/** Sends messages for all requests of this process, sharing statements between them. */
export function createSender(context: SendContext) {
  const { db, metrics } = context;
  const batcher = createBatcher<Send, SendVerdict>({
    rowsMax: BATCH_ROWS_MAX,
    concurrencyMax: BATCH_CONCURRENCY,
    queue: fairQueue({
      keyOf: (send) => send.scope.ledgerId,
      busyMin: LEDGER_BUSY_MIN,
      keyRunsMax: LEDGER_BATCHES_MAX,
      shareMax: LEDGER_SHARE_MAX,
      busyPauseMs: LEDGER_PAUSE_MS,
    }),
    onBatch: (rows) => metrics.batchSize.observe({ batch: 'send' }, rows),
    run: (sends) => insertSurely(db, sends),
    // Without a database no row is the poisonous one, and waiting for it row by row would take minutes.
    retriesAlone: (error) => !isUnavailable(error),
  });
  const destinationRules = createDestinationRules(context);

  /** Test texts cost nobody anything and go anywhere: premium numbers are closed to test calls alone. */
  async function destinationBar(scope: Scope, to: string): Promise<ApiError | null> {
    if (scope.mode === 'test' || isReachable(to, await destinationRules(scope))) return null;
    return new ApiError('destination_not_supported', { param: 'to' });
  }

  /** What stands against a send before it may share a statement: no carrier, or a destination out of reach. */
  async function findBar(scope: Scope, draft: Draft): Promise<ApiError | null> {
    const bar = carrierBar(context, scope) ?? (await destinationBar(scope, draft.to));
    if (bar === null) return null;
    // The number that is to send is looked up first, as for every other send.
    const refusal = await judgeSend(db, scope, draft);
    return refusal === null || AFTER_BARS.includes(refusal.code) ? bar : toError(refusal);
  }

  /** What is refused now may have been accepted under its key before: then that is the answer. */
  async function refuse(scope: Scope, idempotency: IdempotentRequest | undefined, error: ApiError): Promise<undefined> {
    if (idempotency !== undefined && (await findAnswer(db, scope, idempotency.key)) !== undefined) return undefined;
    throw error;
  }

  /**
   * Accepts a message for sending. Errors in order: empty_message, body_too_long, invalid_to, from_number_not_found,
   * tenant_restricted_key, number_not_sms_capable, carrier_unavailable, destination_not_supported,
   * recipient_opted_out, insufficient_balance.
   * @returns the message, or undefined if an earlier request has the idempotency key
   */
  async function send(
    scope: Scope,
    wanted: SendMessage,
    idempotency: IdempotentRequest | undefined,
  ): Promise<Message | undefined> {
    const draft = attempt(() => checkDraft(wanted));
    if (draft instanceof ApiError) return refuse(scope, idempotency, draft);
    const bar = await findBar(scope, draft);
    if (bar !== null) return refuse(scope, idempotency, bar);
    const messageId = newId('message');
    const outcome = await batcher.add({ scope, draft, messageId, conversationId: newId('conversation'), idempotency });
    if (outcome.verdict === 'accepted') {
      metrics.messages.inc({ direction: 'outbound' });
      return outcome.message;
    }
    // Our own message may be there all the same: the batch was repeated after its COMMIT's answer was lost, and met
    // its own key, or a STOP that came in between.
    const stored = await findMessage(db, scope, messageId);
    if (stored !== undefined) return asAccepted(stored);
    if (outcome.verdict === 'key_taken') return undefined;
    return refuse(scope, idempotency, toError(outcome));
  }

  /** Whether a send would be accepted now, with what it would count as. Changes nothing. */
  async function check(scope: Scope, wanted: SendMessage, requestId: string): Promise<SendCheck> {
    const counted = countSegments(wanted.body ?? '', (wanted.media_urls ?? []).length > 0);
    try {
      const draft = checkDraft(wanted);
      const bar = await findBar(scope, draft);
      if (bar !== null) throw bar;
      const refusal = await judgeSend(db, scope, draft);
      if (refusal !== null) throw toError(refusal);
      return { accepted: true, ...counted, error: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return {
        accepted: false,
        ...counted,
        error: toInnerError(error, { publicUrl: context.settings.publicUrl, requestId }),
      };
    }
  }

  /** The reply to the send that made this message, whatever has happened to it since. */
  async function replay(scope: Scope, messageId: string): Promise<Message> {
    return asAccepted(visible(scope, await findMessage(db, scope, messageId), 'message_not_found'));
  }

  return { send, check, replay };
}

/**
 * Repeats the statement once where that may help: after a lost race, and after a broken connection, which may have
 * taken the answer to the COMMIT with it; what was stored before is not stored again.
 */
async function insertSurely(db: Db, sends: readonly Send[]): Promise<SendVerdict[]> {
  try {
    return await insertSends(db, sends);
  } catch (error) {
    if (!isUnavailable(error) && !isLostRace(error)) throw error;
    return insertSends(db, sends);
  }
}

function carrierBar({ carriers }: SendContext, scope: Scope): ApiError | null {
  const carrier = attempt(() => carriers.messaging(scope));
  return carrier instanceof ApiError ? carrier : null;
}

/** What the work returns, or the refusal that it throws. */
function attempt<Result>(work: () => Result): Result | ApiError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function toError({ code, param, message }: Refusal): ApiError {
  return new ApiError(code, { ...(param !== null && { param }), ...(message !== undefined && { message }) });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'database_unavailable';
}

function asAccepted(message: Message): Message {
  return { ...message, status: 'queued', error_code: null, status_history: message.status_history.slice(0, 1) };
}
