/** Handles the events of an engine. */

import { newId } from '../../lib/ids.ts';
import { listAt, textAt, valueAt } from '../../lib/json-object.ts';
import { ownValue } from '../../lib/own-value.ts';
import { type Attestation, readVerdict } from '../../lib/phone/attestation.ts';
import { isAnonymousAddress, readDisplayName } from '../../lib/phone/display-name.ts';
import { ANONYMOUS, asksForPrivacy, readNumber, readParty } from '../../lib/phone/party.ts';
import { now } from '../../lib/time/time.ts';
import { findNumberOwner } from '../connections/owner-queries.ts';
import { CALLER_PROOF_CHARS_MAX, type CallerProof, type VoiceEvent } from '../ports/voice.ts';
import { causeOf, refusalByTrunk, tellsToTryNext } from './causes.ts';
import { tenantPhoneOfChannel } from './config/telephones.ts';
import { dialNext, trunkOf } from './dial.ts';
import { DIALLED, emergencyCallerOf, isLegChannel, isOfTrunk } from './dial-plan.ts';
import { takeEmergencyDial, takeEngineEnd } from './emergency-calls.ts';
import type { AriEvent, EventType } from './event-socket.ts';
import { argument, type Heard } from './heard.ts';
import { arriveLeg, findLegByChannel, type SipLeg } from './leg-queries.ts';
import { removeChannel } from './media/helpers.ts';
import { readMediaEvent } from './media/media-events.ts';
import { refsOf, report, reportEnd } from './reports.ts';
import { takeTelephoneCall } from './telephone-calls.ts';
import { alarmOfTrunk } from './trunk-alarms.ts';

/** An event about a known leg. */
type OfLeg = Heard & { readonly leg: SipLeg };

type Reader = (of: OfLeg) => VoiceEvent[];

/** The readers of events: each returns the event's report about its leg. */
const READERS: Readonly<Record<string, Reader>> = {
  ChannelStateChange: ({ leg, event }) => {
    const state = textAt(event, 'channel', 'state');
    // A dialled leg takes commands only after it has entered the application.
    if (state === 'Up') return leg.dialled === null ? [{ type: 'leg.answered', ...refsOf(leg) }] : [];
    return state === 'Ringing' && leg.dialled !== null ? [{ type: 'leg.ringing', ...refsOf(leg) }] : [];
  },
  StasisStart: ({ leg, event }) =>
    valueAt(event, 'args', 0) === DIALLED ? [{ type: 'leg.answered', ...refsOf(leg) }] : [],
  // Early media without ringing.
  Dial: ({ leg, event }) => (event['dialstatus'] === 'PROGRESS' ? [{ type: 'leg.ringing', ...refsOf(leg) }] : []),
  ChannelDtmfReceived: ({ leg, event }) => {
    const digit = textAt(event, 'digit') ?? '';
    const keyRef = `${leg.legRef}-${textAt(event, 'timestamp') ?? ''}`;
    return DIGIT.test(digit) ? [{ type: 'leg.digit', ...refsOf(leg), digit, keyRef }] : [];
  },
} satisfies Partial<Record<EventType, Reader>>;

const DIGIT = /^[0-9A-D*#]$/;

/** True for an event that only reports about a leg. The queue handles several such events of one leg together. */
export function isReport(event: AriEvent): boolean {
  const isOther = isArrival(event) || redirectedIn(event) !== undefined || emergencyCallerOf(event) !== undefined;
  return Object.hasOwn(READERS, event.type) && isLegChannel(channelIn(event)) && !isOther;
}

/** Handles one event, or several reports of one leg. May be repeated. */
export async function carryOutEvents(
  { line, engine }: Omit<Heard, 'event'>,
  events: readonly [AriEvent, ...AriEvent[]],
): Promise<void> {
  const [event] = events;
  if (isReport(event)) await takeReports({ line, engine, event }, events);
  else await takeEvent({ line, engine, event });
}

async function takeReports(heard: Heard, events: readonly AriEvent[]): Promise<void> {
  const { line, engine } = heard;
  const leg = await findLeg(heard);
  if (leg === undefined) return;
  // The dial reached the engine late, for example after a network failure. Its call no longer exists.
  if (leg.endedAt !== null && !leg.isOfEngine)
    return await removeChannel(engine, textAt(channelIn(heard.event), 'id') ?? '');
  const reported = events.flatMap((event) => ownValue(READERS, event.type)?.({ ...heard, event, leg }) ?? []);
  await report(line, leg.ledgerId, reported);
}

async function takeEvent(heard: Heard): Promise<void> {
  const { event } = heard;
  const redirectedId = redirectedIn(event);
  if (redirectedId !== undefined) return await endRedirection(heard, redirectedId);
  if (emergencyCallerOf(event) !== undefined) return await takeEmergencyDial(heard);
  await readMediaEvent(heard);
  if (isArrival(event)) return await takeArrival(heard);
  if (event.type === 'ChannelEnteredBridge') return await takeJoin(heard);
  if (event.type === 'ChannelLeftBridge') return await removeEmptyBridge(heard);
  if (event.type !== 'StasisEnd' && event.type !== 'ChannelDestroyed') return;
  const leg = isLegChannel(channelIn(event)) ? await findLeg(heard) : undefined;
  // A caller's channel leaves the application at its end. The engine sends no later event about it.
  const isEnd = event.type === 'ChannelDestroyed' || leg?.dialled === null;
  if (leg !== undefined && isEnd) await takeEnd({ ...heard, leg });
}

/** The channel that the engine made for a redirection (3xx) of a dialled leg. */
const redirectedIn = (event: AriEvent) => (event.type === 'Dial' ? textAt(event, 'forwarded', 'id') : undefined);

/**
 * Ends a redirection. If the new address names a technology, such as `PJSIP/…`, the engine follows it and ignores
 * `FORWARD_CONTEXT`. The redirected leg itself has ended, so the next trunk is tried.
 */
async function endRedirection({ line, engine, event }: Heard, channelId: string): Promise<void> {
  line.log.warn(
    { connection: line.connectionId, engine: engine.name, to: textAt(event, 'forward') },
    'a called party redirected the call (3xx); it is not followed',
  );
  await removeChannel(engine, channelId);
}

const channelIn = (event: AriEvent) => event['channel'] ?? event['peer'];

function isArrival(event: AriEvent): boolean {
  return event.type === 'StasisStart' && valueAt(event, 'args', 0) === 'arrival';
}

async function findLeg({ line, event }: Heard): Promise<SipLeg | undefined> {
  return await findLegByChannel(line.db, line.connectionId, textAt(channelIn(event), 'id') ?? '');
}

/** Handles a call to one of our numbers. A call to another number is refused with 404. */
async function takeArrival(heard: Heard): Promise<void> {
  const { line, engine, event } = heard;
  const { db, connectionId } = line;
  const phone = tenantPhoneOfChannel(line.settings.phones, textAt(event, 'channel', 'name') ?? '');
  if (phone !== undefined) return await takeTelephoneCall(heard, phone);
  const channelId = textAt(event, 'channel', 'id') ?? '';
  const called = readNumber(argument(event, 1) ?? '');
  const owner = called === undefined ? undefined : await findNumberOwner(db, connectionId, called);
  if (called === undefined || owner === undefined) {
    line.metrics.carrierNotices.inc({ kind: 'sip', result: 'foreign' });
    const of = { connection: connectionId, engine: engine.name };
    line.log.warn(of, 'a call to a number that is not of the connection; refused with 404');
    await engine.ask({ method: 'DELETE', path: `/channels/${channelId}`, query: { reason: 'unallocated' } });
    return;
  }
  const refs = { callRef: newId('call'), legRef: newId('call_leg') };
  const isHidden = isWithheld(event);
  const from = isHidden ? ANONYMOUS : readParty(textAt(event, 'channel', 'caller', 'number') ?? '');
  // The attestations are about the caller. A telephone attests no one (RFC 3325, 5).
  const caller = isHidden || !isOfTrunk(event['channel']) ? undefined : proofIn(event);
  const callerName = isHidden ? undefined : nameIn(event);
  const attestation = attestationIn(event);
  const arrived: VoiceEvent = {
    ...{ type: 'call.arrived', ...refs, from, to: called, connectionId },
    ...(callerName !== undefined && { callerName }),
    ...(attestation !== undefined && { attestation }),
    ...(caller && { caller }),
  };
  const name = { ledgerId: owner.ledgerId, connectionId, legRef: refs.legRef };
  const arrivedAt = { engine: engine.name, channelId, party: 'customer' } as const;
  // Leg and call commit together. A channel without a leg has no call, and the next comparison handles its arrival.
  const isNew = await db.transaction(async (tx) => {
    if (!(await arriveLeg(tx, name, { ...arrivedAt, callRef: refs.callRef }))) return false;
    await line.takeEvents(tx, owner, [arrived]);
    return true;
  });
  // Plays ringing to the caller of a new call. For a repeated event, the call may already be answered.
  if (isNew) await engine.ask({ method: 'POST', path: `/channels/${channelId}/ring` });
}

/**
 * True if the caller asks to hide the number, for example by *67. A trusted trunk still sends the number (RFC 3325 §7).
 */
function isWithheld(event: AriEvent): boolean {
  const [presentation = '', privacy = '', remoteParty = ''] = [4, 5, 6].map((at) => argument(event, at));
  const ofRemoteParty = /;\s*privacy\s*=\s*"?([^;">]*)/i.exec(remoteParty)?.[1] ?? '';
  return presentation.startsWith('prohib') || [privacy, ofRemoteParty].some(asksForPrivacy);
}

/** The positions of the dial plan's arguments that contain an Identity header. */
const IDENTITIES = [2, 7, 8];

/** Reads the attestations of a caller. */
function proofIn(event: AriEvent): CallerProof | undefined {
  const identities = IDENTITIES.flatMap((at) => argument(event, at) || []);
  const identity = identities.join(', ').slice(0, CALLER_PROOF_CHARS_MAX);
  const asserted_identity = argument(event, 3)?.slice(0, CALLER_PROOF_CHARS_MAX);
  if (!identity && !asserted_identity) return undefined;
  return { ...(identity && { identity }), ...(asserted_identity && { asserted_identity }) };
}

/**
 * Returns the caller's name. The trunk's assertion comes before the name from the caller's telephone (RFC 3325, 9.1).
 */
function nameIn(event: AriEvent): string | undefined {
  const asserted = isOfTrunk(event['channel']) ? readDisplayName(argument(event, 3) ?? '') : undefined;
  const from = argument(event, 9) ?? '';
  return asserted ?? (isAnonymousAddress(from) ? undefined : readDisplayName(from));
}

/** Returns the provider's verdict; undefined for a telephone. */
function attestationIn(event: AriEvent): Attestation | undefined {
  if (!isOfTrunk(event['channel'])) return undefined;
  return readVerdict(argument(event, 3) ?? '') ?? readVerdict(argument(event, 9) ?? '');
}

/** Two legs in one bridge hear each other. */
async function takeJoin({ line, event }: Heard): Promise<void> {
  const members = listAt(event, 'bridge', 'channels');
  const bridgeId = textAt(event, 'bridge', 'id') ?? '';
  if (members.length !== 2 || !isOfCall(bridgeId)) return;
  const legs = await Promise.all(members.map((id) => findLegByChannel(line.db, line.connectionId, String(id))));
  const [first, second] = legs;
  if (first === undefined || second === undefined) return;
  const { ledgerId, callRef } = first;
  await report(line, ledgerId, [{ type: 'legs.bridged', callRef, legRefs: [first.legRef, second.legRef] }]);
}

/** True for a bridge of two legs. Other bridges are for sounds, recordings and streams. */
export function isOfCall(bridgeId: string): boolean {
  return bridgeId.startsWith('call_');
}

async function removeEmptyBridge({ engine, event }: Heard): Promise<void> {
  const bridgeId = textAt(event, 'bridge', 'id') ?? '';
  if (!isOfCall(bridgeId) || listAt(event, 'bridge', 'channels').length > 0) return;
  await engine.ask({ method: 'DELETE', path: `/bridges/${bridgeId}` });
}

/** Handles the end of a channel. If its trunk could not take the call, dials the leg over the next trunk. */
async function takeEnd({ line, engine, event, leg }: OfLeg): Promise<void> {
  if (leg.endedAt !== null) return;
  // The event is about an earlier channel of the leg.
  if (leg.channelId !== textAt(event, 'channel', 'id')) return;
  if (leg.isOfEngine) return await takeEngineEnd({ line, engine, event, leg });
  const trunk = trunkOf(line, leg);
  if (!leg.isHungUp && leg.dialled !== null) {
    const status = trunk === undefined ? undefined : refusalByTrunk(event);
    if (trunk !== undefined && status !== undefined) alarmOfTrunk(line, { engine, leg, trunk, status });
    if (tellsToTryNext(event) && (await dialNext(line, engine, leg))) return;
  }
  const endedAt = new Date(textAt(event, 'timestamp') ?? now());
  await reportEnd(line, leg, { ...causeOf(event, leg, trunk !== undefined), endedAt });
}
