/**
 * Records of calls that the engine connects without Dialplane: a telephone of a tenant dials 911 or 933. The engine's
 * events report the progress of such a call. This module sends no command to the engine, and its failures do not affect
 * the call.
 */
import { ApiError } from '../../lib/errors/errors.ts';
import { newId } from '../../lib/ids.ts';
import { textAt, valueAt } from '../../lib/json-object.ts';
import { sipPhoneOf } from '../../lib/phone/agent-address.ts';
import { now } from '../../lib/time/time.ts';
import { findNumberOwner } from '../connections/owner-queries.ts';
import type { VoiceEvent } from '../ports/voice.ts';
import { tenantPhoneOfChannel } from './config/telephones.ts';
import { emergencyCallerOf } from './dial-plan.ts';
import type { AriEvent } from './event-socket.ts';
import type { Heard } from './heard.ts';
import { arriveLeg, findLegByChannel, listLegsOfCall, moveEngineLeg, type SipLeg } from './leg-queries.ts';
import { refsOf, report, reportEnd } from './reports.ts';

/** The dial plan's cause (Q.850) if no trunk has taken the call. */
const NO_TRUNK = 34;

/** Handles the event that the engine dials for a telephone. The first event of a call makes its record. */
export async function takeEmergencyDial(heard: Heard): Promise<void> {
  const { line, event } = heard;
  const { db, connectionId } = line;
  const callerId = emergencyCallerOf(event) ?? '';
  const caller = (await findLegByChannel(db, connectionId, callerId)) ?? (await record(heard, callerId));
  if (caller === undefined || caller.endedAt !== null) return;
  const { ledgerId, callRef } = caller;
  // The engine dials each trunk on another channel.
  const leg = await moveEngineLeg(db, { ledgerId, connectionId, callRef }, peerOf(event));
  if (leg === undefined) return;
  const status = event['dialstatus'];
  if (status === 'RINGING' || status === 'PROGRESS')
    await report(line, ledgerId, [{ type: 'leg.ringing', ...refsOf(leg) }]);
  if (status === 'ANSWER') await report(line, ledgerId, [{ type: 'leg.answered', ...refsOf(leg) }]);
}

/** Returns the channel that the engine dials. Null if a comparison with the engine found the call. */
function peerOf(event: AriEvent): string | null {
  return textAt(event, 'peer', 'id') ?? null;
}

/** Returns the event of a telephone's call to 911 or 933 that a comparison has found. */
export function emergencyDialOf(caller: unknown): AriEvent {
  return { type: 'Dial', caller, dialstatus: textAt(caller, 'state') === 'Up' ? 'ANSWER' : 'RINGING' };
}

/** Records the call of a telephone. Returns the telephone's leg; undefined if the telephone has no tenant. */
async function record({ line, engine, event }: Heard, channelId: string): Promise<SipLeg | undefined> {
  const { db, connectionId, settings } = line;
  const phone = tenantPhoneOfChannel(settings.phones, textAt(event, 'caller', 'name') ?? '');
  const to = textAt(event, 'caller', 'dialplan', 'exten') ?? '';
  const owner = phone && (await findNumberOwner(db, connectionId, phone.number));
  if (phone === undefined || owner === undefined) return undefined;
  const callRef = newId('call');
  const [legRef, connectedLegRef] = [newId('call_leg'), newId('call_leg')];
  const placed: VoiceEvent = {
    ...{
      type: 'telephone.dialled' as const,
      callRef,
      legRef,
      connectedLegRef,
      tenantId: phone.tenant,
      to,
      connectionId,
    },
    ...{ telephone: sipPhoneOf(phone.name), from: phone.number },
  };
  const ofLedger = { ledgerId: owner.ledgerId, connectionId };
  const leg = { callRef, engine: engine.name, isOfEngine: true };
  try {
    await db.transaction(async (tx) => {
      if (!(await arriveLeg(tx, { ...ofLedger, legRef }, { ...leg, channelId, party: 'agent' }))) return;
      await arriveLeg(
        tx,
        { ...ofLedger, legRef: connectedLegRef },
        { ...leg, channelId: peerOf(event), party: 'customer' },
      );
      await line.takeEvents(tx, owner, [placed]);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const about = { connection: connectionId, engine: engine.name, telephone: phone.name, code: error.code };
    line.log.error(
      about,
      'a call of a telephone to an emergency number has no record; the engine connects it all the same',
    );
    return undefined;
  }
  return await findLegByChannel(db, connectionId, channelId);
}

/** Handles the end of a channel of such a call. */
export async function takeEngineEnd({ line, event, leg }: Heard & { readonly leg: SipLeg }): Promise<void> {
  const endedAt = new Date(textAt(event, 'timestamp') ?? now());
  const wasUp = textAt(event, 'channel', 'state') === 'Up';
  if (leg.party === 'customer') {
    // If a trunk has not answered, another may follow. After the last trunk the telephone's leg ends.
    if (wasUp) await reportEnd(line, leg, { cause: 'hangup', endedAt });
    return;
  }
  const { ledgerId, callRef } = leg;
  const legs = await listLegsOfCall(line.db, { ledgerId, connectionId: line.connectionId }, callRef);
  const others = legs.filter((other) => other.party === 'customer' && other.endedAt === null);
  const isRefused = !wasUp && Number(valueAt(event, 'cause')) === NO_TRUNK;
  if (isRefused) for (const other of others) await reportEnd(line, other, { cause: 'unreachable', endedAt });
  await reportEnd(line, leg, { cause: 'hangup', endedAt });
  if (!isRefused) for (const other of others) await reportEnd(line, other, { cause: 'canceled', endedAt });
}
