import { setTimeout as pause } from 'node:timers/promises';
import type { Caller, Reply } from '../support/caller.ts';

export type Patience = { unanswered: number };
type Question = { readonly body: object; readonly once: string; readonly counts: Patience };

const RETRY_MS = 40;
/** Answers of a service that is down or restarting: the same request is made again. */
const PASSING = ['idempotency_in_progress', 'database_unavailable'];
/** The call ended before it was asked for something. */
const TOO_LATE = ['call_not_active'];

/** Posts under an Idempotency-Key until there is an answer. */
export async function postUntilAnswered(call: Caller, path: string, { body, once, counts }: Question): Promise<Reply> {
  for (;;) {
    const reply = await call('POST', path, { body, headers: { 'idempotency-key': once } }).catch(ignoreBroken);
    const code = reply?.body.error?.code;
    if (reply !== undefined && (reply.status < 300 || TOO_LATE.includes(code))) return reply;
    if (reply !== undefined && reply.status < 500 && !PASSING.includes(code)) {
      throw new Error(`refused: ${JSON.stringify(reply.body)}`);
    }
    counts.unanswered++;
    await pause(RETRY_MS);
  }
}

/** Nobody listens, or the connection broke before the reply was complete. */
export function ignoreBroken(error: unknown): undefined {
  if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
  throw error;
}
