import { setTimeout as pause } from 'node:timers/promises';
import type { Caller, Reply } from '../support/caller.ts';

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
/** Errors of a service that is down or restarting: the same request is sent again. */
const RETRIABLE = ['idempotency_in_progress', 'database_unavailable'];
/** The call ended before the request arrived. */
const TOO_LATE = ['call_not_active'];

/** Posts with an Idempotency-Key until there is an answer. */
export async function postUntilAnswered(call: Caller, path: string, { body, once, counts }: Post): Promise<Reply> {
  for (;;) {
    const reply = await attempt(call, path, { body, headers: { 'idempotency-key': once } });
    if (reply !== undefined) return reply;
    counts.unanswered++;
    if (counts.abandoned === true) throw new Error(`abandoned without an answer: ${once}`);
    await pause(counts.retryMs ?? RETRY_MS);
  }
}

/** Posts once without an Idempotency-Key, as a repeat could act twice. Returns undefined without an answer. */
export async function postOnce(call: Caller, path: string, { body, counts }: Post): Promise<Reply | undefined> {
  const reply = await attempt(call, path, { body });
  if (reply === undefined) counts.unanswered++;
  return reply;
}

/** @throws Error if the request is refused */
async function attempt(call: Caller, path: string, request: Parameters<Caller>[2]): Promise<Reply | undefined> {
  const reply = await call('POST', path, request).catch(ignoreBroken);
  const code = reply?.body.error?.code;
  if (reply === undefined || reply.status < 300 || TOO_LATE.includes(code)) return reply;
  if (reply.status >= 500 || RETRIABLE.includes(code)) return undefined;
  throw new Error(`refused: ${JSON.stringify(reply.body)}`);
}

/** The server does not listen, or the connection broke before the reply was complete. */
export function ignoreBroken(error: unknown): undefined {
  if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
  throw error;
}
