/**
 * Web clients on simulated calls. A web client is a person, so nobody plays it: its leg rings while it is logged in, and what
 * is done there becomes events of the leg by the same functions by which test controls play parties.
 */
import { durationMsOf } from '../../../audio/pcm.ts';
import { dtmf } from '../../../audio/tones.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findE911Address } from '../../../domain/numbers/index.ts';
import {
  applyVoiceEvents,
  findActiveWebClient,
  isWebClientOverdue,
  isWebClientReachable,
  lockWebClient,
} from '../../../domain/voice/index.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import { ADDRESS_CHECK_NUMBER, EMERGENCY_NUMBER } from '../../../lib/emergency.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Party, VoiceEvent } from '../../ports/voice.ts';
import type { WebClientCall, WebClientLegIds, WebClientPort } from '../../ports/web-client.ts';
import { findAddressOfNumber } from '../e911-queries.ts';
import { enterLeg, type PlannedAct } from './books.ts';
import { isRung } from './controls.ts';
import { changeLeg, endLeg, findLeg, type OnCall, pickUp, plan, press, refsOf } from './parties.ts';
import { insertLeg, lockCall, newLeg, openCall, planActs, type SimulatedLeg } from './queries.ts';
import type { ScriptStep } from './script.ts';
import { beginScript } from './script-play.ts';
import { settleCall } from './settle-call.ts';
import { hasOtherLeg, listLegsUp, listWebClientLegs } from './web-client-queries.ts';

const CHECK_EVERY_MS = 10_000;
/** A page that is loaded again is back within this. */
const CHECK_AGAIN_MS = 5_000;
const MISSES_MAX = 2;
/** After the database was away, every web client's node says within 3 s that it is still there. */
const LOOK_AGAIN_MS = 1_000;
const LOOKS_AGAIN_MAX = 4;

/** A web client is dialled: it rings if it is logged in and on no other call. */
export async function ringWebClient(
  on: OnCall,
  { legRef, party, webClient }: { legRef: string; party: Party; webClient: string },
): Promise<VoiceEvent[]> {
  const { call } = on;
  const { call_ref } = call;
  const leg = newLeg({ leg_ref: legRef, call_ref, party, address: webClient, dialled: true, state: 'dialing' });
  enterLeg(call, leg);
  // The caller is to reach a voicemail.
  if (call.message_text !== null) return endLeg(on, leg, 'no_answer');
  return lookForWebClient(on, leg, 0);
}

async function lookForWebClient(on: OnCall, leg: SimulatedLeg, misses: number): Promise<VoiceEvent[]> {
  const { tx, ledgerId } = on;
  const { leg_ref: legRef, address } = leg;
  const webClient = { ledgerId, webClientId: address };
  // Held, so that of two calls at once, or one that it makes itself, only the first finds the web client free.
  if (!(await lockWebClient(tx, webClient))) {
    if (misses >= LOOKS_AGAIN_MAX || !(await isWebClientOverdue(tx, webClient))) return endLeg(on, leg, 'unreachable');
    await plan(on, [check(legRef, LOOK_AGAIN_MS, misses + 1)]);
    return [];
  }
  if (await hasOtherLeg(tx, ledgerId, { address, legRef })) return endLeg(on, leg, 'busy');
  await changeLeg(on, leg, { state: 'ringing' });
  await plan(on, [check(legRef, CHECK_EVERY_MS, 0)]);
  return [{ type: 'leg.ringing', ...refsOf(leg) }];
}

function check(legRef: string, inMs: number, misses: number): PlannedAct {
  return { name: `check_web_client:${legRef}`, inMs, act: { act: 'check_web_client', legRef, misses } };
}

/** Ends the leg of a web client that has gone without a word and has not come back, or cannot as it is revoked. */
export async function checkWebClient(on: OnCall, leg: SimulatedLeg, misses: number): Promise<VoiceEvent[]> {
  if (leg.state === 'ended') return [];
  if (leg.state === 'dialing') return lookForWebClient(on, leg, misses);
  const { tx, ledgerId } = on;
  const isThere = await isWebClientReachable(tx, { ledgerId, webClientId: leg.address });
  const isLost = !isThere && misses + 1 >= MISSES_MAX;
  if (isLost || (await findActiveWebClient(tx, { ledgerId }, leg.address)) === undefined) return loseWebClient(on, leg);
  await plan(on, [isThere ? check(leg.leg_ref, CHECK_EVERY_MS, 0) : check(leg.leg_ref, CHECK_AGAIN_MS, misses + 1)]);
  return [];
}

function loseWebClient(on: OnCall, leg: SimulatedLeg): Promise<VoiceEvent[]> {
  return endLeg(on, leg, leg.state === 'up' ? 'hangup' : 'unreachable', 'unreachable');
}

type WebClientContext = Pick<Context, 'db' | 'carriers'>;
type Doing = (on: OnCall, leg: SimulatedLeg) => Promise<readonly VoiceEvent[] | undefined>;

/** What the softphone server asks of the simulated network. */
export function createWebClientPort(context: WebClientContext): WebClientPort {
  /** One thing that a web client does: the books and what comes of it in the domain change together. */
  const act = (ledger: Ledger, { callId, legId }: WebClientLegIds, doing: Doing): Promise<boolean> =>
    context.db.transaction(async (tx) => {
      const { ledgerId } = ledger;
      const call = await lockCall(tx, ledgerId, callId);
      const on = call && { tx, ledgerId, call };
      const leg = on && findLeg(on, legId);
      if (on === undefined || leg === undefined || leg.state === 'ended') return false;
      const events = await doing(on, leg);
      await settleCall(on, ledger, { takeEvents: applyVoiceEvents(context), events: events ?? [] });
      return events !== undefined;
    });
  return {
    listLegs: ({ ledgerId }, webClientId, known) =>
      listWebClientLegs(context.db, ledgerId, { address: webClientId, known }),
    listLegsUp: ({ ledgerId }, legIds) => listLegsUp(context.db, ledgerId, legIds),
    isBusy: (tx, { ledgerId }, webClientId) => hasOtherLeg(tx, ledgerId, { address: webClientId, legRef: null }),
    answer: (ledger, name) => act(ledger, name, async (on, leg) => (isRung(leg) ? pickUp(on, leg) : undefined)),
    hangUp: (ledger, name) =>
      act(ledger, name, (on, leg) =>
        isRung(leg) ? endLeg(on, leg, 'rejected', 'declined') : endLeg(on, leg, 'hangup'),
      ),
    endLegs: async (ledger, webClientId) => {
      const legs = await listWebClientLegs(context.db, ledger.ledgerId, { address: webClientId, known: [] });
      await allThenThrow(legs.map((name) => act(ledger, name, loseWebClient)));
    },
    sendDigits: (ledger, name, digits) =>
      act(ledger, name, async (on, leg) => {
        if (leg.state !== 'up') return undefined;
        return press(on, leg, {
          ref: `web client:${newId('request')}`,
          digits,
          durationMs: durationMsOf(dtmf(digits)),
        });
      }),
    addCall,
  };
}

/** A call that a web client makes. Emergency numbers are answered by a voice of the simulation, and by nobody else. */
async function addCall(tx: Tx, ledger: Ledger, { callId, legId, webClientId, from, to }: WebClientCall): Promise<void> {
  const { ledgerId } = ledger;
  const script = await scriptOf(tx, ledger, { from, to });
  await openCall(tx, ledgerId, callId, script);
  await insertLeg(tx, ledgerId, {
    leg_ref: legId,
    call_ref: callId,
    party: 'agent',
    address: webClientId,
    dialled: false,
    state: 'up',
  });
  const acts = [check(legId, CHECK_EVERY_MS, 0), ...(script === null ? [] : [beginScript()])];
  await planActs(tx, ledgerId, callId, acts);
}

const NO_EMERGENCY = 'This is a test call. No emergency service has been reached.';
const NO_ADDRESS = 'No emergency address is registered for the number that you are calling from.';

async function scriptOf(
  tx: Tx,
  ledger: Ledger,
  { from, to }: { from: string; to: string },
): Promise<ScriptStep[] | null> {
  if (to === EMERGENCY_NUMBER) return recite(NO_EMERGENCY);
  if (to !== ADDRESS_CHECK_NUMBER) return null;
  const ref = await findAddressOfNumber(tx, ledger, from);
  const address = ref === undefined ? undefined : await findE911Address(tx, ledger, ref);
  if (address === undefined) return recite(NO_ADDRESS);
  const { street, unit, city, state, postal_code } = address;
  const place = [street, unit, city, state, postal_code].filter((part) => part !== null).join(', ');
  return recite(`The emergency address of the number that you are calling from is: ${place}.`);
}

function recite(text: string): ScriptStep[] {
  return [
    { do: 'say', party: 'customer', text },
    { do: 'wait', ms: 1_000 },
    { do: 'hang_up', party: 'customer' },
  ];
}
