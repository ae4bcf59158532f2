/** A simulated call as plain data: its state, its inputs, and their effects. No function changes its input. */

import type { AnswerFinding } from '../../../audio/answer/answer-detector.ts';
import { isWebClient } from '../../../lib/phone/agent-address.ts';
import type { Party, VoiceEvent, VoiceInstruction, VoiceRefusal } from '../../ports/voice.ts';
import type { SimulatedRequest, WebClientLegState } from '../../ports/web-client.ts';
import type { HeardAnswer } from './heard-answer.ts';

export type Leg = {
  readonly leg_ref: string;
  readonly party: Party;
  /** A telephone number, or the id of a web client. */
  readonly address: string;
  /** False for a party that called us. */
  readonly dialled: boolean;
  readonly state: 'dialing' | 'ringing' | 'up' | 'ended';
  readonly answered_at: Date | null;
  readonly ended_at: Date | null;
  /** Before this moment the party does not hang up automatically. */
  readonly busy_until: Date | null;
  /** True once a voicemail records the party's words. */
  readonly leaves_message: boolean;
  /** The leg that it is bridged with. The two stay bridged while one of them is held. */
  readonly bridged_with: string | null;
  /** Since when the party's words have a listener; null before. */
  readonly heard_from: Date | null;
  /** True once a voicemail greets the party. Then no other leg hears it. */
  readonly is_greeted: boolean;
  /** The gather that requests digits from the party. */
  readonly gather_ref: string | null;
  /** When other legs heard the party, in order. */
  readonly heard: readonly HeardPeriod[];
  /** When the leg was held, in order. */
  readonly holds: readonly Hold[];
  /** Since when the leg has the audio of its handset in place of a tone; null before. */
  readonly voice_from: Date | null;
  /** True if the carrier reports who answers (a person or a machine). */
  readonly detects_machine: boolean;
};

/** A span of time. `until` is null while it has not ended. */
export type Period = { readonly from: Date; readonly until: Date | null };
/** `by` is the leg that hears the party. */
type HeardPeriod = Period & { readonly by: string };
/** Null for the built-in pattern. */
export type Hold = Period & { readonly audio_ref: string | null };

/** An audible event on a call. */
export type Sound = {
  readonly ref: string;
  /** The leg whose party makes the sound; null for a sound of the carrier. */
  readonly said_by: string | null;
  /** The legs that hear a sound of the carrier. */
  readonly played_to: readonly string[];
  readonly kind: 'speech' | 'digits' | 'beep' | 'greeting' | 'tone' | 'audio';
  /** The text, the digits, the frequency of a tone, or the reference of audio. */
  readonly content: string;
  readonly starts_at: Date;
  readonly duration_ms: number;
};

/** `reported`: the event about its text or its end was sent. */
export type CallSound = Sound & { readonly reported: boolean };

export type Recording = {
  readonly recording_ref: string;
  readonly leg_refs: readonly string[];
  readonly starts_at: Date;
  readonly ended_at: Date | null;
  /** The times when the recording contains silence in place of the call. */
  readonly pauses: readonly Period[];
};

/** A step of a script: an action of a party, or a wait. */
export type ScriptStep =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'answer' | 'decline' | 'busy'; readonly target: string | null }
  | { readonly do: 'say'; readonly party: Party; readonly text: string }
  | { readonly do: 'press'; readonly party: Party; readonly digits: string }
  | { readonly do: 'hang_up'; readonly party: Party }
  /** A test plays the person with this number. Such steps come before all others. */
  | { readonly do: 'by_hand'; readonly address: string };

export type Script = readonly ScriptStep[] | null;

export type SimulatedCall = {
  readonly call_ref: string;
  /** The actions of the parties, step by step; null if the parties behave as usual. */
  readonly script: Script;
  /** The text and length of the message that the caller leaves on a voicemail, if a test has set them. */
  readonly message_text: string | null;
  readonly message_ms: number | null;
  readonly bridged_at: Date | null;
  /** The media stream that receives the call's audio. */
  readonly stream_ref: string | null;
  /** In the order they were added. */
  readonly legs: readonly Leg[];
  readonly sounds: readonly CallSound[];
  readonly recordings: readonly Recording[];
};

/** A later automatic action of a party, stored as a separate job. */
export type ScheduledAction =
  | { readonly do: 'ring' | 'answer' | 'hang_up'; readonly legRef: string }
  | { readonly do: 'press_digit'; readonly legRef: string; readonly digit: string }
  /** Plays the sound of the number's answer, and stores the detector's result for it. */
  | { readonly do: 'greet'; readonly legRef: string; readonly address: string }
  | { readonly do: 'report_answer'; readonly legRef: string; readonly finding: AnswerFinding }
  /** Speaks small talk, unless a party has spoken before. */
  | { readonly do: 'small_talk'; readonly legRef: string; readonly text: string }
  /** Reports words, or the end of a speech. */
  | { readonly do: 'report_sound'; readonly ref: string }
  /** `text` is the text of the step, if the step speaks. */
  | { readonly do: 'follow_script'; readonly step: number; readonly attempt: number; readonly text: string | null };

/** Values that the executor measures or reads before the step. */
export type Facts = {
  /** How long the text of the input takes to speak; 0 without a text. */
  readonly spokenMs?: number;
  /** The sound at the answer of a leg. */
  readonly answer?: HeardAnswer | undefined;
};

/** An action of a test in place of a party. `ref` names the sounds and digits that result. */
export type Control =
  | { readonly do: 'answer'; readonly target: string | null }
  | { readonly do: 'hang_up'; readonly party: Party; readonly target?: string | undefined }
  | { readonly do: 'press_digits'; readonly party: Party; readonly digits: string; readonly ref: string }
  | { readonly do: 'speak'; readonly party: Party; readonly text: string; readonly ref: string }
  | { readonly do: 'leave_message'; readonly text: string; readonly durationMs: number }
  | { readonly do: 'take_over'; readonly address: string };

/** A change of a web client's leg, which the product owns. */
export type WebClientChange =
  | { readonly do: 'become'; readonly webClientId: string; readonly state: WebClientLegState }
  | { readonly do: 'press_digits'; readonly digits: string; readonly ref: string };

export type CallInput = Facts &
  (
    | { readonly type: 'command'; readonly instruction: VoiceInstruction }
    /** `ref` is the id of the action's job. */
    | { readonly type: 'action'; readonly action: ScheduledAction; readonly ref: string }
    | { readonly type: 'control'; readonly control: Control }
    | { readonly type: 'web_client'; readonly legRef: string; readonly change: WebClientChange }
  );

export type CallEffect =
  | { readonly do: 'report'; readonly event: VoiceEvent }
  /** A planned action replaces an earlier one of the same name. */
  | { readonly do: 'plan'; readonly name: string; readonly inMs: number; readonly action: ScheduledAction }
  | { readonly do: 'cancel'; readonly name: string }
  /** A test or a script acts as a web client. The product decides the effect on the leg. */
  | { readonly do: 'ask_web_client'; readonly legRef: string; readonly request: SimulatedRequest };

/** `not_active`: no party or call can do it. `too_many_sounds`: the call already has its maximum of sounds. */
export type CallRefusal = VoiceRefusal | 'not_active' | 'too_many_sounds';

/** The reason for the refusal of an input; undefined if the input is accepted. */
export type Refusal = CallRefusal | undefined;

export type Step = {
  readonly call: SimulatedCall;
  readonly effects: readonly CallEffect[];
  readonly refusal?: CallRefusal;
};

export function newCall(callRef: string, script: Script = null): SimulatedCall {
  return {
    call_ref: callRef,
    script,
    message_text: null,
    message_ms: null,
    bridged_at: null,
    stream_ref: null,
    legs: [],
    sounds: [],
    recordings: [],
  };
}

export type NewLeg = Pick<Leg, 'leg_ref' | 'party' | 'address' | 'dialled' | 'state'> & Partial<Leg>;

export function newLeg(leg: NewLeg): Leg {
  return {
    answered_at: null,
    ended_at: null,
    busy_until: null,
    leaves_message: false,
    bridged_with: null,
    heard_from: null,
    is_greeted: false,
    gather_ref: null,
    heard: [],
    holds: [],
    voice_from: null,
    detects_machine: false,
    ...leg,
  };
}

export function findLeg({ legs }: SimulatedCall, legRef: string): Leg | undefined {
  return legs.find((leg) => leg.leg_ref === legRef);
}

/** True for a leg with a real person's voice, at a web client or a handset. */
export function hasVoice({ address, voice_from }: Pick<Leg, 'address' | 'voice_from'>): boolean {
  return voice_from !== null || isWebClient(address);
}

/** Returns the party's leg that is up; if several are up, the bridged one. */
export function findLegUp({ legs }: SimulatedCall, party: Party): Leg | undefined {
  const up = legs.filter((leg) => leg.party === party && leg.state === 'up');
  return up.find(({ bridged_with }) => bridged_with !== null) ?? up[0];
}

/** Returns the hold that has not ended. */
export function findHold({ holds }: Leg): Hold | undefined {
  return holds.find(({ until }) => until === null);
}

/** True while another leg hears the party. */
export function isHeardNow({ heard }: Leg): boolean {
  return heard.some(({ until }) => until === null);
}

/** True for a party that was dialled and has not answered. */
export function isRung(leg: Leg): boolean {
  return leg.dialled && (leg.state === 'dialing' || leg.state === 'ringing');
}

/** Returns the end of a sound in milliseconds. */
export function endOf({ starts_at, duration_ms }: Pick<Sound, 'starts_at' | 'duration_ms'>): number {
  return starts_at.getTime() + duration_ms;
}

/** True if a script decides what the parties do. Otherwise parties behave as usual, except those that a test plays. */
export function isScripted(script: Script): boolean {
  return script?.some((step) => step.do !== 'by_hand') ?? false;
}

/** True if a test plays the party, so that it does nothing automatically. */
export function isByHand({ script }: Pick<SimulatedCall, 'script'>, { address }: Pick<Leg, 'address'>): boolean {
  return script?.some((step) => step.do === 'by_hand' && step.address === address) ?? false;
}

const TARGET_STEPS: ReadonlySet<string> = new Set<ScriptStep['do']>(['answer', 'decline', 'busy']);

/** True if the script decides what targets do; otherwise they answer as usual. */
export function hasTargetSteps(script: Script): boolean {
  return script?.some((step) => TARGET_STEPS.has(step.do)) ?? false;
}

/** True if the script decides what the caller does, also at a voicemail. */
export function hasCallerSteps(script: Script): boolean {
  return script?.some((step) => 'party' in step && step.party === 'customer') ?? false;
}

export function hasDigitSteps(script: Script): boolean {
  return script?.some((step) => step.do === 'press') ?? false;
}

// The rules for who hears a party, and for the contents of a recording. Scripts, controls, audio and transcripts share
// them. So the audio and the transcript of a recording contain the same utterances.

export type Span = { readonly startsAt: Date; readonly endsAt: Date };

/** True if at least a part of the sound is in the span. */
export function isHeardIn(sound: Pick<Sound, 'starts_at' | 'duration_ms'>, { startsAt, endsAt }: Span): boolean {
  const begins = Math.max(sound.starts_at.getTime(), startsAt.getTime());
  return begins < Math.min(endOf(sound), endsAt.getTime());
}

/** Returns the running recordings that contain a leg. */
export function listRunningRecordings({ recordings }: SimulatedCall, { leg_ref }: Leg): Recording[] {
  return recordings.filter(({ leg_refs, ended_at }) => ended_at === null && leg_refs.includes(leg_ref));
}

/**
 * Returns since when a party's words have a listener. The listener is the other party once they are bridged, an
 * application that has the leg alone, or a voicemail once its tone is over. Undefined if there is no listener, or the
 * time is not known yet.
 */
export function listensFrom(call: SimulatedCall, leg: Leg): Date | undefined {
  return (leg.leaves_message ? listRunningRecordings(call, leg)[0]?.starts_at : leg.heard_from) ?? undefined;
}

/** True for an utterance that waits for a listener. It becomes audible when there is one. */
export function waitsForListener({ kind, said_by }: Sound, { legs }: Pick<SimulatedCall, 'legs'>): boolean {
  const speaker = legs.find((leg) => leg.leg_ref === said_by);
  return kind === 'speech' && speaker?.heard_from === null && !speaker.leaves_message;
}

/** Returns the sentences that wait until a party has a listener, in order. */
export function listWaiting(call: SimulatedCall, { leg_ref }: Leg): CallSound[] {
  return call.sounds
    .filter((sound) => sound.said_by === leg_ref && waitsForListener(sound, call))
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
}
