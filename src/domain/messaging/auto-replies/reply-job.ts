/**
 * Automatic replies: one text to a person whose call was missed, or whose text came while the number was closed. A job
 * is planned with the text or the call. It sends like the API, with every check of a send. Its idempotency key is the
 * text or the call, so a job that runs twice sends once.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { isE164 } from '../../../lib/phone/phone.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import { decideBehavior, findOwnedNumber, findRouting, type OwnedNumber } from '../../numbers/index.ts';
import type { AutoReplies } from '../../tenants/index.ts';
import { checkDraft } from '../messages/draft.ts';
import type { Message } from '../messages/schema.ts';
import { createSender } from '../messages/send-message.ts';
import { isAutomatic } from './automatic.ts';
import { claimReply } from './queries.ts';

export const AUTO_REPLY = 'auto_reply';

/** The answered text and its sender. */
export type AutoReply = {
  /** The id of the text or the call. */
  readonly source: string;
  /** Our number, E.164. */
  readonly number: string;
  readonly person: string;
} & ({ readonly cause: 'missed_call'; readonly isClosed: boolean } | { readonly cause: 'text'; readonly at: string });

/** Returns the id of the job that answers a text or a call. */
export function replyJobId(source: string): string {
  return `${AUTO_REPLY}:${source}`;
}

/** Returns true if a tenant answers missed calls from this number. */
export function answersCalls(replies: AutoReplies | null, person: string): boolean {
  return replies !== null && (replies.missed_call ?? replies.after_hours) !== null && isE164(person);
}

/** Plans the answer to an ordinary text of one person, if its tenant answers after hours and no machine wrote it. */
export async function planReply(tx: Tx, ledger: Ledger, number: OwnedNumber, message: Message): Promise<void> {
  if ((number.auto_replies?.after_hours ?? null) === null) return;
  const { id: source, from: person, to, body, created_at } = message;
  if (!isE164(person) || isAutomatic(body)) return;
  const payload: AutoReply = { cause: 'text', source, number: to, person, at: created_at.toISOString() };
  const job = { ledgerId: ledger.ledgerId, id: replyJobId(source), queue: 'audio', kind: AUTO_REPLY } as const;
  await enqueue(tx, [{ ...job, payload }]);
}

type ReplyContext = Parameters<typeof createSender>[0] & Pick<Context, 'log'>;

/** Returns the handler of AUTO_REPLY. It shares the queue of post-call jobs. */
export function createAutoReplier(context: ReplyContext): JobHandler<AutoReply> {
  const { db, log } = context;
  const sender = createSender(context);
  return {
    kind: AUTO_REPLY,
    queue: 'audio',
    run: async ([job]) => {
      const ledger = job && (await findLedger(db, job.ledgerId));
      if (job === undefined || ledger === undefined) return;
      const { source, person } = job.payload;
      const number = await findOwnedNumber(db, ledger, job.payload.number);
      const body = number && (await bodyOf(context, ledger, number, job.payload));
      if (number === undefined || body === undefined) return;
      const { cause, text, hours } = body;
      if (!(await claimReply(db, ledger, { tenantId: number.tenant_id, person, source, hours }))) return;
      const scope = { ...ledger, tenantId: null, keyId: AUTO_REPLY };
      const wanted = { from: number.id, to: person, body: text, metadata: { auto_reply: cause } };
      const key = replyJobId(source);
      const idempotency = { key, fingerprint: createHash('sha256').update(key).digest() };
      try {
        await sender.send(scope, { wanted, draft: checkDraft(wanted) }, { idempotency, traceparent: null });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        log.info({ source, reason: error.code }, 'an automatic reply was refused');
      }
    },
  };
}

/** Returns the text of the reply, and the time until the next reply; undefined if no reply is due. */
async function bodyOf({ db }: Pick<Context, 'db'>, ledger: Ledger, number: OwnedNumber, answered: AutoReply) {
  const { auto_replies: replies } = number;
  if (replies === null) return undefined;
  const { missed_call, after_hours, once_every_hours: hours } = replies;
  const isClosed =
    answered.cause === 'missed_call' ? answered.isClosed : await isClosedAt(db, ledger, number, answered.at);
  if (isClosed && after_hours !== null) return { cause: 'after_hours', text: after_hours, hours };
  if (answered.cause === 'missed_call' && missed_call !== null)
    return { cause: 'missed_call', text: missed_call, hours };
  return undefined;
}

/** A number without a routing config has no hours, so it is never closed. */
async function isClosedAt(db: Context['db'], ledger: Ledger, { id }: OwnedNumber, at: string): Promise<boolean> {
  const routing = await findRouting(db, ledger, id);
  if (routing === undefined || routing.config === null) return false;
  return !decideBehavior(routing.config, routing.timezone, new Date(at)).open;
}
