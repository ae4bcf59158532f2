import type { VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { touchConversation } from '../../messaging/index.ts';
import {
  DEFAULT_VOICEMAIL,
  type DestinationRules,
  decideBehavior,
  findOwnedNumber,
  findRouting,
  isReachable,
  type OwnedNumber,
  readDestinationRules,
  targetsOfBehavior,
} from '../../numbers/index.ts';
import { lockTenantShared } from '../../tenants/index.ts';
import { CALL_PREVIEW } from '../conversation-previews.ts';
import type { RefusedTarget } from './call.ts';
import { openCall } from './executor.ts';
import { type Arrival, beginInbound } from './machine/inbound.ts';
import { hasCall, refuseCall } from './write-queries.ts';

type ArrivedCall = Extract<VoiceEvent, { type: 'call.arrived' }>;

/** The `from` of a caller who hides the number. */
const ANONYMOUS = 'anonymous';

const NO_RECORDING = { enabled: false, consent_announcement: true };

/**
 * Starts a call that has arrived: evaluates the number's hours, checks every target again, and adds the call to its
 * conversation. A call that was received before changes nothing. A call to a number that the ledger does not own is
 * hung up.
 */
export async function receiveCall(
  tx: Tx,
  ledger: Ledger,
  { carriers }: Pick<Context, 'carriers'>,
  arrived: ArrivedCall,
): Promise<void> {
  const { callRef: id, legRef: legId, from, to } = arrived;
  if (await hasCall(tx, ledger, id)) return;
  const number = await findOwnedNumber(tx, ledger, to);
  // The lock keeps the tenant, and with it the number, from being deleted until the transaction ends.
  if (number === undefined || !(await lockTenantShared(tx, ledger, number.tenant_id))) {
    const connectionId = arrived.connectionId ?? number?.voice_connection_id ?? null;
    await refuseCall(tx, ledger, { callId: id, legId, connectionId });
    return;
  }
  const connectionId = arrived.connectionId ?? number.voice_connection_id;
  const at = await ledgerNow(tx, ledger.ledgerId);
  const routed = await route(tx, ledger, number, at);
  const { recording } = routed;
  const begun = beginInbound(
    {
      id,
      legId,
      number: to,
      customer: from,
      ...routed,
      recordingId: newId('recording'),
      voicemailRecordingId: newId('recording'),
      limits: carriers.voice(ledger, connectionId).limits,
    },
    at.getTime(),
  );
  const call = {
    id,
    tenantId: number.tenant_id,
    phoneNumberId: number.id,
    conversationId: await openConversation(tx, ledger, number, from),
    direction: 'inbound' as const,
    from,
    to,
    connectTo: null,
    record: recording.enabled,
    connectionId,
  };
  await openCall(tx, ledger, call, { begun, at });
}

type Routed = Pick<Arrival, 'behavior' | 'recording'> & Required<Pick<Arrival, 'refused' | 'holdAudioRef'>>;

async function route(tx: Tx, ledger: Ledger, number: OwnedNumber, at: Date): Promise<Routed> {
  const routing = await findRouting(tx, ledger, number.id);
  const config = routing?.config ?? null;
  if (routing === undefined || config === null) {
    return { behavior: DEFAULT_VOICEMAIL, recording: NO_RECORDING, refused: [], holdAudioRef: null };
  }
  const { behavior } = decideBehavior(config, routing.timezone, at);
  const targets = targetsOfBehavior(behavior);
  const rules = targets.length > 0 ? await readDestinationRules(tx, ledger) : undefined;
  const refused = targets.flatMap((target): RefusedTarget[] => {
    // A call to the number itself would be routed here again, without end.
    if (target === number.phone_number) return [{ target, reason: 'own_number' }];
    return rules === undefined || mayDial(target, rules) ? [] : [{ target, reason: 'destination_not_supported' }];
  });
  return { behavior, recording: config.recording, refused, holdAudioRef: routing.holdAudioRef };
}

/** Returns true for web clients and for numbers that the destination rules allow. */
function mayDial(target: string, rules: DestinationRules): boolean {
  return !target.startsWith('+') || isReachable(target, rules);
}

/** Returns the conversation with the caller; null for a caller who hides the number. */
async function openConversation(tx: Tx, ledger: Ledger, number: OwnedNumber, from: string): Promise<string | null> {
  if (from === ANONYMOUS) return null;
  return await touchConversation(tx, ledger, {
    id: newId('conversation'),
    tenantId: number.tenant_id,
    phoneNumberId: number.id,
    externalNumber: from,
    preview: CALL_PREVIEW,
  });
}
