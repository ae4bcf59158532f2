/** The only writer of simulated calls. Each step runs in its caller's transaction, together with its events. */
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/errors/all-then-throw.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import type { TakeEvents } from '../../ports/carrier.ts';
import type { WebClientCopies } from '../../ports/web-client.ts';
import { hearAnswer } from './answers.ts';
import { type CallEffect, type CallInput, newCall } from './call.ts';
import { step } from './call-machine.ts';
import type { CallDomain, CallExecutor, CallParts } from './call-parts.ts';
import { ACTION_KIND, type ActionPayload, insertCall, lockCall, openCall, saveCall } from './queries.ts';
import type { SoundMakers } from './sounds.ts';
import { createWebClientCopies } from './web-client-copies.ts';

export type SimulatedCalls = { readonly executor: CallExecutor; readonly copies: WebClientCopies };

type ExecutorOptions = { readonly takeEvents: TakeEvents; readonly domain: CallDomain };

/** Creates the writer of simulated calls, and the function that copies changes of web clients' legs to them. */
export function createSimulatedCalls({ takeEvents, domain }: ExecutorOptions): SimulatedCalls {
  const handOver = async (tx: Tx, ledger: Ledger, effects: readonly CallEffect[]): Promise<void> => {
    const events = effects.flatMap((effect) => (effect.do === 'report' ? [effect.event] : []));
    if (events.length > 0) await takeEvents(tx, ledger, events);
  };

  const executor: CallExecutor = {
    execute: async (tx, { ledger, callRef, input, commandRef, job }) => {
      const { ledgerId } = ledger;
      const lock = () => lockCall(tx, { ledgerId, callRef }, commandRef);
      let stored = await lock();
      if (stored === undefined && isOpening(input)) {
        await openCall(tx, ledgerId, newCall(callRef));
        stored = await lock();
      }
      // The job is completed under the call's lock: an earlier input may have cancelled the action, or planned it
      // again.
      if (job !== undefined) await completeJobs(tx, [job]);
      if (stored === undefined) return 'not_active';
      const { call: before, now, isKnownCommand } = stored;
      if (isKnownCommand) return undefined;
      const { call: after, effects, refusal } = step(before, input, now);
      if (refusal !== undefined) return refusal;
      // The domain takes the events first: jobs are locked in the order of their ids, and the ids of the domain's
      // timers sort before the ids of scheduled actions.
      await handOver(tx, ledger, effects);
      await saveCall(tx, ledgerId, { before, after, effects, commandRef });
      // Comes last, because the product's change of a web client's leg returns as an input of this call.
      for (const effect of effects) {
        if (effect.do !== 'ask_web_client') continue;
        const { legRef: legId, request } = effect;
        await domain.actAtWebClient(tx, ledger, { leg: { callId: callRef, legId }, request, copies });
      }
      return undefined;
    },
    begin: async (tx, ledger, { call, effects }) => {
      await handOver(tx, ledger, effects);
      await insertCall(tx, ledger.ledgerId, call, effects);
    },
  };
  const copies = createWebClientCopies(executor, domain);
  return { executor, copies };
}

/**
 * True for commands to a call that may not exist yet. A hang-up is stored, so that a dial that arrives later is
 * refused.
 */
function isOpening(input: CallInput): boolean {
  return input.type === 'command' && (input.instruction.do === 'dial' || input.instruction.do === 'hang_up');
}

/** The most actions that one run of the handler carries out. */
const BATCH_MAX = 4;

type ActionWorkerOptions = Pick<CallParts, 'db' | 'executor' | 'speechMs'> & { readonly makers: SoundMakers };
type ActionJob = Job<ActionPayload>;

/** Carries out scheduled actions of simulated calls when they fall due. */
export function createActionWorker({ db, executor, speechMs, makers }: ActionWorkerOptions): JobHandler<ActionPayload> {
  const carryOut = async (job: ActionJob): Promise<void> => {
    const { id: ref, ledgerId, payload } = job;
    const { callRef, action } = payload;
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    const text = 'text' in action ? action.text : null;
    // Outside the transaction, because speaking may start a program.
    const spokenMs = text === null ? 0 : await speechMs(text);
    const answer = action.do === 'greet' ? await hearAnswer(makers, action.address) : undefined;
    const input = { type: 'action', action, ref, spokenMs, answer } as const;
    await db.transaction((tx) => executor.execute(tx, { ledger, callRef, input, job }));
  };
  const carryOutInTurn = async (jobs: readonly ActionJob[]): Promise<void> => {
    for (const job of jobs) {
      await carryOut(job).catch((error: unknown) => {
        // The action was cancelled or planned again while this worker had it. Its effects are rolled back, and the next
        // action runs.
        if (!(error instanceof LeaseLostError)) throw error;
      });
    }
  };
  return {
    kind: ACTION_KIND,
    queue: 'voice',
    batchMax: BATCH_MAX,
    // Calls run concurrently; the actions of one call run in order.
    run: (jobs) => allThenThrow([...Map.groupBy(jobs, ({ payload }) => payload.callRef).values()].map(carryOutInTurn)),
  };
}
