/** Carries out the domain's commands as the carrier. */
import { durationMsOf } from '../../../../audio/pcm.ts';
import { beep, dtmf } from '../../../../audio/tones.ts';
import { isSipPhone, isWebClient } from '../../../../lib/phone/agent-address.ts';
import { isEmergencyNumber } from '../../../../lib/phone/emergency.ts';
import type { VoiceInstruction } from '../../../ports/voice.ts';
import { isMachine, MAGIC } from '../../magic-numbers.ts';
import {
  endOf,
  type Facts,
  findLeg,
  findLegUp,
  hasDigitSteps,
  isByHand,
  isScripted,
  type Leg,
  type Refusal,
  type SimulatedCall,
} from '../call.ts';
import { bridgeLegs, holdLeg, listenIfAlone, resumeLeg } from './bridges.ts';
import { endLeg, LEAVE_AFTER_MS, refsOf, STAY_MS_MAX, TALK_MS } from './legs.ts';
import {
  addLeg,
  addRecording,
  addSound,
  cancel,
  change,
  changeLeg,
  cutSounds,
  endRecordings,
  LISTEN_GRACE_MS,
  nameOf,
  plan,
  report,
  setRecordingPaused,
  stayUntil,
  type Transition,
  takeUnreported,
} from './transition.ts';
import { findMessage, leaveMessage } from './voicemail.ts';

type Instruction<Name extends VoiceInstruction['do']> = Extract<VoiceInstruction, { do: Name }>;
type Handler<Name extends VoiceInstruction['do']> = (
  transition: Transition,
  instruction: Instruction<Name>,
  facts: Facts,
) => Refusal;

const RING_AFTER_MS = 300;
const BEEP_MS = durationMsOf(beep());
const PRESS_AFTER_MS = 1_500;
const SMALL_TALK_AFTER_MS = { customer: 6_000, agent: 9_000 } as const;
/** What the parties of a transcribed call say by themselves. */
export const SMALL_TALK = {
  customer: 'Hello, I am calling about my appointment tomorrow.',
  agent: 'Of course, let me look that up for you.',
} as const;

/** The name of the action that answers a request for a digit. */
export const pressName = (speechRef: string) => `press_digit:${speechRef}`;

export function takeCommand(transition: Transition, instruction: VoiceInstruction, facts: Facts): Refusal {
  const handle = HANDLERS[instruction.do] as Handler<VoiceInstruction['do']>;
  return handle(transition, instruction as never, facts);
}

const HANDLERS: { readonly [Name in VoiceInstruction['do']]: Handler<Name> } = {
  dial,
  answer,
  hang_up: hangUp,
  bridge,
  speak,
  hold,
  resume,
  stop_speech: breakOff,
  stop_gather: stopGather,
  send_digits: sendDigits,
  start_recording: startRecording,
  stop_recording: stopRecording,
  pause_recording: (transition, { recordingRef }) => setRecordingPaused(transition, recordingRef, true),
  resume_recording: (transition, { recordingRef }) => setRecordingPaused(transition, recordingRef, false),
  start_transcription: startTranscription,
  start_stream: startStream,
  stop_stream: stopStream,
};

function dial(transition: Transition, { legRef, party, to, detectsMachine }: Instruction<'dial'>): Refusal {
  const known = findLeg(transition.call, legRef);
  if (known !== undefined) return known.state === 'ended' ? 'leg_gone' : undefined;
  if (!to.startsWith('+') && !isEmergencyNumber(to) && !isSipPhone(to)) return 'destination_refused';
  const leg = { leg_ref: legRef, party, address: to, dialled: true, state: 'dialing' } as const;
  addLeg(transition, { ...leg, detects_machine: detectsMachine === true });
  plan(transition, { do: 'ring', legRef }, RING_AFTER_MS);
}

function answer(transition: Transition, { legRef }: Instruction<'answer'>): Refusal {
  const leg = findLeg(transition.call, legRef);
  if (leg === undefined || leg.state === 'ended') return 'leg_gone';
  changeLeg(transition, legRef, { state: 'up', answered_at: transition.now });
  if (!isScripted(transition.call.script)) plan(transition, { do: 'hang_up', legRef }, TALK_MS);
  report(transition, { type: 'leg.answered', ...refsOf(transition, leg) });
}

function hangUp(transition: Transition, { legRef }: Instruction<'hang_up'>): undefined {
  const leg = findLeg(transition.call, legRef);
  if (leg === undefined) {
    // The leg was not dialled yet. It is kept as an ended leg, so that a late dial is refused.
    const never = { party: 'agent', address: '', dialled: true, state: 'ended' } as const;
    addLeg(transition, { leg_ref: legRef, ...never });
  } else if (leg.state !== 'ended') endLeg(transition, leg, 'canceled');
}

function bridge(transition: Transition, { legRefs }: Instruction<'bridge'>): Refusal {
  const { call, now } = transition;
  const legs = listLegsUp(transition, legRefs);
  if (legs.length < legRefs.length) return 'leg_gone';
  change(transition, { bridged_at: now });
  bridgeLegs(transition, legRefs);
  const customer = legs.find((leg) => leg.party === 'customer');
  if (customer !== undefined && !isScripted(call.script)) {
    plan(transition, { do: 'hang_up', legRef: customer.leg_ref }, TALK_MS);
  }
  report(transition, { type: 'legs.bridged', callRef: call.call_ref, legRefs });
}

function hold(transition: Transition, { legRef, audioRef }: Instruction<'hold'>): Refusal {
  const [leg] = listLegsUp(transition, [legRef]);
  if (leg === undefined) return 'leg_gone';
  holdLeg(transition, leg, audioRef);
}

function resume(transition: Transition, { legRef }: Instruction<'resume'>): Refusal {
  if (listLegsUp(transition, [legRef]).length === 0) return 'leg_gone';
  resumeLeg(transition, legRef);
}

function speak(
  transition: Transition,
  { speechRef, legRefs, text, audioRef, purpose, listenMs = PRESS_AFTER_MS }: Instruction<'speak'>,
  { spokenMs = 0 }: Facts,
): Refusal {
  const legs = listLegsUp(transition, legRefs);
  if (legs.length === 0) return 'leg_gone';
  const played_to = legs.map((leg) => leg.leg_ref);
  const sound =
    audioRef === undefined
      ? ({ kind: 'speech', content: text } as const)
      : ({ kind: 'audio', content: audioRef } as const);
  addSound(transition, { ref: speechRef, played_to, ...sound, duration_ms: spokenMs });
  plan(transition, { do: 'report_sound', ref: speechRef }, spokenMs);
  // A party that must press digits stays until stop_gather.
  const staysMs = purpose === 'gather' ? STAY_MS_MAX : spokenMs + LISTEN_GRACE_MS;
  for (const { leg_ref } of legs) {
    stayUntil(transition, leg_ref, transition.now.getTime() + staysMs);
    if (purpose === 'gather') changeLeg(transition, leg_ref, { gather_ref: speechRef });
    if (purpose === 'greeting') changeLeg(transition, leg_ref, { is_greeted: true });
  }
  // If the gather is already over, no digit is pressed.
  if (purpose !== 'gather' || listenMs < PRESS_AFTER_MS || hasDigitSteps(transition.call.script)) return;
  for (const { leg_ref: legRef, address } of legs) {
    const pressesNothing = address === MAGIC.pressesNothing || isMachine(address);
    if (pressesNothing || isByHand(transition.call, { address })) continue;
    plan(transition, { do: 'press_digit', legRef, digit: '1' }, spokenMs + PRESS_AFTER_MS, pressName(speechRef));
  }
}

/** Cuts off a speech that is not over. */
function stopSpeech(transition: Transition, { speechRef }: { readonly speechRef: string }): undefined {
  cancel(transition, nameOf({ do: 'report_sound', ref: speechRef }));
  const running = takeUnreported(transition, speechRef);
  cutSounds(transition, speechRef);
  const { call_ref: callRef } = transition.call;
  for (const _ of running) report(transition, { type: 'speech.ended', callRef, speechRef, completed: false });
}

/** Stops a speech. If the speech asks an agent for digits, the gather ends too; a customer may still press digits. */
function breakOff(transition: Transition, { speechRef }: Instruction<'stop_speech'>): undefined {
  for (const { leg_ref, party, gather_ref } of transition.call.legs) {
    if (party !== 'agent' || gather_ref !== speechRef) continue;
    cancel(transition, pressName(speechRef));
    changeLeg(transition, leg_ref, { gather_ref: null, busy_until: null });
  }
  return stopSpeech(transition, { speechRef });
}

function stopGather(transition: Transition, { speechRef }: Instruction<'stop_gather'>): undefined {
  cancel(transition, pressName(speechRef));
  for (const leg of transition.call.legs) {
    if (leg.party !== 'customer' || leg.state !== 'up') continue;
    const gather_ref = leg.gather_ref === speechRef ? null : leg.gather_ref;
    changeLeg(transition, leg.leg_ref, { busy_until: listensUntil(transition, leg, speechRef), gather_ref });
  }
  freeCustomer(transition);
  stopSpeech(transition, { speechRef });
}

/** Returns the time when the last sound to a party ends, without the given speech; null if there is no other sound. */
function listensUntil({ call, now }: Transition, { leg_ref }: Leg, but: string): Date | null {
  const ends = call.sounds
    .filter(({ kind, ref, played_to }) => kind === 'speech' && ref !== but && played_to.includes(leg_ref))
    .map(endOf);
  const endsAtMs = Math.max(...ends, 0);
  return endsAtMs > now.getTime() ? new Date(endsAtMs + LISTEN_GRACE_MS) : null;
}

function sendDigits(transition: Transition, { legRef, digits }: Instruction<'send_digits'>): Refusal {
  if (listLegsUp(transition, [legRef]).length === 0) return 'leg_gone';
  const ref = `digits:${transition.now.getTime()}:${digits}`;
  const duration_ms = durationMsOf(dtmf(digits));
  addSound(transition, { ref, played_to: [legRef], kind: 'digits', content: digits, duration_ms });
}

function startRecording(
  transition: Transition,
  { recordingRef, legRefs, beep: beeps }: Instruction<'start_recording'>,
): Refusal {
  const legs = listLegsUp(transition, legRefs);
  if (legs.length === 0) return 'leg_gone';
  const starts_at = new Date(transition.now.getTime() + (beeps ? BEEP_MS : 0));
  const leg_refs = legs.map((leg) => leg.leg_ref);
  addRecording(transition, { recording_ref: recordingRef, leg_refs, starts_at });
  if (!beeps) {
    listenIfAlone(transition, leg_refs);
    return;
  }
  const tone = { played_to: leg_refs, kind: 'beep', content: '', duration_ms: BEEP_MS } as const;
  addSound(transition, { ref: `beep:${recordingRef}`, ...tone });
  for (const leg of legs) leaveMessage(transition, leg, starts_at);
}

function stopRecording(transition: Transition, { recordingRef }: Instruction<'stop_recording'>): undefined {
  report(transition, ...endRecordings(transition, ({ recording_ref }) => recording_ref === recordingRef));
}

function startTranscription(transition: Transition, { legRefs }: Instruction<'start_transcription'>): Refusal {
  const legs = listLegsUp(transition, legRefs);
  if (legs.length === 0) return 'leg_gone';
  listenIfAlone(transition, legRefs);
  if (isScripted(transition.call.script)) return;
  for (const { leg_ref: legRef, party, address } of legs) {
    // The person at a web client speaks. If a test plays a person, the test decides what the person says.
    if (isWebClient(address) || isByHand(transition.call, { address })) continue;
    plan(transition, { do: 'small_talk', legRef, text: SMALL_TALK[party] }, smallTalkMs(transition, party));
  }
}

/**
 * Returns the delay until a party makes small talk: soon after the parties are joined, with or without an announcement.
 */
function smallTalkMs({ call, now }: Transition, party: Leg['party']): number {
  const [afterMs, joinedMs] = [SMALL_TALK_AFTER_MS[party], call.bridged_at?.getTime() ?? now.getTime()];
  const inMs = joinedMs + afterMs - now.getTime();
  return inMs > 0 ? inMs : afterMs;
}

function startStream(transition: Transition, { streamRef, legRef }: Instruction<'start_stream'>): Refusal {
  const { legs, call_ref: callRef } = transition.call;
  const present = legs.filter(({ state }) => state !== 'ended');
  if (!present.some(({ leg_ref }) => leg_ref === legRef)) return 'leg_gone';
  // The refusal is immediate, so that no client can connect to a stream without audio.
  if (present.some(({ address }) => address === MAGIC.streamFails)) return 'not_supported';
  change(transition, { stream_ref: streamRef });
  listenIfAlone(transition, [legRef]);
  report(transition, { type: 'stream.started', callRef, streamRef });
}

function stopStream(transition: Transition, { streamRef }: Instruction<'stop_stream'>): undefined {
  const { stream_ref, call_ref: callRef } = transition.call;
  if (stream_ref !== streamRef) return;
  change(transition, { stream_ref: null });
  freeCustomer(transition);
  report(transition, { type: 'stream.ended', callRef, streamRef });
}

/**
 * Plans the hang-up of a customer whom a stream or a gather may have kept on the call. The customer hangs up at the end
 * of its talk or message, but at the earliest after LEAVE_AFTER_MS.
 */
function freeCustomer(transition: Transition): void {
  const { call, now } = transition;
  const customer = findLegUp(call, 'customer');
  if (customer === undefined) return;
  const endsAtMs = freeFromMs(call, customer);
  if (endsAtMs === undefined) return;
  plan(transition, { do: 'hang_up', legRef: customer.leg_ref }, Math.max(endsAtMs - now.getTime(), LEAVE_AFTER_MS));
}

/** Returns the end of a customer's talk or message; undefined if a script decides what the customer does. */
function freeFromMs(call: SimulatedCall, customer: Leg): number | undefined {
  if (customer.leaves_message) {
    const message = findMessage(call, customer);
    return message && endOf(message);
  }
  const since = call.bridged_at ?? customer.answered_at;
  return isScripted(call.script) || since === null ? undefined : since.getTime() + TALK_MS;
}

function listLegsUp({ call }: Transition, legRefs: readonly string[]): Leg[] {
  return legRefs.flatMap((ref) => call.legs.filter((leg) => leg.leg_ref === ref && leg.state === 'up'));
}
