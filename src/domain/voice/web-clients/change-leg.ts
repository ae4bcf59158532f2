/**
 * The only writer of web clients' legs. An action of the person, or a finding about a web client, commits in one
 * transaction with its effects on the call. The transaction locks the carrier's part of the call, then the call, then
 * the leg, then the session of the web client.
 */

import type { WebClientCopies, WebClientLegIds } from '../../../carriers/ports/web-client.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { stepCallWith } from '../calls/execution/executor.ts';
import { findAnsweredLeg } from '../calls/machine/transition.ts';
import type { InLedger } from '../calls/queries.ts';
import { lockCallState } from '../calls/queries.ts';
import type { Call } from '../calls/state/call.ts';
import type { CallEffect, CallInput } from '../calls/state/call-step.ts';
import { hasOtherLeg, lockLeg, type StoredLeg, saveLeg } from './leg-queries.ts';
import {
  CHECK_EVERY_MS,
  check,
  type LegStep,
  LOOKS_AGAIN_MAX,
  type NextCheck,
  type WebClientStatus,
} from './leg-rules.ts';
import { findActiveWebClient } from './queries.ts';
import { isWebClientOverdue, isWebClientReachable, lockWebClient } from './session-queries.ts';
import { wakeWebClient } from './web-client-signal.ts';

/** Returns the copies of a ledger's legs; undefined if its carriers have no copies. */
export type CopiesOf = (ledger: Pick<Ledger, 'mode'>) => WebClientCopies | undefined;

/** The facts for a decision. */
type Found = {
  readonly leg: StoredLeg | undefined;
  readonly call: Call;
  /** True if a test requests that no party answers the call. */
  readonly ringsNobody: boolean;
};

type Keys = { readonly ref: string; readonly digits: string };

/** A leg as it was, and its next step; without a step it does not change. */
export type Decision = { readonly leg: StoredLeg; readonly step?: LegStep; readonly pressed?: Keys };
export type Decide = (tx: Tx, found: Found) => Promise<Decision | undefined> | Decision | undefined;

type Change = {
  readonly ids: WebClientLegIds;
  readonly decide: Decide;
  /** The job is completed with the change. */
  readonly job?: Job;
  /** True for a change by a command of the call. The carrier may not know the call yet. */
  readonly opens?: boolean;
};

/**
 * Locks a call and one of its legs, and carries out the decision.
 * @returns the decision; undefined if there is no such call
 */
export async function changeLeg(
  tx: Tx,
  ledger: Ledger,
  { ids: { callId, legId }, decide, job, opens = false }: Change,
  copies: WebClientCopies | undefined,
): Promise<Decision | undefined> {
  const { ringsNobody } = (await copies?.lock(tx, ledger, callId, { opens })) ?? { ringsNobody: false };
  const locked = await lockCallState(tx, ledger, callId);
  if (job !== undefined) await completeJobs(tx, [job]);
  if (locked === undefined) return undefined;
  const stored = await lockLeg(tx, ledger, legId);
  const decided = await decide(tx, { leg: stored, call: locked.state, ringsNobody });
  if (decided?.step === undefined) return decided;
  const { step, pressed } = decided;
  const leg = { ...decided.leg, state: step.state, endReason: step.endReason };
  const isChanged = leg.state !== stored?.state;
  if (isChanged) await saveLeg(tx, ledger, leg);
  // Jobs are locked in the order of their ids. The ids of a call's timers sort before the ids of the carrier's actions
  // and of checks, so the call is stepped first.
  const also = pressed === undefined || copies !== undefined ? [] : digitsToCustomer(locked.state, pressed);
  await stepCallWith(tx, ledger, callId, { inputs: step.reports, also });
  if (isChanged) await copies?.set(tx, ledger, leg);
  if (pressed !== undefined) await copies?.press(tx, ledger, leg, pressed);
  if (step.check !== undefined) await planCheck(tx, ledger, leg, step.check);
  wakeWebClient(tx, { ledgerId: ledger.ledgerId, webClientId: leg.webClientId });
  return decided;
}

/** Sends digits as the web client. They are reported, and the other party hears their tones. */
export function pressKeys(digits: string): Decide {
  const ref = `web client:${newId('request')}`;
  return (_tx, { leg }) => {
    if (leg?.state !== 'up') return undefined;
    const reports = [...digits.replaceAll(/w/gi, '')].map((digit, index): CallInput => {
      return { type: 'digit', legId: leg.legId, digit, digitRef: `${ref}:${index}` };
    });
    return { leg, step: { state: leg.state, endReason: leg.endReason, reports }, pressed: { ref, digits } };
  };
}

/**
 * Plays digits to the customer at the carrier. The web client's audio does not reach the customer through the carrier.
 */
function digitsToCustomer(call: Call, { digits }: Keys): CallEffect[] {
  const customer = call.stage.name === 'talking' ? findAnsweredLeg(call, 'customer') : undefined;
  return customer === undefined ? [] : [{ do: 'command', command: { do: 'send_digits', legRef: customer.id, digits } }];
}

/**
 * Reads whether a web client can be rung. Locks its session before it reads its legs. So only the first of two
 * concurrent calls gets the web client, whether the calls ring it or it places them.
 */
export async function readFreeStatus(
  tx: Tx,
  { ledgerId }: InLedger,
  { webClientId, legId }: StoredLeg,
  misses: number,
): Promise<WebClientStatus> {
  const name = { ledgerId, webClientId };
  if (await lockWebClient(tx, name)) {
    return (await hasOtherLeg(tx, { ledgerId }, { webClientId, legId })) ? 'busy' : 'available';
  }
  return misses < LOOKS_AGAIN_MAX && (await isWebClientOverdue(tx, name)) ? 'overdue' : 'unreachable';
}

/** Reads whether a web client that is ringing or talking is still logged in. */
async function readPresence(tx: Tx, { ledgerId }: InLedger, { webClientId }: StoredLeg): Promise<WebClientStatus> {
  if ((await findActiveWebClient(tx, { ledgerId }, webClientId)) === undefined) return 'revoked';
  return (await isWebClientReachable(tx, { ledgerId, webClientId })) ? 'available' : 'unreachable';
}

const CHECK_LEG = 'web-client-leg';
type CheckLeg = WebClientLegIds & { readonly misses: number };

export async function planCheck(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, legId }: WebClientLegIds,
  { inMs: delayMs, misses }: NextCheck = { inMs: CHECK_EVERY_MS, misses: 0 },
): Promise<void> {
  const payload: CheckLeg = { callId, legId, misses };
  await enqueue(tx, [{ ledgerId, id: `${CHECK_LEG}:${legId}`, queue: 'voice', kind: CHECK_LEG, payload, delayMs }]);
}

/** Returns the handler that checks whether the web clients of legs are still logged in. */
export function webClientLegJob({ db }: Pick<Context, 'db'>, copiesOf: CopiesOf): JobHandler {
  const handler: JobHandler<CheckLeg> = {
    kind: CHECK_LEG,
    queue: 'voice',
    run: async ([job]) => {
      const ledger = job && (await findLedger(db, job.ledgerId));
      if (job === undefined || ledger === undefined) return;
      const { misses, ...ids } = job.payload;
      const decide: Decide = async (tx, { leg }) => {
        if (leg === undefined || leg.state === 'ended') return undefined;
        const isDue = leg.state === 'dialing';
        const status = isDue ? await readFreeStatus(tx, ledger, leg, misses) : await readPresence(tx, ledger, leg);
        const step = check(leg, status, misses);
        return step && { leg, step };
      };
      await db.transaction((tx) => changeLeg(tx, ledger, { ids, decide, job: job as Job }, copiesOf(ledger)));
    },
  };
  return handler as JobHandler;
}
