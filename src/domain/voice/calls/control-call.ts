import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import type { CallInput } from './call.ts';
import { stepCallWith } from './executor.ts';
import { findCall } from './queries.ts';
import { refusalError } from './refusals.ts';
import { GATHER } from './rules.ts';
import type { Call, StartGather } from './schema.ts';

/**
 * The call, if the key may see it. Errors: call_not_found, tenant_restricted_key.
 * @param param what of the request named it, where it was not the path
 */
export async function getCall(db: Db, scope: Scope, id: string, param?: string): Promise<Call> {
  return visible(scope, await findCall(db, scope, id), 'call_not_found', param);
}

/**
 * Does what a caller of the API asks of a call. Errors: call_not_found, tenant_restricted_key, call_not_active,
 * gather_in_progress.
 */
export async function controlCall(tx: Tx, scope: Scope, id: string, input: CallInput): Promise<void> {
  const check = (held: { tenant_id: string }) => {
    visible(scope, held, 'call_not_found');
  };
  const stepped = await stepCallWith(tx, scope, id, { inputs: [input], onHeld: check });
  if (stepped === undefined) throw new ApiError('call_not_found');
  if (stepped.refusal !== undefined) throw refusalError(stepped.refusal, stepped.call, input);
}

/** The input that begins a gather, with what the caller left open. */
export function toGather({ prompt, max_digits, terminator, timeout_ms }: StartGather): CallInput {
  return {
    type: 'gather',
    prompt,
    maxDigits: max_digits ?? 1,
    terminator: terminator ?? null,
    timeoutMs: timeout_ms ?? GATHER.timeoutMs.default,
  };
}
