/**
 * Ring targets that must press a key before they get the call, so that the voicemail box of a telephone never takes it.
 * The other targets continue to ring until then.
 */
import type { Leg } from '../state/call.ts';
import { reachTarget } from './route.ts';
import {
  change,
  clearTimer,
  command,
  hangUp,
  liveLegs,
  log,
  setLegState,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

const PROMPT = 'You have a call. Press 1 to take it.';
const KEY = '1';
/** The time that a target has for the key after the prompt. */
const LISTEN_MS = 10_000;

/**
 * Asks a target that has answered for the key. Web clients and telephones of the tenant have no voicemail box.
 * @returns false if the target gets the call without a key
 */
export function askToConfirm(transition: Transition, target: Leg): boolean {
  const { stage, confirming = [] } = transition.call;
  if (stage.name !== 'ringing_targets' || stage.plan.confirm !== true || !target.address.startsWith('+')) return false;
  setLegState(transition, target.id, 'confirming');
  log(transition, 'target_prompted', { target: target.address });
  const prompt = { legRefs: [target.id], text: PROMPT, purpose: 'gather', listenMs: LISTEN_MS } as const;
  const speechRef = speak(transition, prompt);
  const untilMs = transition.nowMs + speechMsMax(PROMPT) + LISTEN_MS;
  change(transition, { confirming: [...confirming, { legId: target.id, speechRef, untilMs }] });
  setConfirmTimer(transition);
  return true;
}

/** Starts the timer for the target that was asked first. */
function setConfirmTimer(transition: Transition): void {
  const { confirming = [] } = transition.call;
  if (confirming.length === 0) clearTimer(transition, 'confirm');
  else
    setTimer(
      transition,
      'confirm',
      Math.max(0, Math.min(...confirming.map(({ untilMs }) => untilMs)) - transition.nowMs),
    );
}

/**
 * Handles a digit of a target that must press a key. Returns true if the target takes the call; stops the prompt then.
 */
export function takesCall(transition: Transition, target: Leg, digit: string): boolean {
  const asked = transition.call.confirming?.find(({ legId }) => legId === target.id);
  if (digit !== KEY || asked === undefined) return false;
  command(transition, { do: 'stop_speech', speechRef: asked.speechRef });
  forget(transition, [target.id]);
  return true;
}

/** Handles the timer: returns the targets that have not pressed the key in time. The caller hangs them up. */
export function dropUnconfirmed(transition: Transition): Leg[] {
  const { confirming = [], legs } = transition.call;
  const late = confirming.filter(({ untilMs }) => untilMs <= transition.nowMs).map(({ legId }) => legId);
  const dropped = legs.filter(({ id, state }) => state === 'confirming' && late.includes(id));
  for (const leg of dropped) hangUp(transition, leg, 'no_answer');
  forget(transition, late);
  return dropped;
}

function forget(transition: Transition, legIds: readonly string[]): void {
  change(transition, { confirming: transition.call.confirming?.filter(({ legId }) => !legIds.includes(legId)) });
  setConfirmTimer(transition);
}

/**
 * Handles the end of the ring time. If a target still has time for the key, it may press it, and the other targets are
 * hung up. Returns false if no target has time for the key.
 */
export function ringsWhileAsked(transition: Transition): boolean {
  const targets = liveLegs(transition.call, 'agent');
  if (targets.every(({ state }) => state !== 'confirming')) return false;
  reachTarget(transition);
  for (const leg of targets) {
    if (leg.state === 'confirming') continue;
    hangUp(transition, leg, 'no_answer');
    log(transition, 'target_cancelled', { target: leg.address, reason: 'no_answer' });
  }
  return true;
}
