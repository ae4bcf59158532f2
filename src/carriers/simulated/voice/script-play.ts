/** Plays the script of a simulated call, step by step. */
import { durationMsOf } from '../../../audio/pcm.ts';
import { dtmf } from '../../../audio/tones.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { takeUnreported } from './books.ts';
import { listensFrom } from './listening.ts';
import { findMessage } from './message.ts';
import {
  endLeg,
  type OnCall,
  pickUp,
  plan,
  planHangUp,
  press,
  STAY_MS_MAX,
  say,
  TALK_MS,
  utterance,
} from './parties.ts';
import type { SimulatedLeg } from './queries.ts';
import type { ScriptStep } from './script.ts';

/** A step whose moment has not come is looked at again; after a minute it is passed over. */
const AGAIN_MS = 200;
const ATTEMPTS_MAX = 300;

/** What a step came to: events, and when the next is due; with `againInMs` the same step is looked at again. */
type Played = { readonly events: readonly VoiceEvent[]; readonly nextInMs: number } | { readonly againInMs: number };
const AGAIN: Played = { againInMs: AGAIN_MS };

type At = { readonly step: number; readonly attempt: number };
type Performance = { readonly ref: string; readonly spokenMs: number };

/** Starts a script when its call arrives. */
export function beginScript(): { name: string; inMs: number; act: { act: 'follow_script' } & At } {
  return { name: 'script', inMs: 0, act: { act: 'follow_script', step: 0, attempt: 1 } };
}

export async function followScript(on: OnCall, at: At, performance: Performance): Promise<readonly VoiceEvent[]> {
  const { call } = on;
  if (call.legs.every((leg) => leg.state === 'ended')) return [];
  const step = call.script?.[at.step];
  if (step === undefined) return endScript(on, at);
  const played = await playStep(on, step, performance);
  if ('againInMs' in played && at.attempt < attemptsMax(on, step)) {
    await planStep(on, { step: at.step, attempt: at.attempt + 1 }, played.againInMs);
    return [];
  }
  const { events, nextInMs } = 'againInMs' in played ? { events: [], nextInMs: 0 } : played;
  await planStep(on, { step: at.step + 1, attempt: 1 }, nextInMs);
  return events;
}

/** Who is greeted waits to the end of the greeting, however long that is. */
function attemptsMax(on: OnCall, step: ScriptStep): number {
  const isGreeted = (step.do === 'say' || step.do === 'press') && legOf(on, step.party)?.state === 'up';
  return isGreeted ? STAY_MS_MAX / AGAIN_MS : ATTEMPTS_MAX;
}

async function planStep(on: OnCall, at: At, inMs: number): Promise<void> {
  await plan(on, [{ name: `script:${at.step}:${at.attempt}`, inMs, act: { act: 'follow_script', ...at } }]);
}

/** After its last step a caller talks as long as others do, once it is up; or has left its message. */
async function endScript(on: OnCall, at: At): Promise<readonly VoiceEvent[]> {
  const { call } = on;
  const customer = call.legs.find((leg) => leg.party === 'customer' && leg.state === 'up');
  if (customer === undefined) await planStep(on, { ...at, attempt: at.attempt + 1 }, AGAIN_MS);
  else if (findMessage(call, customer) === undefined) {
    await plan(on, [planHangUp(customer, customer.leaves_message ? 0 : TALK_MS)]);
  }
  return [];
}

async function playStep(on: OnCall, step: ScriptStep, { ref, spokenMs }: Performance): Promise<Played> {
  switch (step.do) {
    case 'wait':
      return { events: [], nextInMs: step.ms };
    case 'answer':
    case 'decline':
      return playTarget(on, step);
    case 'hang_up': {
      const leg = legOf(on, step.party);
      return { events: leg === undefined ? [] : await endLeg(on, leg, 'hangup'), nextInMs: 0 };
    }
    case 'press': {
      const leg = listenedTo(on, step.party);
      if ('againInMs' in leg) return leg;
      const durationMs = durationMsOf(dtmf(step.digits));
      return { events: await press(on, leg, { ref, digits: step.digits, durationMs }), nextInMs: durationMs };
    }
    case 'say': {
      const leg = listenedTo(on, step.party);
      if ('againInMs' in leg) return leg;
      const sound = await say(on, leg, { ref, text: step.text, durationMs: spokenMs });
      takeUnreported(on.call, sound.ref);
      return { events: [utterance(leg, sound)], nextInMs: spokenMs };
    }
  }
}

async function playTarget(on: OnCall, step: Extract<ScriptStep, { target: unknown }>): Promise<Played> {
  const targets = on.call.legs.filter((leg) => leg.party === 'agent' && leg.state !== 'ended');
  const leg = targets.find((one) => step.target === null || one.address === step.target);
  // Whoever is not rung yet may be soon; where a voicemail has answered, nobody will be.
  if (leg === undefined) return legOf(on, 'customer')?.state === 'up' ? { events: [], nextInMs: 0 } : AGAIN;
  return { events: step.do === 'answer' ? await pickUp(on, leg) : await endLeg(on, leg, 'rejected'), nextInMs: 0 };
}

function legOf(on: OnCall, party: SimulatedLeg['party']): SimulatedLeg | undefined {
  return on.call.legs.find((leg) => leg.party === party && (leg.state === 'up' || leg.state === 'ringing'));
}

/** A party that somebody listens to, or when to look again: as soon as the tone is over, where it sounds. */
function listenedTo({ call }: OnCall, party: SimulatedLeg['party']): SimulatedLeg | { readonly againInMs: number } {
  const leg = call.legs.find((one) => one.party === party && one.state === 'up');
  const from = leg && listensFrom(call, leg);
  if (leg === undefined || from === undefined) return { againInMs: AGAIN_MS };
  return from > call.now ? { againInMs: from.getTime() - call.now.getTime() } : leg;
}
