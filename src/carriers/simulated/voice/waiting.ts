/** What parties say that have waited for somebody to listen: until they are joined, or for the tone of a voicemail. */
import { type BookedSound, endOf, startSound } from './books.ts';
import { listWaiting } from './listening.ts';
import { enterMessage, findMessage, MESSAGE_MS, MESSAGE_TEXT } from './message.ts';
import { changeLeg, findLeg, type OnCall, plan, planHangUp } from './parties.ts';
import type { SimulatedLeg } from './queries.ts';
import { tellsCaller } from './script.ts';

/** A party says these one after another, from a moment on; each is reported when it is over. */
export async function sayInTurn(on: OnCall, legRef: string, words: readonly BookedSound[], from: Date): Promise<void> {
  if (words.length === 0) return;
  let at = from.getTime();
  for (const sound of words) {
    startSound(on.call, sound, new Date(at));
    at = endOf(sound);
    const { ref } = sound;
    const inMs = at - on.call.now.getTime();
    await plan(on, [{ name: `heard:${ref}`, inMs, act: { act: 'report_sound', ref } }]);
  }
  await stayUntil(on, legRef, new Date(at));
}

/** Nobody hangs up in the middle of a sentence. */
export async function stayUntil(on: OnCall, legRef: string, until: Date): Promise<void> {
  const leg = findLeg(on, legRef);
  if (leg !== undefined && (leg.busy_until === null || leg.busy_until < until)) {
    await changeLeg(on, leg, { busy_until: until });
  }
}

/**
 * From the tone on the caller says its message and hangs up: what it was told to leave, then what it has said before the
 * tone, and the usual one only if there is neither. One whose script has steps for it follows those.
 */
export async function leaveMessage(on: OnCall, leg: SimulatedLeg, startsAt: Date): Promise<void> {
  const { call } = on;
  const words = listWaiting(call, leg);
  const free = await changeLeg(on, leg, { leaves_message: true, busy_until: null });
  const { script, message_text: told, message_ms } = call;
  if (told !== null || !tellsCaller(script)) {
    const text = told ?? (words.length > 0 ? '' : MESSAGE_TEXT);
    const lastsMs = enterMessage(call, free, { startsAt, text, durationMs: message_ms ?? MESSAGE_MS });
    await plan(on, [planHangUp(free, lastsMs)]);
  }
  await sayInTurn(on, free.leg_ref, words, freeFrom(on, free, startsAt));
}

/** A caller says something while it hears the tone: it is said after that, in place of the usual message. */
export async function sayAfterTone(on: OnCall, leg: SimulatedLeg, said: BookedSound, tone: Date): Promise<void> {
  const message = findMessage(on.call, leg);
  if (message?.content === MESSAGE_TEXT && on.call.message_text === null) {
    enterMessage(on.call, leg, { startsAt: message.starts_at, text: '', durationMs: message.duration_ms });
  }
  await sayInTurn(on, leg.leg_ref, [said], freeFrom(on, leg, tone, said));
}

/** When a party has said what it says from the tone on. */
function freeFrom({ call }: OnCall, { leg_ref }: SimulatedLeg, tone: Date, but?: BookedSound): Date {
  const own = call.sounds.filter(
    (sound) => sound.said_by === leg_ref && sound.content !== '' && sound !== but && sound.starts_at >= tone,
  );
  return new Date(Math.max(tone.getTime(), ...own.map(endOf)));
}
