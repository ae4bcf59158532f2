import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, isBroken, type Reply } from '../support/caller.ts';

/** Counts requests without an answer because of a broken connection or an outage. */
export type RequestCounts = {
  unanswered: number;
  /** True to give up requests that have no answer yet. */
  abandoned?: boolean;
  /** Pause before a request is repeated, in milliseconds; 40 by default. */
  readonly retryMs?: number;
};
type Post = { readonly body: object; readonly once: string; readonly counts: RequestCounts };

const RETRY_MS = 40;
/** Errors of a service that is down, restarting or too busy: the same request is sent again. */
const RETRIABLE = ['idempotency_in_progress', 'database_unavailable', 'rate_limited'];
/** The call ended before the request arrived. */
const TOO_LATE = ['call_not_active'];

/** A product that was killed answers again within seconds. */
const ANSWER_MS = 120_000;

/** Posts with an Idempotency-Key until there is an answer. Fails if there is none for two minutes. */
export async function postUntilAnswered(call: Caller, path: string, { body, once, counts }: Post): Promise<Reply> {
  const startedMs = performance.now();
  for (;;) {
    const { reply, why } = await attempt(call, path, { body, headers: { 'idempotency-key': once } });
    if (reply !== undefined) return reply;
    counts.unanswered++;
    if (counts.abandoned === true) throw new Error(`abandoned without an answer: ${once}`);
    if (performance.now() - startedMs > ANSWER_MS) throw new Error(`no answer for ${ANSWER_MS} ms: ${once}: ${why}`);
    await pause(counts.retryMs ?? RETRY_MS);
  }
}

/** Posts once without an Idempotency-Key, as a repeat could act twice. Returns undefined without an answer. */
export async function postOnce(call: Caller, path: string, { body, counts }: Post): Promise<Reply | undefined> {
  const { reply } = await attempt(call, path, { body });
  if (reply === undefined) counts.unanswered++;
  return reply;
}

/** `why`: what came in place of an answer. */
type Attempt = { readonly reply?: Reply; readonly why?: string };

/** @throws Error if the request is refused */
async function attempt(call: Caller, path: string, request: Parameters<Caller>[2]): Promise<Attempt> {
  const reply = await call('POST', path, request).catch(ignoreBroken);
  if (reply === undefined) return { why: 'the connection broke' };
  const code = reply.body.error?.code;
  if (reply.status < 300 || TOO_LATE.includes(code)) return { reply };
  if (reply.status >= 500 || RETRIABLE.includes(code)) return { why: `${reply.status} ${code}` };
  throw new Error(`refused: ${JSON.stringify(reply.body)}`);
}

/** The server does not listen, or the connection broke before the reply was complete. */
export function ignoreBroken(error: unknown): undefined {
  if (isBroken(error) || error instanceof SyntaxError) return undefined;
  throw error;
}
