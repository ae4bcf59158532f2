/** Sentences that parties say once they have a listener: after a bridge, or after the tone of a voicemail. */
import type { VoiceEvent } from '../../../ports/voice.ts';
import {
  type CallSound,
  endOf,
  hasCallerSteps,
  isByHand,
  type Leg,
  listRunningRecordings,
  listWaiting,
  type SimulatedCall,
  type Sound,
} from '../call.ts';
import { changeLeg, endRecordings, isKept, plan, putSound, stayUntil, type Transition } from './transition.ts';

/** The default message of a caller, and its length. A test may set another. */
export const MESSAGE_TEXT = 'Hello, please call me back when you can.';
export const MESSAGE_MS = 3_000;

const refOf = (leg: Leg) => `message:${leg.leg_ref}`;

/** Returns the message that a caller is leaving, unless its script has steps for the message. */
export function findMessage({ sounds }: SimulatedCall, leg: Leg): Sound | undefined {
  return sounds.find(({ ref }) => ref === refOf(leg));
}

type Message = { readonly startsAt: Date; readonly text: string; readonly durationMs: number };

/** Adds the message of a caller, in place of an unfinished one, and plans the hang-up at its end. */
export function leaveWithMessage(transition: Transition, leg: Leg, message: Message): void {
  const endsAtMs = endOf(putMessage(transition, leg, message));
  plan(transition, { do: 'hang_up', legRef: leg.leg_ref }, endsAtMs - transition.now.getTime());
}

/** The message is not reported as an utterance, because it is transcribed from its recording. */
function putMessage(transition: Transition, leg: Leg, { startsAt, text, durationMs }: Message): CallSound {
  const duration_ms = Math.max(durationMs, transition.now.getTime() - startsAt.getTime());
  const message = { said_by: leg.leg_ref, content: text, starts_at: startsAt, duration_ms, reported: true };
  return putSound(transition, { ref: refOf(leg), kind: 'speech', ...message });
}

/**
 * Ends the recording of a message when the caller stopped speaking, even if this function runs later. Returns the
 * events to report.
 */
export function endMessage(transition: Transition, leg: Leg): VoiceEvent[] {
  const { call, now } = transition;
  if (findMessage(call, leg) === undefined) return [];
  const endsAtMs = Math.max(...call.sounds.filter(({ said_by }) => said_by === leg.leg_ref).map(endOf));
  const running = listRunningRecordings(call, leg);
  return endRecordings(
    transition,
    (recording) => running.includes(recording),
    new Date(Math.min(endsAtMs, now.getTime())),
  );
}

/** Makes a party say sentences one after another from the given time on. Each is reported at its end. */
export function sayInTurn(transition: Transition, legRef: string, said: readonly CallSound[], from: Date): void {
  if (said.length === 0) return;
  let atMs = from.getTime();
  for (const sound of said) {
    atMs = endOf(putSound(transition, { ...sound, starts_at: new Date(atMs), reported: false }));
    plan(transition, { do: 'report_sound', ref: sound.ref }, atMs - transition.now.getTime());
  }
  stayUntil(transition, legRef, atMs);
}

/**
 * Makes the caller say its message from the tone on, and hang up. If a test has set a message, the caller says it;
 * otherwise the words that the caller said before the tone; otherwise the default message. If the script has steps for
 * the message, the caller follows them. If a test plays the caller, the caller says what the test sends.
 */
export function leaveMessage(transition: Transition, leg: Leg, tone: Date): void {
  const waiting = listWaiting(transition.call, leg);
  const busy_until = isKept(transition, leg) ? leg.busy_until : null;
  changeLeg(transition, leg.leg_ref, { leaves_message: true, busy_until });
  const { script, message_text, message_ms } = transition.call;
  const actsItself = hasCallerSteps(script) || isByHand(transition.call, leg);
  if (message_text !== null || !actsItself) {
    const text = message_text ?? (waiting.length > 0 ? '' : MESSAGE_TEXT);
    leaveWithMessage(transition, leg, { startsAt: tone, text, durationMs: message_ms ?? MESSAGE_MS });
  }
  sayInTurn(transition, leg.leg_ref, waiting, silentFrom(transition.call, leg, tone));
}

/** Moves the caller's words during the tone to the end of the tone, in place of the default message. */
export function sayAfterTone(transition: Transition, leg: Leg, said: CallSound, tone: Date): void {
  const message = findMessage(transition.call, leg);
  if (message?.content === MESSAGE_TEXT && transition.call.message_text === null) {
    putMessage(transition, leg, { startsAt: message.starts_at, text: '', durationMs: message.duration_ms });
  }
  sayInTurn(transition, leg.leg_ref, [said], silentFrom(transition.call, leg, tone, said));
}

/** Returns the time when a party has said all sentences after the tone, except `but`. */
function silentFrom({ sounds }: SimulatedCall, { leg_ref }: Leg, tone: Date, but?: CallSound): Date {
  const sentences = sounds.filter(
    (sound) => sound.said_by === leg_ref && sound.content !== '' && sound.ref !== but?.ref && sound.starts_at >= tone,
  );
  return new Date(Math.max(tone.getTime(), ...sentences.map(endOf)));
}
