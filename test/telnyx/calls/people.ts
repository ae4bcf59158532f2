/**
 * The people on the other end of calls. Any number is a person.
 *
 * | Person | What happens |
 * | --- | --- |
 * | usual, is called | the phone rings, is answered after 300 ms, and is not hung up |
 * | usual, calls | says something for 3 s after the answer, and hangs up 15 s after it |
 * | +1 xxx 555 9001 | never answers |
 * | +1 xxx 555 9002 | is busy |
 * | +1 xxx 555 9003 | rejects the call |
 * | +1 xxx 555 9004 | is no number that exists |
 *
 * Whoever is called and hears something that nobody else hears presses 1 after it. A person who is transcribed says
 * something each 2 s, three times.
 */
import { addLeg, answerLeg, type Calls, endLeg, type HangupCause, type Leg, report, reportBegin, tell } from './legs.ts';

/** How a person behaves. What is absent is as usual. */
export type Person = {
  readonly phoneNumber: string;
  /** False: the phone rings, and nobody answers. */
  readonly answers?: boolean;
  readonly answersAfterMs?: number;
  /** A call is refused at once. */
  readonly refuses?: 'user_busy' | 'call_rejected' | 'not_found';
  readonly hangsUpAfterMs?: number;
  /** The keys that are pressed after something that this person alone has heard; none if empty. */
  readonly presses?: string;
};

const ANSWERS_AFTER_MS = 300;
const CALLER_STAYS_MS = 15_000;
const SAYS_MS = 3_000;
const PRESSES_AFTER_MS = 300;
const TRANSCRIBED = { everyMs: 2_000, times: 3, saysMs: 1_500 } as const;

const MAGIC: Readonly<Record<string, Partial<Person>>> = {
  '5559001': { answers: false },
  '5559002': { refuses: 'user_busy' },
  '5559003': { refuses: 'call_rejected' },
  '5559004': { refuses: 'not_found' },
};

function personOf({ people }: Calls, phoneNumber: string): Person {
  return { ...MAGIC[phoneNumber.slice(-7)], ...people.get(phoneNumber), phoneNumber };
}

/** The phone of the person of a leg rings. Telnyx gives up after `ringMs`. */
export function ring(calls: Calls, leg: Leg, ringMs: number): void {
  const { desk } = calls;
  const { refuses, answers = true, answersAfterMs = ANSWERS_AFTER_MS, hangsUpAfterMs } = personOf(calls, leg.person);
  const cause: HangupCause | undefined = refuses;
  if (cause !== undefined) return desk.plan(50, () => endLeg(calls, leg, cause, 'callee'));
  const giveUp = setTimeout(() => {
    if (leg.state === 'ringing') endLeg(calls, leg, 'timeout', 'unknown');
  }, ringMs);
  giveUp.unref();
  if (!answers) return;
  desk.plan(answersAfterMs, () => {
    clearTimeout(giveUp);
    if (leg.state !== 'ringing') return;
    answerLeg(calls, leg);
    if (hangsUpAfterMs !== undefined) desk.plan(hangsUpAfterMs, () => endLeg(calls, leg, 'normal_clearing', 'callee'));
  });
}

type CallIn = { readonly from: string; readonly to: string };

/** A person calls a number of the account. Throws if it is connected to no application. */
export function callIn(calls: Calls, { from, to }: CallIn): { readonly call_control_id: string } {
  const { world } = calls;
  const connection_id = world.state.numbers.get(to)?.connection_id ?? undefined;
  const application = world.state.applications.get(connection_id ?? '');
  if (connection_id === undefined || application === undefined) throw new Error(`${to} rings nowhere`);
  const urls = application.webhook_event_url === '' ? [] : [application.webhook_event_url];
  const leg = addLeg(calls, { connection_id, direction: 'incoming', from, to, urls, client_state: undefined });
  reportBegin(calls, leg);
  return { call_control_id: leg.call_control_id };
}

/** What a caller does once the account has answered. */
export function beginCaller(calls: Calls, leg: Leg): void {
  if (leg.direction !== 'incoming') return;
  const { hangsUpAfterMs = CALLER_STAYS_MS } = personOf(calls, leg.person);
  say(calls, leg, SAYS_MS);
  calls.desk.plan(hangsUpAfterMs, () => endLeg(calls, leg, 'normal_clearing', 'caller'));
}

/** A person speaks. */
export function say(calls: Calls, leg: Leg, durationMs: number): void {
  if (leg.state === 'up') tell(calls, (hooks) => hooks.onSays?.(leg, durationMs));
}

/** A person who is transcribed has something to say. */
export function beginTalk(calls: Calls, leg: Leg): void {
  for (let time = 0; time < TRANSCRIBED.times; time++) {
    calls.desk.plan(time * TRANSCRIBED.everyMs + 100, () => say(calls, leg, TRANSCRIBED.saysMs));
  }
}

/** What a person does who alone has heard something. */
export function hearSpeech(calls: Calls, leg: Leg): void {
  const { presses = leg.direction === 'outgoing' ? '1' : '' } = personOf(calls, leg.person);
  if (presses !== '') calls.desk.plan(PRESSES_AFTER_MS, () => press(calls, leg, presses));
}

/** A person presses keys. */
export function press(calls: Calls, leg: Leg, digits: string): void {
  if (leg.state !== 'up') return;
  for (const digit of digits) {
    report(calls, leg, 'call.dtmf.received', { digit, from: leg.from, to: leg.to });
    tell(calls, (hooks) => hooks.onPressed?.(leg, digit));
  }
}

/** Returns the leg of a person's running call. */
export function legOfPerson({ legs }: Calls, phoneNumber: string): Leg {
  const leg = [...legs.values()].findLast((each) => each.person === phoneNumber && each.state !== 'ended');
  if (leg === undefined) throw new Error(`${phoneNumber} is on no call`);
  return leg;
}
