import type { Carriers, ConnectionId } from '../../../carriers/ports/carrier.ts';
import { SEGMENTS_ALWAYS_TAKEN } from '../../../carriers/ports/messaging.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { isLostRace } from '../../../db/error-codes.ts';
import { toInnerError } from '../../../http/edge/envelope.ts';
import type { IdempotentRequest } from '../../../http/writes/idempotency.ts';
import { findAnswer } from '../../../http/writes/idempotency-queries.ts';
import { type Batcher, createBatcher } from '../../../lib/concurrency/batcher.ts';
import { fairQueue } from '../../../lib/concurrency/fair-queue.ts';
import { ApiError, type ErrorCode, isDatabaseAway } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { createDestinationRules, isReachable } from '../../numbers/index.ts';
import { checkDraft, type Draft } from './draft.ts';
import { prepareSend, type Wanted } from './prepare-send.ts';
import { findMessage } from './queries.ts';
import type { Message, SendCheck, SendMessage } from './schema.ts';
import { countSegments } from './segments.ts';
import {
  findTextConnection,
  firstStatus,
  insertSends,
  judgeSend,
  type Refusal,
  type Send,
  type SendVerdict,
} from './send-queries.ts';

/** Sized by measurement: larger batches gain little and delay their first row longer. */
const BATCH_ROWS_MAX = 32;
const BATCH_CONCURRENCY = 3;
/**
 * A ledger with more open sends than this gets separate batches, one at a time; other ledgers' batches run
 * concurrently.
 */
const LEDGER_BUSY_MIN = 8;
const LEDGER_BATCHES_MAX = 1;
/** Most rows of one ledger in a batch while other ledgers send. */
const LEDGER_SHARE_MAX = 8;
/**
 * Pause between the batches of a busy ledger: without pauses, the batches of other ledgers would take twice as long.
 */
const LEDGER_PAUSE_MS = 3;
/** When to try again if no carrier takes texts. */
const CARRIER_RETRY_S = 60;
/** Refusals that come after the early errors in the order of errors. */
const LATER_REFUSALS: readonly ErrorCode[] = ['campaign_not_approved', 'recipient_opted_out', 'insufficient_balance'];

type StoredVerdict = Exclude<SendVerdict, { verdict: 'unplanned' }>;
type SendContext = Pick<Context, 'db' | 'carriers' | 'clock' | 'metrics' | 'settings'>;

/** Creates the sender of this process; concurrent requests share its statements. */
export function createSender(context: SendContext): Sender {
  return new Sender(context);
}

class Sender {
  readonly #context: SendContext;
  readonly #batcher: Batcher<Send, SendVerdict>;
  readonly #destinationRules: ReturnType<typeof createDestinationRules>;

  constructor(context: SendContext) {
    this.#context = context;
    this.#batcher = createSendBatcher(context);
    this.#destinationRules = createDestinationRules(context);
  }

  /**
   * Accepts a message for sending, now or at its time. Errors in order: invalid_send_at (not ahead, or too far),
   * template_not_found, missing_variables, the errors of a filled text, from_number_not_found, tenant_restricted_key,
   * number_not_sms_capable, invalid_to (the sending number itself), carrier_unavailable, message_too_long,
   * destination_not_supported, campaign_not_approved, recipient_opted_out, insufficient_balance.
   * @returns the message, or undefined if an earlier request has the idempotency key
   */
  async send(
    scope: Scope,
    wanted: Wanted,
    { idempotency, traceparent }: Pick<Send, 'traceparent'> & { idempotency: IdempotentRequest | undefined },
  ): Promise<Message | undefined> {
    const prepared = await prepareSend(this.#context.db, scope, wanted);
    if (prepared instanceof ApiError) return this.#refuse(scope, idempotency, prepared);
    const draft = prepared;
    const early = await this.#findEarlyError(scope, draft);
    if (early !== null) return this.#refuse(scope, idempotency, early);
    const messageId = newId('message');
    const conversationId = newId('conversation');
    const send = { scope, draft, messageId, conversationId, idempotency, traceparent };
    const outcome = await this.#store(send, wanted.wanted);
    if (outcome instanceof ApiError) return this.#refuse(scope, idempotency, outcome);
    if (outcome.verdict === 'accepted') {
      this.#context.metrics.messages.inc({ direction: 'outbound' });
      return outcome.message;
    }
    // The message may be stored all the same: the batch was repeated because the answer to its COMMIT was lost, and the
    // repeat found its own key, or a STOP that arrived in between.
    const stored = await findMessage(this.#context.db, scope, messageId);
    if (stored !== undefined) return asAccepted(stored);
    if (outcome.verdict === 'key_taken') return undefined;
    return this.#refuse(scope, idempotency, toError(outcome));
  }

  /** Stores a send. If quiet hours apply by default, the send is planned for their end first. */
  async #store(send: Send, wanted: SendMessage): Promise<StoredVerdict | ApiError> {
    const outcome = await this.#batcher.add(send);
    if (outcome.verdict !== 'unplanned') return outcome;
    const draft = await prepareSend(this.#context.db, send.scope, { wanted, draft: send.draft, planned: true });
    return draft instanceof ApiError ? draft : this.#store({ ...send, draft }, wanted);
  }

  /** Returns whether a send would be accepted now, with its segments and encoding. Changes nothing. */
  async check(scope: Scope, wanted: SendMessage, requestId: string): Promise<SendCheck> {
    let counted = countSegments(wanted.body ?? '', (wanted.media_urls ?? []).length > 0);
    let sendAt: Date | null = null;
    try {
      const draft = await prepareSend(this.#context.db, scope, { wanted, draft: checkDraft(wanted), planned: true });
      if (draft instanceof ApiError) throw draft;
      counted = { segments: draft.segments, encoding: draft.encoding };
      sendAt = draft.sendAt;
      const early = await this.#findEarlyError(scope, draft);
      if (early !== null) throw early;
      const refusal = await judgeSend(this.#context.db, scope, draft);
      if (refusal !== null) throw toError(refusal);
      return { accepted: true, ...counted, send_at: sendAt, error: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return {
        accepted: false,
        ...counted,
        send_at: sendAt,
        error: toInnerError(error, { publicUrl: this.#context.settings.publicUrl, requestId }),
      };
    }
  }

  /** Rebuilds the reply to the send that created this message, without later changes. */
  async replay(scope: Scope, messageId: string): Promise<Message> {
    return asAccepted(visible(scope, await findMessage(this.#context.db, scope, messageId), 'message_not_found'));
  }

  /**
   * Returns the error that refuses a send before the shared statement: a text that is too long for its carrier, or a
   * destination out of reach.
   */
  async #findEarlyError(scope: Scope, draft: Draft): Promise<ApiError | null> {
    const early = (await this.#lengthError(scope, draft)) ?? (await this.#destinationError(scope, draft.to));
    if (early === null) return null;
    // Errors about the sending number come first, as for every other send.
    const refusal = await judgeSend(this.#context.db, scope, draft);
    return refusal === null || LATER_REFUSALS.includes(refusal.code) ? early : toError(refusal);
  }

  /** Asks for the number's connection only if the text is long: short texts keep to one round trip. */
  async #lengthError(scope: Scope, { from, segments }: Draft): Promise<ApiError | null> {
    if (segments <= SEGMENTS_ALWAYS_TAKEN) return null;
    const { db, carriers } = this.#context;
    const segmentsMax = segmentsMaxOf(carriers, scope, await findTextConnection(db, scope, from));
    if (segments <= segmentsMax) return null;
    const message = `The text has ${segments} segments, and its carrier takes at most ${segmentsMax}.`;
    return new ApiError('message_too_long', { param: 'body', message });
  }

  /** Test texts cost nothing and go to any destination: premium numbers are closed to test calls only. */
  async #destinationError(scope: Scope, to: string): Promise<ApiError | null> {
    if (scope.mode === 'test' || isReachable(to, await this.#destinationRules(scope))) return null;
    return new ApiError('destination_not_supported', { param: 'to' });
  }

  /**
   * Throws the error, unless an earlier request with the same idempotency key has an answer: then that is the answer.
   */
  async #refuse(scope: Scope, idempotency: IdempotentRequest | undefined, error: ApiError): Promise<undefined> {
    const { db } = this.#context;
    if (idempotency !== undefined && (await findAnswer(db, scope, idempotency.key)) !== undefined) return undefined;
    throw error;
  }
}

/** Creates the batcher whose runs insert the sends of several requests with one statement. */
function createSendBatcher({ db, metrics }: SendContext): Batcher<Send, SendVerdict> {
  return createBatcher<Send, SendVerdict>({
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
    run: (sends) => insertWithRepeat(db, sends),
    // Without a database no single row is at fault, and retrying row by row would take minutes.
    retriesAlone: (error) => !isDatabaseAway(error),
  });
}

/**
 * Repeats the statement once after a lost race or a broken connection. The connection may have broken after the COMMIT:
 * rows that are stored already are not stored again.
 */
async function insertWithRepeat(db: Db, sends: readonly Send[]): Promise<SendVerdict[]> {
  try {
    return await insertSends(db, sends);
  } catch (error) {
    if (!isDatabaseAway(error) && !isLostRace(error)) throw error;
    return insertSends(db, sends);
  }
}

/**
 * Returns the limit of a connection; infinite if the connection takes no texts, because the statement then refuses the
 * send.
 */
function segmentsMaxOf(carriers: Carriers, scope: Scope, connection: ConnectionId): number {
  try {
    return carriers.messaging(scope, connection).segmentsMax ?? Number.POSITIVE_INFINITY;
  } catch (error) {
    if (error instanceof ApiError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function toError({ code, param, message }: Refusal): ApiError {
  const retryAfterS = code === 'carrier_unavailable' ? { retryAfterS: CARRIER_RETRY_S } : {};
  return new ApiError(code, {
    ...retryAfterS,
    ...(param !== null && { param }),
    ...(message !== undefined && { message }),
  });
}

function asAccepted(message: Message): Message {
  const { send_at, status_history } = message;
  const first = { status: firstStatus(send_at), error_code: null, error_detail: null };
  return { ...message, ...first, status_history: status_history.slice(0, 1) };
}
