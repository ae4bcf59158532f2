/** The notices of an emergency call: an event for the tenant's platform, and a text to its emergency contacts. */
import type { Tx } from '../../../../db/database.ts';
import { isSipPhone, isWebClient } from '../../../../lib/phone/agent-address.ts';
import { EMERGENCY_NUMBER } from '../../../../lib/phone/emergency.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import type { NewEvent } from '../../../events/index.ts';
import { sendEmergencyTexts } from '../../../messaging/index.ts';
import { type CallingNumber, type E911Address, findE911Address, isAddressConfirmed } from '../../../numbers/index.ts';
import { getTenant } from '../../../tenants/index.ts';

/** The caller of an emergency call: a web client or a telephone, by its address. */
export type EmergencyAgent = {
  readonly address: string;
  readonly name: string;
  readonly e911_address_id: string | null;
};

export type EmergencyCall = {
  readonly callId: string;
  readonly number: CallingNumber;
  readonly agent: EmergencyAgent;
  readonly at: Date;
};

/**
 * Texts the tenant's emergency contacts in the transaction of the call. Returns the event that notifies the tenant's
 * platform. The address is the web client's, or the number's if the agent has none.
 */
export async function noticeEmergency(tx: Tx, ledger: Ledger, call: EmergencyCall): Promise<NewEvent> {
  const { callId, number, agent, at } = call;
  const addressId = agent.e911_address_id ?? number.e911_address_id;
  const isRegistered = addressId === number.e911_address_id && (await isAddressConfirmed(tx, ledger, number.id));
  const tenantId = number.tenant_id;
  const tenant = await getTenant(tx, { ...ledger, tenantId, keyId: agent.address }, tenantId);
  const address = addressId === null ? undefined : await findE911Address(tx, ledger, addressId);
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(tenant.timezone);
  const time = wall.toPlainTime().toString({ smallestUnit: 'minute' });
  const body =
    `${tenant.sender_name}: ${agent.name} dialed ${EMERGENCY_NUMBER} at ${time} from ${number.phone_number}. ` +
    `${placeOf(address, isRegistered)}`;
  await sendEmergencyTexts(tx, ledger, { tenantId, numberId: number.id, contacts: tenant.emergency_contacts, body });
  const data = {
    object: 'emergency_call',
    call_id: callId,
    tenant_id: tenantId,
    phone_number_id: number.id,
    from: number.phone_number,
    to: EMERGENCY_NUMBER,
    web_client_id: isWebClient(agent.address) ? agent.address : null,
    telephone: isSipPhone(agent.address) ? agent.address : null,
    e911_address_id: addressId,
    address_confirmed: isRegistered,
    placed_at: at,
  };
  return { type: 'emergency_call.placed', tenantId, resourceId: callId, data };
}

function placeOf(address: E911Address | undefined, isRegistered: boolean): string {
  if (address === undefined) return 'No address is known.';
  const { street, unit, city, state, postal_code } = address;
  const written = [street, unit, city, `${state} ${postal_code}`].filter((part) => part !== null).join(', ');
  return `Address: ${written}.${isRegistered ? '' : ' The carrier does not have this address for the number.'}`;
}
