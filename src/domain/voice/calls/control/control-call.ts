import type { Db, Tx } from '../../../../db/database.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../../lib/scope.ts';
import { isQueueFull } from '../commands/lane-queries.ts';
import { type Stepped, stepCallWith } from '../execution/executor.ts';
import { findCall, type LockedCall } from '../queries.ts';
import { type Call, GATHER, type StartGather } from '../schema.ts';
import type { Call as CallState } from '../state/call.ts';
import type { CallInput } from '../state/call-step.ts';

/**
 * Returns the call, if the key may see it. Errors: call_not_found, tenant_restricted_key.
 * @param param the field of the request that names the call; absent if the path does
 */
export async function getCall(db: Db, scope: Scope, id: string, param?: string): Promise<Call> {
  return visible(scope, await findCall(db, scope, id), 'call_not_found', param);
}

/**
 * Applies a request of the API to a call. Errors in order: call_not_found, tenant_restricted_key, then the refusals of
 * the machine: call_not_active, gather_in_progress, stream_already_active, relay_active, speech_queue_full,
 * transfer_in_progress, no_consult_in_progress, listener_not_possible, listener_not_found, invalid_connect_to,
 * recording_not_active. While 200 commands of the call wait, DTMF and other REPEATABLE requests get
 * carrier_unavailable.
 * @returns the call as it was locked, and its state after the request
 */
export async function controlCall(
  tx: Tx,
  scope: Scope,
  id: string,
  input: CallInput,
): Promise<LockedCall & { readonly after: CallState }> {
  let locked: LockedCall | undefined;
  const stepped = await stepCallWith(tx, scope, id, {
    inputs: [input],
    onLocked: async (call) => {
      locked = visible(scope, call, 'call_not_found');
      if (REPEATABLE.has(input.type) && (await isQueueFull(tx, scope, id))) throw queueFull();
    },
  });
  if (stepped === undefined || locked === undefined) throw new ApiError('call_not_found');
  if (stepped.refusal !== undefined) throw toRefusalError(stepped.refusal, stepped.call, input);
  return { ...locked, after: stepped.call };
}

/** Requests that a client may repeat without limit. */
const REPEATABLE: ReadonlySet<CallInput['type']> = new Set([
  ...(['add_listener', 'send_digits', 'speak', 'hold', 'resume', 'transfer', 'control_recording'] as const),
]);

/** An available carrier takes commands within milliseconds, so 200 waiting commands mean that it is unavailable. */
function queueFull(): ApiError {
  const message = 'The carrier has not taken the earlier commands of this call yet.';
  return new ApiError('carrier_unavailable', { message, retryAfterS: 5 });
}

/** The state of the call that each request needs, in the words of call_not_active. */
const NEEDS: Partial<Record<CallInput['type'], string>> = {
  hang_up: 'a hang-up needs one that has not ended',
  send_digits: 'digits need one that is in_progress',
  transcribe: 'a transcription needs one that is in_progress',
  gather: 'a gather needs one that is in_progress',
  speak: 'a speech needs one whose parties are connected',
  stop_speaking: 'a speech needs one that is in_progress',
  add_listener: 'a listener needs one whose parties are connected',
  complete_consult: 'a transfer needs one whose parties are connected',
  cancel_consult: 'a transfer needs one whose parties are connected',
  transfer: 'a transfer needs one whose parties are connected',
  hold: 'hold needs one whose parties are connected',
  resume: 'hold needs one whose parties are connected',
  control_recording: 'a recording needs one whose parties are connected',
  start_stream: 'a media stream needs one that is ringing or in_progress',
  start_relay: 'a relay needs one whose customer is connected',
};

/** The requests that a call without an agent refuses. */
const NO_AGENT: Partial<Record<CallInput['type'], string>> = {
  transfer: 'The call has no agent who could talk to the new one.',
};

/**
 * Returns the error of a refused request. The message of call_not_active names the state of the call and the required
 * state.
 */
function toRefusalError(
  refusal: NonNullable<Stepped['refusal']>,
  { status }: Pick<CallState, 'status'>,
  input: CallInput,
): ApiError {
  if (refusal === 'no_agent')
    return new ApiError('call_not_active', {
      message: NO_AGENT[input.type] ?? 'The call has no agent who could hear.',
    });
  if (refusal === 'on_this_call') {
    const message = 'The new agent is a party of the call already.';
    return new ApiError('invalid_connect_to', { param: 'to', message });
  }
  if (refusal === 'listener_not_possible') return new ApiError(refusal, { param: 'web_client_id' });
  const needs = NEEDS[input.type];
  if (refusal !== 'call_not_active' || needs === undefined) return new ApiError(refusal);
  return new ApiError(refusal, { message: `The call is ${status}; ${needs}.` });
}

/** Returns the input that starts a gather, with the defaults of absent fields. */
export function toGather({ prompt, max_digits, terminator, timeout_ms }: StartGather): CallInput {
  return {
    type: 'gather',
    prompt,
    maxDigits: max_digits ?? 1,
    terminator: terminator ?? null,
    timeoutMs: timeout_ms ?? GATHER.timeoutMs.default,
  };
}
