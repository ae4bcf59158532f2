/**
 * The exchange rings web clients for calls whose carrier does not. Their legs are rows of the product and never reach a
 * carrier; the audio of the other party does (`route-commands.ts`). What a person does at a web client, and what
 * follows in the call, commit in one transaction, so no report can be lost.
 */
import type { VoiceInstruction } from '../../../carriers/ports/voice.ts';
import type { WebClientLegIds, WebClientPort } from '../../../carriers/ports/web-client.ts';
import type { Context } from '../../../context.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import { newId } from '../../../lib/ids.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import type { Call } from '../calls/call.ts';
import type { CallEffect, CallInput } from '../calls/call-step.ts';
import { stepCallWith } from '../calls/executor.ts';
import { findAnsweredLeg } from '../calls/machine/transition.ts';
import type { InLedger } from '../calls/queries.ts';
import { lockCallState } from '../calls/write-queries.ts';
import { hasOtherLeg, listLegs, listLegsUp, lockLeg, type StoredLeg, saveLeg } from './leg-queries.ts';
import {
  CHECK_EVERY_MS,
  check,
  type LegRequest,
  type LegStep,
  LOOKS_AGAIN_MAX,
  type NextCheck,
  ring,
  take,
  type WebClientStatus,
} from './leg-rules.ts';
import { findActiveWebClient } from './queries.ts';
import { isWebClientOverdue, isWebClientReachable, lockWebClient } from './session-queries.ts';
import { wakeWebClient } from './web-client-signal.ts';

export type WebClientExchange = WebClientPort & {
  /** Carries out a dial. Returns false if the leg was hung up before. */
  ring(ledger: InLedger, callId: string, dial: Extract<VoiceInstruction, { do: 'dial' }>): Promise<boolean>;
  /** Carries out a hang-up. A leg that was never dialled cannot be dialled any more. */
  end(ledger: InLedger, leg: WebClientLegIds & { webClientId: string; reason: string }): Promise<void>;
};

/** Creates the exchange. Each of its writers locks the call, then the leg, then the session of the web client. */
export function createWebClientExchange({ db }: Pick<Context, 'db'>): WebClientExchange {
  const request = async (ledger: InLedger, ids: WebClientLegIds, asked: LegRequest): Promise<boolean> => {
    const decide: Decide = (_tx, { leg }) => {
      const step = leg && take(leg, asked);
      return leg && step && { leg, step };
    };
    return (await changeLeg(db, ledger, { ids, decide })) !== undefined;
  };
  return {
    listLegs: (ledger, webClientId, known) => listLegs(db, ledger, { webClientId, known }),
    listLegsUp: (ledger, legIds) => listLegsUp(db, ledger, legIds),
    isBusy: (tx, ledger, webClientId) => hasOtherLeg(tx, ledger, { webClientId, legId: null }),
    answer: (ledger, ids) => request(ledger, ids, { do: 'answer' }),
    hangUp: (ledger, ids) => request(ledger, ids, { do: 'hang_up' }),
    endLegs: async (ledger, webClientId) => {
      const legs = await listLegs(db, ledger, { webClientId, known: [] });
      await allThenThrow(legs.map((leg) => request(ledger, leg, { do: 'lose' })));
    },
    sendDigits: (ledger, ids, digits) => sendDigits(db, ledger, ids, digits),
    addCall: async (tx, { ledgerId }, { callId, legId, webClientId }) => {
      const leg = { legId, callId, webClientId, wasRung: false, state: 'up', endReason: null } as const;
      await saveLeg(tx, { ledgerId }, leg);
      await planCheck(tx, { ledgerId }, leg, { inMs: CHECK_EVERY_MS, misses: 0 });
    },
    ring: async (ledger, callId, { legRef: legId, to: webClientId }) => {
      const ids = { callId, legId };
      const decide: Decide = async (tx, { leg: known }) => {
        if (known !== undefined) return { leg: known };
        const leg = { ...ids, webClientId, wasRung: true, state: 'dialing', endReason: null } as const;
        return { leg, step: ring(legId, await readFreeStatus(tx, ledger, leg, 0), 0) };
      };
      const decided = await changeLeg(db, ledger, { ids, decide });
      return decided !== undefined && decided.leg.state !== 'ended';
    },
    end: async (ledger, { callId, legId, webClientId, reason }) => {
      const ids = { callId, legId };
      const decide: Decide = (_tx, { leg: known }) => {
        const leg: StoredLeg = known ?? { ...ids, webClientId, wasRung: true, state: 'dialing', endReason: null };
        const step = take(leg, { do: 'cancel', reason });
        return step && { leg, step };
      };
      await changeLeg(db, ledger, { ids, decide });
    },
  };
}

/** A leg as it was, and what becomes of it; without a step nothing does. */
type Decision = { readonly leg: StoredLeg; readonly step?: LegStep; readonly also?: readonly CallEffect[] };
type Decide = (
  tx: Tx,
  found: { readonly leg: StoredLeg | undefined; readonly call: Call },
) => Promise<Decision | undefined> | Decision | undefined;

type Change = { readonly ids: WebClientLegIds; readonly decide: Decide; readonly job?: Job };

/**
 * Locks a call and one of its legs, and carries out what is decided. `job` is completed with it.
 * @returns what was decided; undefined if there is no such call
 */
function changeLeg(
  db: Database,
  ledger: InLedger,
  { ids: { callId, legId }, decide, job }: Change,
): Promise<Decision | undefined> {
  return db.transaction(async (tx) => {
    const locked = await lockCallState(tx, ledger, callId);
    if (job !== undefined) await completeJobs(tx, [job]);
    if (locked === undefined) return undefined;
    const stored = await lockLeg(tx, ledger, legId);
    const decided = await decide(tx, { leg: stored, call: locked.state });
    if (decided?.step === undefined) return decided;
    const { step, also = [] } = decided;
    const leg = { ...decided.leg, state: step.state, endReason: step.endReason };
    if (leg.state !== stored?.state) await saveLeg(tx, ledger, leg);
    // Calls' timers sort before checks by their ids, and jobs are locked in the order of their ids.
    await stepCallWith(tx, ledger, callId, { inputs: step.reports, also });
    if (step.check !== undefined) await planCheck(tx, ledger, leg, step.check);
    wakeWebClient(tx, { ledgerId: ledger.ledgerId, webClientId: leg.webClientId });
    return decided;
  });
}

/** Presses keys as the web client: they are reported, and the other party hears them. */
async function sendDigits(db: Database, ledger: InLedger, ids: WebClientLegIds, digits: string): Promise<boolean> {
  const ref = `web client:${newId('request')}`;
  const decide: Decide = (_tx, { leg, call }) => {
    if (leg?.state !== 'up') return undefined;
    const reports = [...digits.replaceAll(/w/gi, '')].map((digit, index): CallInput => {
      return { type: 'digit', legId: leg.legId, digit, digitRef: `${ref}:${index}` };
    });
    const customer = call.stage.name === 'talking' ? findAnsweredLeg(call, 'customer') : undefined;
    const also = customer && { do: 'command' as const, command: digitsTo(customer.id, digits) };
    return { leg, step: { state: leg.state, endReason: leg.endReason, reports }, ...(also && { also: [also] }) };
  };
  return (await changeLeg(db, ledger, { ids, decide })) !== undefined;
}

function digitsTo(legRef: string, digits: string): VoiceInstruction {
  return { do: 'send_digits', legRef, digits };
}

/**
 * Reads whether a web client can be rung. Its session is locked before its legs are read, so that of two calls at once,
 * or one that it makes itself, only the first gets it.
 */
async function readFreeStatus(
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

/** Reads whether a web client that rings or talks is still there. */
async function readPresence(tx: Tx, { ledgerId }: InLedger, { webClientId }: StoredLeg): Promise<WebClientStatus> {
  if ((await findActiveWebClient(tx, { ledgerId }, webClientId)) === undefined) return 'revoked';
  return (await isWebClientReachable(tx, { ledgerId, webClientId })) ? 'available' : 'unreachable';
}

const CHECK_LEG = 'web-client-leg';
type CheckLeg = WebClientLegIds & { readonly misses: number };

async function planCheck(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, legId }: WebClientLegIds,
  { inMs: delayMs, misses }: NextCheck,
): Promise<void> {
  const payload: CheckLeg = { callId, legId, misses };
  await enqueue(tx, [{ ledgerId, id: `${CHECK_LEG}:${legId}`, queue: 'voice', kind: CHECK_LEG, payload, delayMs }]);
}

/** Returns the handler of the checks whether the web clients of legs are still logged in. */
export function webClientLegJob({ db }: Pick<Context, 'db'>): JobHandler {
  const handler: JobHandler<CheckLeg> = {
    kind: CHECK_LEG,
    queue: 'voice',
    run: async ([job]) => {
      if (job === undefined) return;
      const { misses, ...ids } = job.payload;
      const decide: Decide = async (tx, { leg }) => {
        if (leg === undefined || leg.state === 'ended') return undefined;
        const isDue = leg.state === 'dialing';
        const status = isDue ? await readFreeStatus(tx, job, leg, misses) : await readPresence(tx, job, leg);
        const step = check(leg, status, misses);
        return step && { leg, step };
      };
      await changeLeg(db, job, { ids, decide, job: job as Job });
    },
  };
  return handler as JobHandler;
}
