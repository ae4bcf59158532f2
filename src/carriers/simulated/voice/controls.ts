/** What a person on a simulated call does by hand. Each gives the events, or undefined where nobody is there to do it. */
import { randomUUID } from 'node:crypto';
import { durationMsOf } from '../../../audio/pcm.ts';
import { dtmf } from '../../../audio/tones.ts';
import type { Party, VoiceEvent } from '../../ports/voice.ts';
import { cancelOnCall, endOf, type Sound, takeUnreported } from './books.ts';
import { listensFrom } from './listening.ts';
import { enterMessage, findMessageRecordings } from './message.ts';
import { endLeg, type OnCall, pickUp, plan, planHangUp, press, pressName, say, utterance } from './parties.ts';
import { type SimulatedLeg, setMessage } from './queries.ts';
import { sayAfterTone, stayUntil } from './waiting.ts';

type Events = Promise<readonly VoiceEvent[] | undefined>;

/** True for a party that was dialled and has not answered. */
export function isRung(leg: SimulatedLeg): boolean {
  return leg.dialled && (leg.state === 'dialing' || leg.state === 'ringing');
}

export async function pickUpByHand(on: OnCall, target: string | null): Events {
  const leg = on.call.legs.find((one) => isRung(one) && (target === null || one.address === target));
  return leg && pickUp(on, leg);
}

/** A party that talks hangs up, a target that rings declines, and whoever else is on the call gives up. */
export async function hangUpByHand(on: OnCall, party: Party): Events {
  const legs = on.call.legs.filter((leg) => leg.party === party && leg.state !== 'ended');
  if (legs.length === 0) return undefined;
  const isTarget = (leg: SimulatedLeg) => isRung(leg) && leg.party === 'agent' && findCaller(on) !== undefined;
  const events: VoiceEvent[] = [];
  for (const leg of legs) events.push(...(await endLeg(on, leg, isTarget(leg) ? 'rejected' : 'hangup')));
  return events;
}

/** Who presses keys by hand does it in place of the keys that the customer would have pressed. */
export async function pressByHand(on: OnCall, party: Party, digits: string): Events {
  const leg = legUp(on, party);
  const prompts = on.call.sounds.filter(isPrompt).map(({ ref }) => pressName(ref));
  if (leg?.party === 'customer') cancelOnCall(on.call, prompts);
  return leg && press(on, leg, { ref: `hand:${randomUUID()}`, digits, durationMs: durationMsOf(dtmf(digits)) });
}

/** Said by hand, a sentence is reported at once; where nobody listens yet it waits until somebody does. */
export async function speakByHand(on: OnCall, party: Party, said: { text: string; durationMs: number }): Events {
  const leg = legUp(on, party);
  if (leg === undefined) return undefined;
  const sound = await say(on, leg, { ref: `hand:${randomUUID()}`, ...said });
  takeUnreported(on.call, sound.ref);
  const from = listensFrom(on.call, leg);
  if (from === undefined) return [];
  if (from > on.call.now) {
    await sayAfterTone(on, leg, sound, from);
    return [];
  }
  if (leg.leaves_message) await stayUntil(on, leg.leg_ref, new Date(endOf(sound)));
  // As if just over: of two sentences said by hand the second is the later one, however long they are.
  return [{ ...utterance(leg, sound), endedAt: on.call.now }];
}

/**
 * Nobody answers: whoever rings stops, and the caller leaves this message once it may. One that it is leaving already
 * it replaces, from the tone on.
 */
export async function leaveVoicemail(on: OnCall, message: { text: string; durationMs: number }): Events {
  const { tx, ledgerId, call } = on;
  const caller = findCaller(on);
  if (caller === undefined || call.bridged_at !== null) return undefined;
  const [recording] = findMessageRecordings(call, caller);
  if (caller.leaves_message && recording === undefined) return undefined;
  if (recording !== undefined) {
    const lastsMs = enterMessage(call, caller, { startsAt: recording.starts_at, ...message });
    await plan(on, [planHangUp(caller, lastsMs)]);
  }
  await setMessage(tx, ledgerId, { callRef: call.call_ref, ...message });
  const events: VoiceEvent[] = [];
  for (const leg of call.legs.filter(isRung)) events.push(...(await endLeg(on, leg, 'no_answer')));
  return events;
}

/** Who called us, while that leg lasts. */
function findCaller({ call }: OnCall): SimulatedLeg | undefined {
  return call.legs.find((leg) => leg.party === 'customer' && !leg.dialled && leg.state !== 'ended');
}

function isPrompt({ kind, said_by }: Sound): boolean {
  return kind === 'speech' && said_by === null;
}

function legUp({ call }: OnCall, party: Party): SimulatedLeg | undefined {
  return call.legs.find((leg) => leg.party === party && leg.state === 'up');
}
