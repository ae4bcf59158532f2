import type { ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { Attestation } from '../../../../lib/phone/attestation.ts';

export type NewCall = {
  readonly id: string;
  readonly tenantId: string;
  readonly phoneNumberId: string;
  /** The id of the conversation if this call creates it; null for a call without a conversation. */
  readonly conversationId: string | null;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly connectTo: string | null;
  /** The name of a caller; absent for an outbound call. */
  readonly callerName?: string | null;
  readonly attestation?: Attestation | null;
  readonly record: boolean;
  readonly connectionId: ConnectionId;
  /** The routing config that applies to an inbound call; absent if there is none. */
  readonly routingConfigId?: string | null;
};

/** Returns the values of the statement that writes a new call. */
export function valuesOfNew(call: NewCall) {
  const { phoneNumberId, conversationId, direction, from, to, connectTo, record, connectionId } = call;
  const { callerName = null, attestation = null, routingConfigId = null } = call;
  return {
    ...{ phone_number_id: phoneNumberId, conversation_id: conversationId, connection_id: connectionId },
    ...{ direction, from, to, other_party: direction === 'inbound' ? from : to, connect_to: connectTo, record },
    ...{ caller_name: callerName, attestation, routing_config_id: routingConfigId },
  };
}
