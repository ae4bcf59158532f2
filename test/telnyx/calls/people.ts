/** The people at the other ends of the legs: they ring, answer, talk, press digits, call, and hang up. */
import { findOwned } from '../state.ts';
import type { World } from '../world.ts';
import { urlsOf } from './applications.ts';
import { type Plan, plan } from './clock.ts';
import type { CallHooks, Leg, Speech } from './hooks.ts';
import { endLeg, pressDigit, startLeg, tell } from './legs.ts';
import { personAt } from './person.ts';

/** A call of a person to a number of the account. */
export type PersonCall = {
  /** The caller's number, in the form of the reports. */
  readonly from: string;
  /** A number of the account, E.164. */
  readonly to: string;
  /** How the reports write the number that was called; `to` by default. */
  readonly toWritten?: string;
  /** More fields of the report of the arrival. */
  readonly reported?: Readonly<Record<string, unknown>>;
};

const RINGS_AFTER_MS = 50;
/** From the answer, or from a beep, to the first word. */
const BREATH_MS = 100;
/** From the end of a speech to the key. */
const PRESSES_AFTER_MS = 300;
const DIGIT_MS = 150;
const ASKS_FOR_KEY = /\b(?:press|key)/i;

const REFUSALS = {
  busy: { cause: 'user_busy', by: 'person', sip: '486' },
  rejects: { cause: 'call_rejected', by: 'person', sip: '603' },
  unreachable: { cause: 'not_found', by: 'carrier', sip: '404' },
} as const;

/** Returns the hooks that let people act in answered calls. */
export function peopleHooks(world: World): Partial<CallHooks> {
  const { plans } = world.state.calls;
  const presses = new Map<string, readonly Plan[]>();
  return {
    onLegUp: (leg) => {
      const { saysMs, hangsUpAfterMs } = personOf(world, leg);
      if (saysMs > 0) plan(plans, { leg, ms: BREATH_MS }, () => talk(world, leg, saysMs));
      if (hangsUpAfterMs !== null) plan(plans, { leg, ms: hangsUpAfterMs }, () => hangUp(world, leg));
    },
    onSpeechStart: (speech) => {
      const { playRef, heardBy, runMs } = speech;
      if (!asksForKey(speech)) return;
      const planned = heardBy.map((leg) =>
        plan(plans, { leg, ms: runMs + PRESSES_AFTER_MS }, () => {
          presses.delete(playRef);
          press(world, leg, personOf(world, leg).presses);
        }),
      );
      presses.set(playRef, planned);
    },
    onSpeechEnd: (playRef, isComplete) => {
      if (isComplete) return;
      for (const each of presses.get(playRef) ?? []) each.cancel();
      presses.delete(playRef);
    },
  };
}

/** A file has no words to read. It counts as a prompt for a key if only a called person hears it, and once. */
function asksForKey({ content, heardBy, runs }: Speech): boolean {
  if ('text' in content) return ASKS_FOR_KEY.test(content.text);
  return runs === 1 && heardBy.length === 1 && heardBy[0]?.direction === 'outgoing';
}

/** A called person's phone rings. `answer` is called when the person answers. */
export function ring(world: World, leg: Leg, answer: () => void): void {
  const { plans, ringing } = world.state.calls;
  const { answers, answersAfterMs } = personOf(world, leg);
  plan(plans, { leg, ms: RINGS_AFTER_MS, kind: 'ring' }, () => {
    if (answers !== 'yes' && answers !== 'never') {
      endLeg(world, leg, REFUSALS[answers]);
      return;
    }
    leg.state = 'ringing';
    ringing.set(leg.call_control_id, answer);
    if (answers === 'never') return;
    plan(plans, { leg, ms: Math.max(0, answersAfterMs - RINGS_AFTER_MS), kind: 'ring' }, () => pickUp(world, leg));
  });
}

/** The person of a ringing leg answers. */
export function pickUp({ state }: World, leg: Leg): void {
  const answer = state.calls.ringing.get(leg.call_control_id);
  if (leg.state !== 'ringing' || answer === undefined) throw new Error('the phone does not ring');
  state.calls.ringing.delete(leg.call_control_id);
  answer();
}

/** A person calls a number of the account. Returns the `call_control_id`. Throws if no application takes the call. */
export function callIn(world: World, { from, to, toWritten = to, reported = {} }: PersonCall): string {
  const { calls } = world.state;
  const application = calls.applications.get(findOwned(world.state, to)?.connection_id ?? '');
  if (!application?.active) throw new Error(`no active application takes calls to ${to}`);
  const connection_id = application.id;
  const urls = urlsOf(application);
  const leg = startLeg(world, { connection_id, direction: 'incoming', from, to: toWritten, urls, reported });
  const { waitsMs } = personAt(calls.people, from, true);
  plan(calls.plans, { leg, ms: waitsMs, kind: 'ring', isAwaited: false }, () => hangUp(world, leg));
  if (application.first_command_timeout) {
    const ms = application.first_command_timeout_secs * 1_000;
    const end = { cause: 'timeout', by: 'carrier' } as const;
    plan(calls.plans, { leg, ms, kind: 'first_command', isAwaited: false }, () => endLeg(world, leg, end));
  }
  return leg.call_control_id;
}

/** The person of a leg hangs up: a caller who was not answered gives up, a called person rejects. */
export function hangUp(world: World, leg: Leg): void {
  if (leg.state === 'answered') {
    endLeg(world, leg, { cause: 'normal_clearing', by: 'person' });
    return;
  }
  if (leg.direction === 'outgoing') {
    endLeg(world, leg, REFUSALS.rejects);
    return;
  }
  endLeg(world, leg, { cause: 'originator_cancel', by: 'person' });
}

/** The person of an answered leg talks. */
export function talk(world: World, leg: Leg, ms: number): void {
  tell(world, (hooks) => hooks.onPersonSays?.(leg, ms));
  plan(world.state.calls.plans, { leg, ms }, () => undefined);
}

/** The person of a leg hears the beep before a recording, and leaves a message; a person who never talks does not. */
export function hearBeep(world: World, leg: Leg, beepMs: number): void {
  const { saysMs } = personOf(world, leg);
  if (saysMs > 0) plan(world.state.calls.plans, { leg, ms: beepMs + BREATH_MS }, () => talk(world, leg, saysMs));
}

/** The person of an answered leg presses digits, one after another. */
export function press(world: World, leg: Leg, digits: string): void {
  const [digit, rest] = [digits.slice(0, 1), digits.slice(1)];
  if (digit === '') return;
  pressDigit(world, leg, digit);
  plan(world.state.calls.plans, { leg, ms: DIGIT_MS }, () => press(world, leg, rest));
}

/** Returns the legs of a person that have not ended. Throws if there is none. */
export function legsOf({ state }: World, phoneNumber: string): readonly [Leg, ...Leg[]] {
  const [first, ...rest] = [...state.calls.legs.values()].filter(
    (leg) => leg.person === phoneNumber && leg.state !== 'ended',
  );
  if (first === undefined) throw new Error(`${phoneNumber} has no call`);
  return [first, ...rest];
}

function personOf({ state }: World, { person, direction }: Leg) {
  return personAt(state.calls.people, person, direction === 'incoming');
}
