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
 * Whoever is called and hears something that nobody else hears presses 1 after it.
 */
import {
  addLeg,
  answerLeg,
  type Calls,
  endLeg,
  type HangupCause,
  type Leg,
  report,
  reportBegin,
  tell,
} from './legs.ts';
import type { Person } from './person.ts';

const ANSWERS_AFTER_MS = 300;
const CALLER_STAYS_MS = 15_000;
const SAYS_MS = 3_000;
const PRESSES_AFTER_MS = 300;

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
  if (cause !== undefined) {
    desk.plan(50, () => endLeg(calls, leg, cause, 'callee'));
    return;
  }
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
  const { state } = calls.account;
  const connection_id = state.numbers.get(to)?.connection_id ?? undefined;
  const application = state.applications.get(connection_id ?? '');
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
  calls.desk.say(leg, SAYS_MS);
  calls.desk.plan(hangsUpAfterMs, () => endLeg(calls, leg, 'normal_clearing', 'caller'));
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
