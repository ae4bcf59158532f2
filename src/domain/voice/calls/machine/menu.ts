/** A menu: its prompt is spoken to the caller, who presses keys. */
import type { CallBehavior, MenuBehavior } from '../../../numbers/index.ts';
import type { Leg } from '../state/call.ts';
import { endHold } from './hold.ts';
import {
  change,
  clearTimer,
  command,
  emit,
  findAnsweredLeg,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** Offers a menu to a caller whose leg is up. `path` are the keys that have led to it. */
export function offerMenu(transition: Transition, menu: MenuBehavior, path: string): void {
  const connectedAtMs = transition.call.connectedAtMs ?? transition.nowMs;
  change(transition, { status: 'in_progress', connectedAtMs });
  endHold(transition);
  speakPrompt(transition, { menu, path, tries: 1 });
}

function speakPrompt(
  transition: Transition,
  { menu, path, tries }: { menu: MenuBehavior; path: string; tries: number },
): void {
  const caller = findAnsweredLeg(transition.call, 'customer') as Leg;
  const { prompt: text, timeout_seconds } = menu;
  const listenMs = timeout_seconds * 1000;
  const speechRef = speak(transition, { legRefs: [caller.id], text, purpose: 'gather', listenMs });
  change(transition, { stage: { name: 'menu', menu, path, tries, speechRef } });
  setTimer(transition, 'menu', speechMsMax(text) + listenMs);
}

/** Starts the time for a key, because the prompt is over, or could not be spoken. */
export function awaitKey(transition: Transition, speechRef: string): void {
  const { stage } = transition.call;
  if (stage.name !== 'menu' || stage.speechRef !== speechRef) return;
  setTimer(transition, 'menu', stage.menu.timeout_seconds * 1000);
}

/**
 * Handles a key of the caller, at any moment of the prompt or after it. A key that is not an option counts as a failed
 * try.
 * @returns the next behavior: the chosen option, or `otherwise`; undefined if the prompt is spoken again
 */
export function chooseKey(transition: Transition, digit: string): { next: CallBehavior; path: string } | undefined {
  const { stage } = transition.call;
  if (stage.name !== 'menu') return undefined;
  const option = stage.menu.options[digit as keyof MenuBehavior['options']];
  if (option === undefined) return repeatMenu(transition);
  leaveMenu(transition, stage.speechRef);
  const path = stage.path + digit;
  log(transition, 'menu_choice', { digit, path });
  emit(transition, 'call.menu', { digit, path });
  return { next: option, path };
}

/**
 * Handles a try without a choice of the caller.
 * @returns the behavior `otherwise`; undefined if the prompt is spoken again
 */
export function repeatMenu(transition: Transition): { next: CallBehavior; path: string } | undefined {
  const { stage } = transition.call;
  if (stage.name !== 'menu') return undefined;
  const { menu, path, tries, speechRef } = stage;
  leaveMenu(transition, speechRef);
  if (tries >= menu.tries) return { next: menu.otherwise, path };
  speakPrompt(transition, { menu, path, tries: tries + 1 });
  return undefined;
}

function leaveMenu(transition: Transition, speechRef: string): void {
  clearTimer(transition, 'menu');
  command(transition, { do: 'stop_gather', speechRef });
}
