/** DTMF digits that the parties send, and the gather that collects the customer's digits. */
import type { Leg } from '../state/call.ts';
import type { CallInput } from '../state/call-step.ts';
import {
  change,
  clearTimer,
  command,
  emit,
  findAnsweredLeg,
  isAnnouncing,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** The most reports of digits that a call remembers. It recognises repeated reports by them. */
const DIGIT_REFS_MAX = 64;
/** The most digits of a call that are logged and emitted. It is more than a person presses. */
const DIGITS_MAX = 5_000;

/** Starts a gather. The machine has checked that none is open. Its prompt waits for the end of an announcement. */
export function openGather(transition: Transition, wanted: Extract<CallInput, { type: 'gather' }>): void {
  const { prompt, maxDigits, terminator, timeoutMs } = wanted;
  const digits = { digits: '', maxDigits, terminator, timeoutMs, prompting: true };
  change(transition, { gather: { ...digits, speechRef: null, waiting: prompt } });
  log(transition, 'gather_started', { max_digits: maxDigits, terminator, timeout_ms: timeoutMs });
  promptGather(transition);
}

/** Speaks the prompt of a gather, if it waits and no announcement is being spoken. */
export function promptGather(transition: Transition): void {
  const { gather } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (gather?.waiting === undefined || customer === undefined || isAnnouncing(transition.call)) return;
  const { waiting: text, timeoutMs: listenMs } = gather;
  const speechRef = speak(transition, { legRefs: [customer.id], text, purpose: 'gather', listenMs });
  change(transition, { gather: { ...gather, speechRef, waiting: undefined } });
  setTimer(transition, 'gather', speechMsMax(text) + listenMs);
}

/** Starts the time for the first digit, because the prompt is over, or could not be spoken. */
export function awaitDigits(transition: Transition): void {
  const { gather } = transition.call;
  if (gather === null || !gather.prompting) return;
  change(transition, { gather: { ...gather, prompting: false } });
  setTimer(transition, 'gather', gather.timeoutMs);
}

/**
 * Logs and emits a digit once, up to DIGITS_MAX digits, and adds the customer's digits to the open gather.
 * @returns false for a repeated digit, for a digit beyond DIGITS_MAX, and for a digit while the call is not in progress
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
  emit(transition, 'call.dtmf', { digit, pressed_by: leg.party, occurred_at: new Date(transition.nowMs) });
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
  change(transition, { gather: { ...gather, digits, prompting: false, waiting: undefined } });
  if (digits.length >= gather.maxDigits) {
    closeGather(transition, 'completed');
    return;
  }
  // The first digit ends the prompt.
  const { prompting, speechRef } = gather;
  if (prompting && speechRef !== null) command(transition, { do: 'stop_speech', speechRef });
  setTimer(transition, 'gather', gather.timeoutMs);
}

/** Ends the open gather and emits its result. */
export function closeGather(transition: Transition, reason: 'completed' | 'timeout' | 'hangup'): void {
  const { gather } = transition.call;
  if (gather === null) return;
  const { speechRef } = gather;
  if (reason !== 'hangup' && speechRef !== null) command(transition, { do: 'stop_gather', speechRef });
  change(transition, { gather: null });
  clearTimer(transition, 'gather');
  log(transition, 'gather_finished', { digits: gather.digits, reason });
  emit(transition, 'call.gather', { digits: gather.digits, reason });
}
