import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { controlCall, getCall } from '../calls/control/control-call.ts';
import { findLatestRelay, findRelay } from './queries.ts';
import type { Relay } from './schema.ts';

/** Returns the latest relay of a call. Errors: call_not_found, tenant_restricted_key, relay_not_found. */
export async function getRelay(db: Db, scope: Scope, callId: string): Promise<Relay> {
  await getCall(db, scope, callId);
  return visible(scope, await findLatestRelay(db, scope, callId), 'relay_not_found');
}

/**
 * Ends the relay of a call. An ended relay does not change. Errors: call_not_found, tenant_restricted_key,
 * relay_not_found.
 */
export async function stopRelay(tx: Tx, scope: Scope, callId: string): Promise<Relay> {
  const { id, status } = await getRelay(tx, scope, callId);
  if (status !== 'ended')
    await controlCall(tx, scope, callId, { type: 'stream_over', streamId: id, reason: 'api_request' });
  const relay = await findRelay(tx, scope, id);
  if (relay === undefined) throw new ApiError('relay_not_found');
  return relay;
}
