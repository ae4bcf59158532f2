/** Keys that parties press, and the gathering of a customer's. */
import type { CallInput, Leg } from '../call.ts';
import { change, clearTimer, command, legUp, log, setTimer, speak, speechMsMax, type Turn } from './transition.ts';

/** Reports of keys that are remembered, to tell a report that comes twice. */
const KEY_REFS_MAX = 64;

/** Begins to gather; the caller has made sure that none is open. */
export function openGather(turn: Turn, wanted: Extract<CallInput, { type: 'gather' }>): void {
  const customer = legUp(turn.call, 'customer') as Leg;
  const { prompt, maxDigits, terminator, timeoutMs } = wanted;
  const speechRef = speak(turn, { legRefs: [customer.id], text: prompt, purpose: 'gather', listenMs: timeoutMs });
  change(turn, { gather: { speechRef, digits: '', maxDigits, terminator, timeoutMs, prompting: true } });
  setTimer(turn, 'gather', speechMsMax(prompt) + timeoutMs);
  log(turn, 'gather_started', { max_digits: maxDigits, terminator, timeout_ms: timeoutMs });
}

/** The prompt is over, or could not be spoken: from now on each key has its time. */
export function awaitKeys(turn: Turn): void {
  const { gather } = turn.call;
  if (gather === null || !gather.prompting) return;
  change(turn, { gather: { ...gather, prompting: false } });
  setTimer(turn, 'gather', gather.timeoutMs);
}

export function takeKey(turn: Turn, leg: Leg, { digit, keyRef }: Extract<CallInput, { type: 'digit' }>): void {
  const { keyRefs } = turn.call;
  if (turn.call.status !== 'in_progress' || keyRefs.includes(keyRef)) return;
  change(turn, { keyRefs: [...keyRefs, keyRef].slice(-KEY_REFS_MAX) });
  log(turn, 'dtmf', { digit, pressed_by: leg.party });
  turn.effects.push({ do: 'emit_key', digit, pressedBy: leg.party });
  if (leg.party === 'customer') gatherKey(turn, digit);
}

function gatherKey(turn: Turn, digit: string): void {
  const { gather } = turn.call;
  if (gather === null) return;
  if (digit === gather.terminator) {
    closeGather(turn, 'completed');
    return;
  }
  const digits = gather.digits + digit;
  change(turn, { gather: { ...gather, digits, prompting: false } });
  if (digits.length >= gather.maxDigits) {
    closeGather(turn, 'completed');
    return;
  }
  // Whoever presses has heard enough of the prompt.
  if (gather.prompting) command(turn, { do: 'stop_prompt', speechRef: gather.speechRef });
  setTimer(turn, 'gather', gather.timeoutMs);
}

/** Ends the open gather and tells its result. */
export function closeGather(turn: Turn, reason: 'completed' | 'timeout' | 'hangup'): void {
  const { gather } = turn.call;
  if (gather === null) return;
  if (reason !== 'hangup') command(turn, { do: 'stop_gather', speechRef: gather.speechRef });
  change(turn, { gather: null });
  clearTimer(turn, 'gather');
  log(turn, 'gather_finished', { digits: gather.digits, reason });
  turn.effects.push({ do: 'emit_gather', digits: gather.digits, reason });
}
