/** How legs begin and end: dials, answers, hang-ups. */
import { textAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { today } from '../../../lib/time/time.ts';
import {
  ACCEPTED,
  endingOutcome,
  type Instruction,
  LEG_GONE,
  NOT_SUPPORTED,
  type VoiceOutcome,
} from '../../call-control/verbs.ts';
import { type Answer, outcomeOf } from '../client/client.ts';
import { judgeDial } from '../client/errors.ts';
import { endLeg, listLegsOfCall, markHungUp, nameLeg, openLeg, type TelnyxLeg } from './leg-queries.ts';
import {
  act,
  hasEnded,
  isLive,
  type LiveLeg,
  labelOf,
  nameOf,
  type VoiceLine,
  voiceOutcome,
  type Work,
} from './voice-line.ts';

/** The shortest ring time that Telnyx accepts. The longest is 600 s. */
const RING_S_MIN = 5;
const RING_S_MAX = 600;
export const RING_MS_MAX = RING_S_MAX * 1_000;
/** Telnyx ends a call after this time. */
export const CALL_MS_MAX = 14_400_000;

/**
 * Dials a leg at most once, even if several commands dial it. `order` returns the answer of an earlier attempt, or
 * makes the request.
 */
export async function dial(
  line: VoiceLine,
  { ledger, callRef }: { readonly ledger: Ledger; readonly callRef: string },
  { instruction, order }: { instruction: Instruction<'dial'>; order: Order },
): Promise<VoiceOutcome> {
  const { legRef, party } = instruction;
  const { connectionId, db } = line;
  const name = { ledgerId: ledger.ledgerId, connectionId, legRef };
  const others = (await listLegsOfCall(db, name, callRef)).filter((leg) => isLive(leg) && leg.legRef !== legRef);
  const linked = others.find(isLive);
  const leg = await openLeg(db, { ...name, callRef, party, parks: linked !== undefined });
  if (leg.isHungUp || leg.state === 'ended') return LEG_GONE;
  if (leg.callControlId !== null) return ACCEPTED;
  const application = await line.findApplication();
  if (application === undefined) return { outcome: 'unavailable' };
  return await order(async (id) => {
    const body = bodyOf(instruction, { leg, linked: leg.parks ? linked : undefined, application, id });
    return await concludeDial({ line, ledger, callRef, id }, leg, await ask(line, body));
  });
}

export type Order = (send: (id: string) => Promise<VoiceOutcome>) => Promise<VoiceOutcome>;

const ask = ({ client }: VoiceLine, body: object) => client.ask({ method: 'POST', path: '/calls', body });

type Dialled = {
  readonly leg: TelnyxLeg;
  readonly linked: LiveLeg | undefined;
  readonly application: string;
  readonly id: string;
};

/**
 * Links the dialled leg to a live leg of the call (`link_to`), so that Telnyx keeps the dialled leg when its bridge
 * ends. A forwarded call must show the caller of the live leg: Telnyx does so with `bridge_intent`. Without a link
 * Telnyx shows only our own numbers.
 */
function bodyOf(
  { to, from, shownAs, ringMs, detectsMachine }: Instruction<'dial'>,
  { leg, linked, application, id }: Dialled,
): object {
  const isPassedOn = shownAs !== from && shownAs !== 'anonymous' && linked !== undefined;
  return {
    connection_id: application,
    to,
    from,
    timeout_secs: Math.min(Math.max(Math.ceil(ringMs / 1_000), RING_S_MIN), RING_S_MAX),
    // Telnyx must not retry over another route, because the caller has waited long enough.
    retry_on_timeout: false,
    ...(linked !== undefined && { link_to: linked.callControlId, park_after_unbridge: 'self' }),
    ...(isPassedOn && { bridge_intent: true }),
    // Only this detector recognises a fax, and reports a beep at the moment of the beep.
    ...(detectsMachine === true && { answering_machine_detection: 'premium' }),
    ...(shownAs === 'anonymous' && { privacy: 'id' }),
    client_state: labelOf(leg),
    command_id: id,
  };
}

async function concludeDial(work: Work, leg: TelnyxLeg, answer: Answer): Promise<VoiceOutcome> {
  const { line } = work;
  if (answer.is === 'refused' || answer.is === 'busy') return await concludeRefusal(work, leg, answer);
  if (answer.is !== 'answered') return outcomeOf(answer);
  const callControlId = textAt(answer.body, 'data', 'call_control_id') ?? null;
  const callLegId = textAt(answer.body, 'data', 'call_leg_id') ?? null;
  const named = await nameLeg(line.db, nameOf(work, leg), { callControlId, callLegId });
  if (named?.isHungUp) await hangUpAtTelnyx(line, named);
  return ACCEPTED;
}

type Undialled = Extract<Answer, { is: 'refused' | 'busy' }>;

/** Returns the outcome of a dial that was refused. Ends the leg, unless a later dial may succeed. */
async function concludeRefusal(work: Work, leg: TelnyxLeg, answer: Undialled): Promise<VoiceOutcome> {
  const { verdict, ...detail } = judgeDial(answer);
  if (verdict === 'limit' || verdict === 'account') {
    const { retryAfterMs } = answer.is === 'busy' ? answer : {};
    return { outcome: 'unavailable', cause: verdict, ...(retryAfterMs !== undefined && { retryAfterMs }), ...detail };
  }
  if (answer.is === 'busy') return outcomeOf(answer);
  await endLeg(work.line.db, nameOf(work, leg), { cause: 'failed', endedAt: today() });
  // Other codes with 403 or 422 may also mean that the account may not call the number, for example because of its
  // profile.
  if (verdict === 'number' || answer.status === 403 || answer.status === 422) {
    return { outcome: 'rejected', reason: 'destination_refused' };
  }
  return NOT_SUPPORTED;
}

/** Answers the leg of a caller. */
export async function answer(work: Work, leg: LiveLeg): Promise<VoiceOutcome> {
  return voiceOutcome(await act(work, leg, { action: 'answer', body: { client_state: labelOf(leg) } }));
}

/**
 * Hangs up a leg in any state. The dial of a leg may have reached Telnyx although its answer was lost. Such a leg is
 * hung up when Telnyx reports its name.
 */
export async function hangUp(
  line: VoiceLine,
  { ledgerId }: Ledger,
  { callRef, legRef }: { readonly callRef: string; readonly legRef: string },
): Promise<VoiceOutcome> {
  const leg = await markHungUp(line.db, { ledgerId, connectionId: line.connectionId, legRef }, callRef);
  return leg.state === 'ended' ? ACCEPTED : await hangUpAtTelnyx(line, leg);
}

/** Ends a leg at Telnyx. A repeat has no effect. */
export async function hangUpAtTelnyx(line: VoiceLine, leg: TelnyxLeg): Promise<VoiceOutcome> {
  if (leg.callControlId === null) return ACCEPTED;
  const answered = await askToHangUp(line, leg.callControlId);
  return endingOutcome(voiceOutcome(answered));
}

/**
 * Repeats the hang-up of a leg whose end was not reported. If Telnyx says that the leg is over, records its end.
 * @returns false if Telnyx did not answer
 */
export async function hangUpAgain(line: VoiceLine, leg: TelnyxLeg): Promise<boolean> {
  const { ledgerId, legRef, callControlId } = leg;
  if (callControlId === null) return true;
  const answered = await askToHangUp(line, callControlId);
  if (hasEnded(answered)) {
    const name = { ledgerId, connectionId: line.connectionId, legRef };
    await endLeg(line.db, name, { cause: 'canceled', endedAt: today() });
  }
  return answered.is === 'answered' || answered.is === 'refused';
}

const askToHangUp = ({ client }: VoiceLine, ccid: string): Promise<Answer> =>
  client.ask({ method: 'POST', path: '/calls/{ccid}/actions/hangup', params: { ccid }, body: {} });
