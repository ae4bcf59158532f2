import type { Carriers, ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../db/database.ts';
import { ledgerNow } from '../../../../db/ledgers.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import { newId } from '../../../../lib/ids.ts';
import { sipPhoneName } from '../../../../lib/phone/agent-address.ts';
import { EMERGENCY_NUMBER, isEmergencyNumber } from '../../../../lib/phone/emergency.ts';
import { isDialable } from '../../../../lib/phone/phone.ts';
import type { Ledger, Scope } from '../../../../lib/scope.ts';
import { findAccount } from '../../../accounts/index.ts';
import { requireBalance } from '../../../billing/index.ts';
import type { NewEvent } from '../../../events/index.ts';
import {
  type CallingNumber,
  type CallParties,
  checkDestination,
  findCallingNumber,
  readDestinationRules,
} from '../../../numbers/index.ts';
import { lockTenantShared } from '../../../tenants/index.ts';
import { findWebClient } from '../../web-clients/queries.ts';
import { type EmergencyAgent, noticeEmergency } from '../execution/emergency-notice.ts';
import { openCall } from '../execution/executor.ts';
import { beginAgentCall } from '../machine/outbound.ts';
import { refuseItself, requireCaller } from './place-call.ts';

/** A call that a web client places: the number to dial, and the tenant's number (id or E.164) as its caller. */
export type WebClientCall = {
  readonly webClient: { readonly id: string; readonly tenantId: string };
  readonly to: string;
  readonly from?: string | undefined;
};

/** The call, and the web client's leg, which is up from the start. */
export type PlacedWebClientCall = {
  readonly callId: string;
  readonly legId: string;
  /** E.164 of the number that the call is made from. */
  readonly from: string;
};

/** A call that a telephone at an engine has dialled. */
export type TelephoneCall = {
  /** The telephone's address (sip_phone:front), and its tenant. */
  readonly agent: { readonly address: string; readonly tenantId: string };
  readonly to: string;
  /** E.164 of the number that the telephone calls from. */
  readonly from: string;
  readonly callId: string;
  /** The telephone's own leg. */
  readonly legId: string;
  /** The connection of its engine. */
  readonly connectionId: string;
  /** The other party's leg, if the engine dials it without a command. */
  readonly connectedLegId?: string | undefined;
};

/**
 * Starts a call of a web client: its leg is up already, and the other party is dialled. For 911 and 933, neither the
 * list of destinations nor the balance is checked. If the named number cannot be used, they are called from any other
 * number of the tenant. Emits call.placed, and for 911 emergency_call.placed before it; then the emergency contacts are
 * texted. Errors in order: invalid_to_number, from_number_not_found, tenant_restricted_key, carrier_unavailable,
 * destination_not_supported, insufficient_balance.
 */
export async function placeWebClientCall(
  context: Pick<Context, 'carriers'>,
  tx: Tx,
  ledger: Ledger,
  { webClient: { id: address, tenantId }, to, from }: WebClientCall,
): Promise<PlacedWebClientCall> {
  // An emergency call is placed even if the web client is being revoked.
  const client = isEmergencyNumber(to) ? await findWebClient(tx, ledger, address) : undefined;
  const name = client?.name ?? `the web client ${address}`;
  const agent = { address, tenantId, name, e911_address_id: client?.e911_address_id ?? null };
  return await placeOwnCall(context, tx, ledger, {
    ...{ agent, to, from, callId: newId('call'), legId: newId('call_leg') },
  });
}

/**
 * Starts a call of a telephone at an engine, as `placeWebClientCall` starts a call of a web client. Errors:
 * account_suspended, and the errors of `placeWebClientCall`.
 */
export async function placeTelephoneCall(
  context: Pick<Context, 'carriers'>,
  tx: Tx,
  ledger: Ledger,
  { agent, ...call }: TelephoneCall,
): Promise<void> {
  if (!isEmergencyNumber(call.to) && (await findAccount(tx, ledger.accountId))?.status === 'suspended') {
    throw new ApiError('account_suspended');
  }
  const name = `the telephone ${sipPhoneName(agent.address) ?? agent.address}`;
  await placeOwnCall(context, tx, ledger, { ...call, agent: { ...agent, name, e911_address_id: null } });
}

type OwnCall = Omit<TelephoneCall, 'agent' | 'from' | 'connectionId'> & {
  readonly agent: EmergencyAgent & { readonly tenantId: string };
  readonly from?: string | undefined;
  readonly connectionId?: string;
};

async function placeOwnCall(
  { carriers }: Pick<Context, 'carriers'>,
  tx: Tx,
  ledger: Ledger,
  wanted: OwnCall,
): Promise<PlacedWebClientCall> {
  const { agent, to, callId: id, legId, connectedLegId } = wanted;
  const isEmergency = isEmergencyNumber(to);
  if (!isEmergency && !isDialable(to)) throw new ApiError('invalid_to_number', { param: 'to' });
  const number = await findNumberFor(tx, ledger, wanted);
  refuseItself(number, { to });
  const connectionId = connectionOf(carriers, ledger, { number, isEmergency, agentConnectionId: wanted.connectionId });
  const { limits } = carriers.voice(ledger, connectionId);
  if (!isEmergency) {
    checkDestination(to, await readDestinationRules(tx, ledger), 'to');
    await requireBalance(tx, ledger, 'traffic');
  }
  await requireTenant(tx, ledger, number.tenant_id);
  const at = await ledgerNow(tx, ledger.ledgerId);
  const ids = { id, recordingId: newId('recording'), voicemailRecordingId: newId('recording') };
  const from = number.phone_number;
  const { address } = agent;
  const begun = beginAgentCall(
    { ...ids, number: from, customer: to, agent: address, legId, connectedLegId, limits },
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
    connectTo: address,
    record: false,
    connectionId,
  };
  const urgent: NewEvent[] = [];
  if (to === EMERGENCY_NUMBER) urgent.push(await noticeEmergency(tx, ledger, { callId: id, number, agent, at }));
  await openCall(tx, ledger, { ...call, direction: 'outbound' }, { begun, at, urgent });
  return { callId: id, legId, from };
}

/** Locks the tenant, so that neither the tenant nor its number is deleted while the call is placed. */
async function requireTenant(tx: Tx, ledger: Ledger, tenantId: string): Promise<void> {
  if (!(await lockTenantShared(tx, ledger, tenantId))) throw new ApiError('from_number_not_found', { param: 'from' });
}

type Going = {
  readonly number: CallingNumber;
  readonly isEmergency: boolean;
  readonly agentConnectionId: string | undefined;
};

/**
 * Returns the connection of the call. If the agent's leg is at a carrier, this is the leg's connection. An emergency
 * call of another agent uses the connection that has the number's address, even if that connection takes no other
 * calls. Error: carrier_unavailable.
 */
function connectionOf(
  carriers: Carriers,
  ledger: Ledger,
  { number, isEmergency, agentConnectionId }: Going,
): ConnectionId {
  const { voice_connection_id: usual, e911_connection_id: registered } = number;
  if (isEmergency) return agentConnectionId ?? registered ?? usual;
  const connectionId = agentConnectionId ?? usual;
  carriers.requireOpen('voice', ledger, connectionId);
  return connectionId;
}

/**
 * Returns the number that a call is made from. The carrier has the address of each number. If a web client has an
 * address, its emergency call is made from a number of the tenant at that address, if there is one.
 */
async function findNumberFor(tx: Tx, ledger: Ledger, { agent, from, to }: OwnCall): Promise<CallingNumber> {
  const { tenantId, e911_address_id: addressId } = agent;
  const scope = { ...ledger, tenantId, keyId: agent.address };
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

/**
 * Returns the named number. If it cannot be used, returns the fallback, so that an emergency call is never refused
 * because of it.
 */
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
