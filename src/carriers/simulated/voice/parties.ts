/** What happens to the parties of a simulated call, under the lock of the call. Each returns the events it gives. */
import type { Tx } from '../../../db/database.ts';
import { isWebClient, wakeWebClient } from '../../../domain/voice/index.ts';
import type { LegEndCause, VoiceEvent } from '../../ports/voice.ts';
import { MAGIC } from '../magic-numbers.ts';
import {
  type BookedSound,
  cancelOnCall,
  cutSounds,
  type EndedRecording,
  endRecordings,
  enterLeg,
  enterSound,
  type PlannedAct,
  planOnCall,
  type SimulatedCall,
  type Sound,
  takeUnreported,
} from './books.ts';
import { endMessage } from './message.ts';
import type { SimulatedLeg } from './queries.ts';
import { tellsTargets } from './script.ts';

export const RING_AFTER_MS = 300;
const ANSWER_AFTER_MS = 1_000;
/** How long people talk. */
export const TALK_MS = 15_000;
/** How long a customer stays who has nothing left to say. */
export const LEAVE_AFTER_MS = 2_000;
/** However long a gather or a stream lasts, nobody stays longer. */
export const STAY_MS_MAX = 300_000;

export type OnCall = { readonly tx: Tx; readonly ledgerId: number; readonly call: SimulatedCall };

export function findLeg({ call }: OnCall, legRef: string): SimulatedLeg | undefined {
  return call.legs.find((leg) => leg.leg_ref === legRef);
}

/** Enters what has changed of a leg. */
export async function changeLeg(on: OnCall, leg: SimulatedLeg, patch: Partial<SimulatedLeg>): Promise<SimulatedLeg> {
  const changed = { ...leg, ...patch };
  enterLeg(on.call, changed);
  wakeWebClients(on);
  return changed;
}

/** Tells the web clients on the call to look at it again. */
function wakeWebClients({ tx, ledgerId, call }: OnCall): void {
  for (const { address } of call.legs) if (isWebClient(address)) wakeWebClient(tx, { ledgerId, webClientId: address });
}

export const refsOf = ({ call_ref: callRef, leg_ref: legRef }: SimulatedLeg) => ({ callRef, legRef });

export async function plan(on: OnCall, planned: readonly PlannedAct[]): Promise<void> {
  planOnCall(on.call, planned);
}

export const hangUpName = (legRef: string) => `hang_up:${legRef}`;

/** The key that a customer presses who is asked to. */
export const pressName = (speechRef: string) => `press:${speechRef}`;

export function planHangUp(leg: SimulatedLeg, inMs: number): PlannedAct {
  return { name: hangUpName(leg.leg_ref), inMs, act: { act: 'hang_up', legRef: leg.leg_ref } };
}

/** A dialled party's phone begins to ring. */
export async function startRinging(on: OnCall, leg: SimulatedLeg): Promise<VoiceEvent[]> {
  if (leg.state !== 'dialing') return [];
  // The caller is to reach a voicemail.
  if (on.call.message_text !== null) return endLeg(on, leg, 'no_answer');
  await changeLeg(on, leg, { state: 'ringing' });
  if (leg.address !== MAGIC.neverAnswers && !tellsTargets(on.call.script)) {
    const act = { act: 'answer', legRef: leg.leg_ref } as const;
    await plan(on, [{ name: `answer:${leg.leg_ref}`, inMs: ANSWER_AFTER_MS, act }]);
  }
  return [{ type: 'leg.ringing', ...refsOf(leg) }];
}

/** A party that was dialled answers, however far its phone has come. */
export async function pickUp(on: OnCall, leg: SimulatedLeg): Promise<VoiceEvent[]> {
  if (leg.state === 'ended' || leg.state === 'up') return [];
  await changeLeg(on, leg, { state: 'up', answered_at: on.call.now });
  cancelOnCall(on.call, [`ring:${leg.leg_ref}`, `answer:${leg.leg_ref}`]);
  const rings: VoiceEvent[] = leg.state === 'dialing' ? [{ type: 'leg.ringing', ...refsOf(leg) }] : [];
  return [...rings, { type: 'leg.answered', ...refsOf(leg) }];
}

/** A party tires of the call; one that listens or is awaited stays until that is over. */
export async function tire(on: OnCall, leg: SimulatedLeg): Promise<VoiceEvent[]> {
  if (leg.state === 'ended') return [];
  const { now, script } = on.call;
  const longest = (leg.answered_at ?? now).getTime() + STAY_MS_MAX;
  // A stream keeps the party until stop_stream lets it go; not one that has left its message.
  const isHeld = on.call.stream_ref !== null && !leg.leaves_message;
  const busyUntil = isHeld ? longest : (leg.busy_until?.getTime() ?? 0);
  const busyMs = Math.min(busyUntil, longest) - now.getTime();
  if (busyMs > 0) {
    // One with a script is not let go (it may have a hang-up of its own before it): it looks for itself.
    await plan(on, [planHangUp(leg, script === null ? busyMs : Math.min(busyMs, LEAVE_AFTER_MS))]);
    return [];
  }
  const over = leg.leaves_message ? endMessage(on.call, leg) : [];
  const events = await endLeg(on, leg, 'hangup');
  return [...events, ...over.map((recording) => recordingEnded(on.call.call_ref, recording))];
}

/** Ends a leg: what its party was saying breaks off, and what only it kept up ends with it. */
export async function endLeg(
  on: OnCall,
  leg: SimulatedLeg,
  cause: LegEndCause,
  reason: string = cause,
): Promise<VoiceEvent[]> {
  const { call } = on;
  const { leg_ref: legRef } = leg;
  const ended = await changeLeg(on, leg, { state: 'ended', ended_at: call.now, end_reason: reason });
  cutSounds(call, legRef);
  const names = ['ring', 'answer', 'hang_up', 'small_talk', 'check_web_client'].map((name) => `${name}:${legRef}`);
  cancelOnCall(call, names);
  const said = takeUnreported(call, legRef).filter((sound) => sound.duration_ms > 0);
  const over = endRecordings(call, null);
  return [
    ...said.map((sound) => utterance(ended, sound)),
    { type: 'leg.ended', ...refsOf(ended), cause },
    ...over.map((recording) => recordingEnded(call.call_ref, recording)),
  ];
}

export function recordingEnded(callRef: string, { recording_ref, duration_ms }: EndedRecording): VoiceEvent {
  return { type: 'recording.ended', callRef, recordingRef: recording_ref, durationMs: duration_ms };
}

export function utterance(leg: SimulatedLeg, sound: Sound): Extract<VoiceEvent, { type: 'leg.utterance' }> {
  const endedAt = new Date(sound.starts_at.getTime() + sound.duration_ms);
  const { ref: utteranceRef, content: text, starts_at: startedAt } = sound;
  return { type: 'leg.utterance', ...refsOf(leg), utteranceRef, text, startedAt, endedAt };
}

type Said = { readonly ref: string; readonly text: string; readonly durationMs: number };

/** A party says something; that is to be reported, and the domain drops what it does not write down. */
export async function say(on: OnCall, leg: SimulatedLeg, { ref, text, durationMs }: Said): Promise<BookedSound> {
  return enterSound(on.call, {
    ref,
    said_by: leg.leg_ref,
    played_to: [],
    kind: 'speech',
    content: text,
    starts_at: on.call.now,
    duration_ms: durationMs,
  });
}

/** Presses keys, one after another: they are heard, and reported at once. */
export async function press(
  on: OnCall,
  leg: SimulatedLeg,
  { ref, digits, durationMs }: { ref: string; digits: string; durationMs: number },
): Promise<VoiceEvent[]> {
  const { call } = on;
  enterSound(call, {
    ref,
    said_by: leg.leg_ref,
    played_to: [],
    kind: 'keys',
    content: digits,
    starts_at: call.now,
    duration_ms: durationMs,
  });
  return [...digits.replaceAll(/w/gi, '')].map((digit, index) => {
    return { type: 'leg.digit', ...refsOf(leg), digit, keyRef: `${ref}:${index}` };
  });
}
