/** Keys that parties press, and the gathering of a customer's. */
import type { CallInput, Leg } from '../call.ts';
import {
  change,
  clearTimer,
  command,
  legUp,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** Reports of keys that are remembered, to tell a report that comes twice. */
const KEY_REFS_MAX = 64;

/** Begins to gather; the caller has made sure that none is open. */
export function openGather(transition: Transition, wanted: Extract<CallInput, { type: 'gather' }>): void {
  const customer = legUp(transition.call, 'customer') as Leg;
  const { prompt, maxDigits, terminator, timeoutMs } = wanted;
  const speechRef = speak(transition, { legRefs: [customer.id], text: prompt, purpose: 'gather', listenMs: timeoutMs });
  change(transition, { gather: { speechRef, digits: '', maxDigits, terminator, timeoutMs, prompting: true } });
  setTimer(transition, 'gather', speechMsMax(prompt) + timeoutMs);
  log(transition, 'gather_started', { max_digits: maxDigits, terminator, timeout_ms: timeoutMs });
}

/** The prompt is over, or could not be spoken: from now on each key has its time. */
export function awaitKeys(transition: Transition): void {
  const { gather } = transition.call;
  if (gather === null || !gather.prompting) return;
  change(transition, { gather: { ...gather, prompting: false } });
  setTimer(transition, 'gather', gather.timeoutMs);
}

export function takeKey(
  transition: Transition,
  leg: Leg,
  { digit, keyRef }: Extract<CallInput, { type: 'digit' }>,
): void {
  const { keyRefs } = transition.call;
  if (transition.call.status !== 'in_progress' || keyRefs.includes(keyRef)) return;
  change(transition, { keyRefs: [...keyRefs, keyRef].slice(-KEY_REFS_MAX) });
  log(transition, 'dtmf', { digit, pressed_by: leg.party });
  transition.effects.push({ do: 'emit_key', digit, pressedBy: leg.party });
  if (leg.party === 'customer') gatherKey(transition, digit);
}

function gatherKey(transition: Transition, digit: string): void {
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
  // Whoever presses has heard enough of the prompt.
  if (gather.prompting) command(transition, { do: 'stop_prompt', speechRef: gather.speechRef });
  setTimer(transition, 'gather', gather.timeoutMs);
}

/** Ends the open gather and tells its result. */
export function closeGather(transition: Transition, reason: 'completed' | 'timeout' | 'hangup'): void {
  const { gather } = transition.call;
  if (gather === null) return;
  if (reason !== 'hangup') command(transition, { do: 'stop_gather', speechRef: gather.speechRef });
  change(transition, { gather: null });
  clearTimer(transition, 'gather');
  log(transition, 'gather_finished', { digits: gather.digits, reason });
  transition.effects.push({ do: 'emit_gather', digits: gather.digits, reason });
}
