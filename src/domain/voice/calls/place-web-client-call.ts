import type { Carriers, ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { EMERGENCY_NUMBER, isEmergencyNumber } from '../../../lib/emergency.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { isDialable } from '../../../lib/phone.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { requireBalance } from '../../billing/index.ts';
import type { NewEvent } from '../../events/index.ts';
import {
  type CallingNumber,
  type CallParties,
  checkDestination,
  findCallingNumber,
  readDestinationRules,
} from '../../numbers/index.ts';
import { lockTenantShared } from '../../tenants/index.ts';
import { findWebClient } from '../web-clients/queries.ts';
import { noticeEmergency } from './emergency-notice.ts';
import { openCall } from './executor.ts';
import { beginWebClientCall } from './machine/outbound.ts';
import { refuseItself, requireCaller } from './place-call.ts';

/** A call that a web client places: the number to dial, and the tenant's number (id or E.164) that it is made from. */
export type WebClientCall = {
  readonly webClient: { readonly id: string; readonly tenantId: string };
  readonly to: string;
  readonly from?: string | undefined;
};

const UNKNOWN = { name: null, e911_address_id: null };

/** The call, with the web client's own leg, which is up from the start. */
export type PlacedWebClientCall = {
  readonly callId: string;
  readonly legId: string;
  /** E.164 of the number that it is made from. */
  readonly from: string;
};

/**
 * Starts a call of a web client: its leg is up already, and the other party is dialled. 911 and 933 are checked against
 * neither the list of destinations nor the balance, and if the named number cannot be used, any other number of the
 * tenant is. Emits call.placed, and for 911 emergency_call.placed before it; then the emergency contacts are texted.
 * Errors in order: invalid_to_number, from_number_not_found, tenant_restricted_key, carrier_unavailable,
 * destination_not_supported, insufficient_balance.
 */
export async function placeWebClientCall(
  { carriers }: Pick<Context, 'carriers'>,
  tx: Tx,
  ledger: Ledger,
  wanted: WebClientCall,
): Promise<PlacedWebClientCall> {
  const { webClient, to } = wanted;
  const isEmergency = isEmergencyNumber(to);
  if (!isEmergency && !isDialable(to)) throw new ApiError('invalid_to_number', { param: 'to' });
  // An emergency call is placed also for a web client that is revoked at this moment.
  const caller = (isEmergency ? await findWebClient(tx, ledger, webClient.id) : undefined) ?? UNKNOWN;
  const number = await findNumberFor(tx, ledger, wanted, caller.e911_address_id);
  refuseItself(number, { to });
  const connectionId = connectionOf(carriers, ledger, { number, isEmergency });
  const { limits } = carriers.voice(ledger, connectionId);
  if (!isEmergency) {
    checkDestination(to, await readDestinationRules(tx, ledger), 'to');
    await requireBalance(tx, ledger, 'traffic');
  }
  await requireTenant(tx, ledger, number.tenant_id);
  const at = await ledgerNow(tx, ledger.ledgerId);
  const id = newId('call');
  const legId = newId('call_leg');
  const ids = { id, recordingId: newId('recording'), voicemailRecordingId: newId('recording') };
  const from = number.phone_number;
  const begun = beginWebClientCall(
    { ...ids, number: from, customer: to, webClient: webClient.id, legId, limits },
    at.getTime(),
  );
  const { tenant_id: tenantId, id: phoneNumberId } = number;
  // An emergency call belongs to no conversation.
  const conversationId = isEmergency ? null : newId('conversation');
  const call = {
    id,
    tenantId,
    phoneNumberId,
    conversationId,
    from,
    to,
    connectTo: webClient.id,
    record: false,
    connectionId,
  };
  const urgent: NewEvent[] = [];
  if (to === EMERGENCY_NUMBER) {
    urgent.push(
      await noticeEmergency(tx, ledger, { callId: id, number, webClient: { ...caller, id: webClient.id }, at }),
    );
  }
  await openCall(tx, ledger, { ...call, direction: 'outbound' }, { begun, at, urgent });
  return { callId: id, legId, from };
}

/** Locks the tenant, so that it is not deleted, and its number with it, while the call is placed. */
async function requireTenant(tx: Tx, ledger: Ledger, tenantId: string): Promise<void> {
  if (!(await lockTenantShared(tx, ledger, tenantId))) throw new ApiError('from_number_not_found', { param: 'from' });
}

/**
 * Returns the connection that the call goes by. An emergency call goes by the one that has the number's address, even
 * if that takes nothing else any more. Error: carrier_unavailable.
 */
function connectionOf(
  carriers: Carriers,
  ledger: Ledger,
  { number, isEmergency }: { number: CallingNumber; isEmergency: boolean },
): ConnectionId {
  const { voice_connection_id: usual, e911_connection_id: registered } = number;
  if (isEmergency) return registered ?? usual;
  carriers.requireOpen('voice', ledger, usual);
  return usual;
}

/**
 * Returns the number that a call is made from. The carrier has the address of each number, so an emergency call of a
 * web client with an address of its own is made from a number at that address, if the tenant has one.
 */
async function findNumberFor(
  tx: Tx,
  ledger: Ledger,
  { webClient, from, to }: WebClientCall,
  addressId: string | null,
): Promise<CallingNumber> {
  const { tenantId } = webClient;
  const scope = { ...ledger, tenantId, keyId: webClient.id };
  const isEmergency = isEmergencyNumber(to);
  const fallback = () => findCallingNumber(tx, ledger, { tenantId, isEmergency, addressId });
  let found = addressId === null ? undefined : await fallback();
  if (found !== undefined && found.e911_address_id === addressId) return found;
  if (from === undefined) found = await fallback();
  else if (!isEmergency) found = (await requireCaller(tx, scope, { from, to })).number;
  else found = await findNamedOr(tx, scope, { from, to }, fallback);
  if (found === undefined) throw new ApiError('from_number_not_found', { param: 'from' });
  return found;
}

/** Returns the named number, or the fallback: a number that cannot be used does not refuse an emergency call. */
async function findNamedOr(
  tx: Tx,
  scope: Scope,
  parties: CallParties,
  fallback: () => Promise<CallingNumber | undefined>,
): Promise<CallingNumber | undefined> {
  try {
    return (await requireCaller(tx, scope, parties)).number;
  } catch (error) {
    if (error instanceof ApiError) return fallback();
    throw error;
  }
}
