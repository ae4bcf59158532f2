/** The start and the end of legs: dialling over trunks, answering, hanging up. */
import { isIPv6 } from 'node:net';
import { emergencyNumberOf } from '../../lib/phone/emergency.ts';
import type { Ledger } from '../../lib/scope.ts';
import { ACCEPTED, endingOutcome, type Instruction, LEG_GONE, type VoiceOutcome } from '../call-control/verbs.ts';
import type { HangUpReason } from '../ports/voice.ts';
import type { EngineClient } from './ari-client.ts';
import { emergencyTrunksOf, type SipTrunk } from './config/settings.ts';
import { earlierEndpointOfTrunk, endpointOfTrunk } from './config/trunk-endpoints.ts';
import { ANSWERED, ANSWERED_LEG, NOWHERE, OVER, OVER_LEG } from './dial-plan.ts';
import { advanceAttempt, type Dialled, markHungUp, openLeg, type SipLeg } from './leg-queries.ts';
import { phoneOf, writeNumber } from './numbers.ts';
import { DONE_BEFORE, engineOf, type LiveLeg, type SipLine, voiceOutcome, type Work } from './sip-line.ts';

export const RING_MS_MAX = 600_000;
export const CALL_MS_MAX = 14_400_000;

/**
 * Dials a leg at most once, even if several commands request it. We choose the name of its channel, and the engine
 * accepts a name only once.
 */
export async function dial(
  { line, ledger, callRef, commandRef }: Work,
  { legRef, party, to, from, shownAs, shownName, ringMs }: Instruction<'dial'>,
): Promise<VoiceOutcome> {
  const { ledgerId } = ledger;
  const name = { ledgerId, connectionId: line.connectionId, legRef };
  const dialled: Dialled = { to, from, shownAs, ...(shownName !== undefined && { shownName }), ringMs };
  if (routeOf(line, dialled, 0) === undefined) return { outcome: 'rejected', reason: 'destination_refused' };
  const leg = await openLeg(line.db, name, { callRef, party, dialled, commandRef });
  if (leg === undefined) return { outcome: 'unavailable', cause: 'unreachable' };
  if (leg.isHungUp || leg.endedAt !== null || leg.engine === null) return LEG_GONE;
  // The process that received the end of the attempt has already dialled the next trunk.
  if (leg.attempt > 0) return ACCEPTED;
  return await place(line, engineOf(line, { engine: leg.engine }), leg);
}

/** The route of a leg: the possible names of its endpoint at the engine, in the order to try them, and its trunk. */
type Route = { readonly endpoints: readonly string[]; readonly trunk: SipTrunk | undefined };

/** Returns the route of an attempt; undefined if no trunk is left. The engine's own telephones need no trunk. */
function routeOf({ settings }: SipLine, { to }: Dialled, attempt: number): Route | undefined {
  const phone = phoneOf(settings, to);
  if (phone !== undefined) return attempt === 0 ? { endpoints: [phone], trunk: undefined } : undefined;
  const trunk = trunksFor(settings, to)[attempt];
  if (trunk === undefined) return undefined;
  const names = [endpointOfTrunk(settings, trunk.name), earlierEndpointOfTrunk(trunk.name)];
  return { endpoints: names.map((name) => `PJSIP/${writeNumber(trunk, to)}@${name}`), trunk };
}

/** Returns the trunk of a leg's present channel; undefined for a caller, and for a telephone of the engine. */
export function trunkOf(line: SipLine, { dialled, attempt }: SipLeg): SipTrunk | undefined {
  return dialled === null ? undefined : routeOf(line, dialled, attempt)?.trunk;
}

function trunksFor(settings: SipLine['settings'], to: string): readonly SipTrunk[] {
  return emergencyNumberOf(to) === undefined ? settings.trunks : emergencyTrunksOf(settings);
}

/**
 * Dials a leg over its trunk. If the engine reports that the trunk is unreachable, dials over the next one. The request
 * that makes the channel also dials it, so a channel that exists is already dialled.
 */
async function place(line: SipLine, engine: EngineClient, leg: SipLeg): Promise<VoiceOutcome> {
  const { dialled, channelId } = leg;
  const route = dialled === null ? undefined : routeOf(line, dialled, leg.attempt);
  if (route === undefined || dialled === null || channelId === null) return LEG_GONE;
  const shown = shownBy(dialled, route.trunk);
  for (const endpoint of route.endpoints) {
    const made = await engine.ask({
      method: 'POST',
      path: '/channels',
      query: {
        ...{ endpoint, channelId, callerId: shown.number },
        ...{ context: ANSWERED, extension: ANSWERED_LEG, priority: '1' },
        timeout: String(Math.ceil(Math.min(dialled.ringMs, RING_MS_MAX) / 1_000)),
      },
      body: { variables: shown.variables },
    });
    if (made.is !== 'refused') return voiceOutcome(made);
    if (made.status === DONE_BEFORE) return ACCEPTED;
  }
  if (await dialNext(line, engine, leg)) return ACCEPTED;
  return { outcome: 'unavailable', cause: 'unreachable' };
}

/**
 * Returns the caller that the party sees. If a trunk's provider takes only our own numbers, this is the number that the
 * call is made from. Only telephones of the engine get the caller's name: other networks look up names by the number.
 */
function shownBy({ from, shownAs, shownName }: Dialled, trunk: SipTrunk | undefined) {
  const shown = trunk === undefined || trunk.caller_id === 'passed_on' ? shownAs : from;
  const isHidden = shown === 'anonymous';
  const number = isHidden ? from : shown;
  return {
    number: trunk === undefined ? number : writeNumber(trunk, number),
    variables: {
      // The engine sends the dialled party the identity of the other party.
      'CONNECTEDLINE(pres)': isHidden ? 'prohib' : 'allowed',
      ...(trunk !== undefined && shown !== from && { 'PJSIP_HEADER(add,Diversion)': diversionOf(trunk, from) }),
      ...(trunk === undefined && shownName !== undefined && { 'CONNECTEDLINE(name)': shownName }),
      // Otherwise a redirection (3xx) would become a call from outside, to the number in the redirection.
      FORWARD_CONTEXT: NOWHERE,
      'CHANNEL(hangup_handler_push)': `${OVER},${OVER_LEG},1`,
    },
  };
}

/**
 * Names the number that forwards the call (RFC 5806). The provider attests callers (STIR/SHAKEN) by that number,
 * because it does not know the caller.
 */
function diversionOf(trunk: SipTrunk, number: string): string {
  const host = isIPv6(trunk.host) ? `[${trunk.host}]` : trunk.host;
  return `<sip:${writeNumber(trunk, number)}@${host}>;reason=unconditional;counter=1`;
}

/**
 * Dials a leg over the next trunk after the previous one failed. Returns false if there is no next trunk, or if the leg
 * was hung up in the meantime.
 */
export async function dialNext(line: SipLine, engine: EngineClient, leg: SipLeg): Promise<boolean> {
  const attempt = leg.attempt + 1;
  if (leg.dialled === null || routeOf(line, leg.dialled, attempt) === undefined) return false;
  const name = { ledgerId: leg.ledgerId, connectionId: line.connectionId, legRef: leg.legRef };
  const next = await advanceAttempt(line.db, name, attempt);
  if (next === undefined) return false;
  line.log.info(
    { connection: line.connectionId, engine: engine.name, leg: leg.legRef, attempt },
    'the next trunk is tried',
  );
  const placed = await place(line, engine, next);
  // If the channel was not made, the next comparison finds that it is missing.
  return placed.outcome === 'accepted' || placed.outcome === 'unknown';
}

export async function answer(work: Work, leg: LiveLeg): Promise<VoiceOutcome> {
  const path = `/channels/${leg.channelId}/answer`;
  return voiceOutcome(await engineOf(work.line, leg).ask({ method: 'POST', path }));
}

const REASONS: Readonly<Record<HangUpReason, string>> = {
  ended: 'normal',
  answered_elsewhere: 'answered_elsewhere',
  no_answer: 'no_answer',
  busy: 'busy',
  // 503 makes the calling telephone show that its call has failed.
  failed: 'congestion',
};

/** Hangs up a leg in any state, unless the engine itself connects its call. May be repeated. */
export async function hangUp(
  line: SipLine,
  { ledger, callRef }: { readonly ledger: Ledger; readonly callRef: string },
  { legRef, reason }: Instruction<'hang_up'>,
): Promise<VoiceOutcome> {
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, legRef };
  const leg = await markHungUp(line.db, name, callRef);
  if (leg.engine === null || leg.endedAt !== null || leg.isOfEngine) return ACCEPTED;
  return await removeChannel(line, leg, REASONS[reason]);
}

/** Ends the channel of a leg. A channel that does not exist counts as ended. */
async function removeChannel(line: SipLine, leg: SipLeg, reason: string): Promise<VoiceOutcome> {
  if (leg.engine === null || leg.channelId === null) return ACCEPTED;
  const engine = engineOf(line, { engine: leg.engine });
  const answered = await engine.ask({ method: 'DELETE', path: `/channels/${leg.channelId}`, query: { reason } });
  return endingOutcome(voiceOutcome(answered));
}
