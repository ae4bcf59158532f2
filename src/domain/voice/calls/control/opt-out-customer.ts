import type { Tx } from '../../../../db/database.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import type { Scope } from '../../../../lib/scope.ts';
import { type OptOut, optOutByRequest } from '../../../messaging/index.ts';
import { customerOf } from '../customer.ts';
import { getCall } from './control-call.ts';

const NO_NUMBER = 'The customer of this call has no number that could be opted out.';

/**
 * Opts the customer of a call out of texts and calls, because the customer has asked for it. An existing opt-out by a
 * person does not change. Errors: call_not_found, tenant_restricted_key, invalid_phone (a hidden number).
 */
export async function optOutCustomer(tx: Tx, scope: Scope, callId: string): Promise<OptOut> {
  const call = await getCall(tx, scope, callId);
  const externalNumber = customerOf(call);
  if (externalNumber === null) throw new ApiError('invalid_phone', { param: 'call_id', message: NO_NUMBER });
  return await optOutByRequest(tx, scope, { tenantId: call.tenant_id, externalNumber }, 'voice');
}
