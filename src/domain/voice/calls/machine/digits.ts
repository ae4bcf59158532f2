/** DTMF digits that the parties send, and the gather that collects those of the customer. */
import type { Leg } from '../call.ts';
import type { CallInput } from '../call-step.ts';
import {
  change,
  clearTimer,
  command,
  findAnsweredLeg,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** Reports of digits that are remembered, to recognise a repeated report. */
const DIGIT_REFS_MAX = 64;
/** Digits of a call. No person presses more; each is an event. */
const DIGITS_MAX = 5_000;

/** Starts a gather. The machine has checked that none is open. */
export function openGather(transition: Transition, wanted: Extract<CallInput, { type: 'gather' }>): void {
  const customer = findAnsweredLeg(transition.call, 'customer') as Leg;
  const { prompt, maxDigits, terminator, timeoutMs } = wanted;
  const speechRef = speak(transition, { legRefs: [customer.id], text: prompt, purpose: 'gather', listenMs: timeoutMs });
  change(transition, { gather: { speechRef, digits: '', maxDigits, terminator, timeoutMs, prompting: true } });
  setTimer(transition, 'gather', speechMsMax(prompt) + timeoutMs);
  log(transition, 'gather_started', { max_digits: maxDigits, terminator, timeout_ms: timeoutMs });
}

/** Starts the time for the first digit: the prompt is over, or could not be spoken. */
export function awaitDigits(transition: Transition): void {
  const { gather } = transition.call;
  if (gather === null || !gather.prompting) return;
  change(transition, { gather: { ...gather, prompting: false } });
  setTimer(transition, 'gather', gather.timeoutMs);
}

/**
 * Logs and emits a digit once, up to DIGITS_MAX of them, and adds the customer's to the open gather.
 * @returns false for one that is repeated, or that comes outside of the call's time
 */
export function handleDigit(
  transition: Transition,
  leg: Leg,
  { digit, digitRef }: Extract<CallInput, { type: 'digit' }>,
): boolean {
  const { status, digitRefs, digitCount = 0 } = transition.call;
  if (status !== 'in_progress' || digitCount >= DIGITS_MAX || digitRefs.includes(digitRef)) return false;
  change(transition, {
    digitRefs: [...digitRefs, digitRef].slice(-DIGIT_REFS_MAX),
    digitCount: digitCount + 1,
  });
  log(transition, 'dtmf', { digit, pressed_by: leg.party });
  transition.effects.push({ do: 'emit_digit', digit, pressedBy: leg.party });
  if (leg.party === 'customer') gatherDigit(transition, digit);
  return true;
}

function gatherDigit(transition: Transition, digit: string): void {
  const { gather } = transition.call;
  if (gather === null) return;
  if (digit === gather.terminator) {
    closeGather(transition, 'completed');
    return;
  }
  const digits = gather.digits + digit;
  change(transition, { gather: { ...gather, digits, prompting: false } });
  if (digits.length >= gather.maxDigits) {
    closeGather(transition, 'completed');
    return;
  }
  // The first digit ends the prompt.
  if (gather.prompting) command(transition, { do: 'stop_speech', speechRef: gather.speechRef });
  setTimer(transition, 'gather', gather.timeoutMs);
}

/** Ends the open gather and emits its result. */
export function closeGather(transition: Transition, reason: 'completed' | 'timeout' | 'hangup'): void {
  const { gather } = transition.call;
  if (gather === null) return;
  if (reason !== 'hangup') command(transition, { do: 'stop_gather', speechRef: gather.speechRef });
  change(transition, { gather: null });
  clearTimer(transition, 'gather');
  log(transition, 'gather_finished', { digits: gather.digits, reason });
  transition.effects.push({ do: 'emit_gather', digits: gather.digits, reason });
}
