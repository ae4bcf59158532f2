/** The only writer of simulated calls. Each step runs in its caller's transaction, together with its events. */
import type { TSchema } from 'typebox';
import type { Database, Db, Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import type { TakeEvents } from '../../ports/carrier.ts';
import type { EmergencyAddress } from '../../ports/e911.ts';
import {
  type CallEffect,
  type CallInput,
  type CallRefusal,
  findLeg,
  isWebClient,
  newCall,
  type SimulatedCall,
  type Step,
  type WebClientStatus,
} from './call.ts';
import { step } from './call-machine.ts';
import { LOOKS_AGAIN_MAX, MISSES_MAX } from './machine/legs.ts';
import { ACTION_KIND, type ActionPayload, hasOtherLeg, insertCall, lockCall, openCall, saveCall } from './queries.ts';

type WebClientName = { readonly ledgerId: number; readonly webClientId: string };

/** A row that belongs to a tenant. */
type Owned = { readonly tenant_id: string };
type ShownCall = Owned & { readonly direction: 'inbound' | 'outbound'; readonly status: string };

/** What simulated calls use of the domain. */
export type CallDomain = {
  /** The API's schema of a call. */
  readonly Call: TSchema;
  /** Returns a call as the API shows it. */
  findCall(db: Db, ledger: Ledger, callId: string): Promise<ShownCall | undefined>;
  /** True while the carrier has not taken all commands of the call. */
  hasWaitingCommands(db: Db, ledger: Ledger, callId: string): Promise<boolean>;
  /** Returns the tenant's number with these digits (E.164), unless it is released. */
  findOwnedNumber(tx: Tx, ledger: Ledger, phoneNumber: string): Promise<Owned | undefined>;
  findE911Address(tx: Tx, ledger: Ledger, addressId: string): Promise<EmergencyAddress | undefined>;
  /** Returns a web client, unless it is revoked. */
  findActiveWebClient(tx: Tx, ledger: Ledger, webClientId: string): Promise<object | undefined>;
  /** True while the web client is logged in. */
  isWebClientReachable(tx: Tx, webClient: WebClientName): Promise<boolean>;
  /** True if the web client is logged in, or was until lately: its node may be about to renew the session. */
  isWebClientOverdue(tx: Tx, webClient: WebClientName): Promise<boolean>;
  /** Locks the session of a web client until the transaction ends. False if the web client is not logged in. */
  lockWebClient(tx: Tx, webClient: WebClientName): Promise<boolean>;
  /** Signals that the web client's view of its calls is out of date. */
  wakeWebClient(tx: Tx, webClient: WebClientName): void;
};

type CallRequest = {
  readonly ledger: Ledger;
  readonly callRef: string;
  readonly input: CallInput;
  /** A repeat of the command has no effect. */
  readonly commandRef?: string | undefined;
  /** The job of a scheduled action; it is completed with the effects of the action. */
  readonly job?: Job;
};

export type CallExecutor = {
  /** Takes an input into a call. Resolves with the reason if it is refused; then nothing is changed. */
  execute(tx: Tx, request: CallRequest): Promise<CallRefusal | undefined>;
  /** Adds a call. */
  begin(tx: Tx, ledger: Ledger, made: Step): Promise<void>;
};

/** What the ports, the routes and the worker of simulated calls are made of. */
export type CallParts = {
  readonly db: Database;
  readonly executor: CallExecutor;
  readonly domain: CallDomain;
  /** How long a text takes to speak, in milliseconds. */
  readonly speechMs: (text: string) => Promise<number>;
};

type ExecutorOptions = { readonly takeEvents: TakeEvents; readonly domain: CallDomain };

export function createCallExecutor({ takeEvents, domain }: ExecutorOptions): CallExecutor {
  const handOver = async (tx: Tx, ledger: Ledger, effects: readonly CallEffect[]): Promise<void> => {
    const events = effects.flatMap((effect) => (effect.do === 'report' ? [effect.event] : []));
    if (events.length > 0) await takeEvents(tx, ledger, events);
  };

  return {
    execute: async (tx, { ledger, callRef, input, commandRef, job }) => {
      const { ledgerId } = ledger;
      const lock = () => lockCall(tx, { ledgerId, callRef }, commandRef);
      let stored = await lock();
      if (stored === undefined && isOpening(input)) {
        await openCall(tx, ledgerId, newCall(callRef));
        stored = await lock();
      }
      // Under the lock of the call: the input before this one may have cancelled the action, or planned it again.
      if (job !== undefined) await completeJobs(tx, [job]);
      if (stored === undefined) return 'not_active';
      const { call: before, now, isKnownCommand } = stored;
      if (isKnownCommand) return undefined;
      const webClient = await readWebClient(tx, { domain, ledger }, checkOf(before, input));
      const { call: after, effects, refusal } = step(before, webClient ? { ...input, webClient } : input, now);
      if (refusal !== undefined) return refusal;
      // The domain first: its timers sort before scheduled actions by id, and jobs are locked in the order of their
      // ids.
      await handOver(tx, ledger, effects);
      await saveCall(tx, ledgerId, { before, after, effects, commandRef });
      for (const effect of effects) {
        if (effect.do !== 'wake_web_client') continue;
        domain.wakeWebClient(tx, { ledgerId, webClientId: effect.webClientId });
      }
      return undefined;
    },
    begin: async (tx, ledger, { call, effects }) => {
      await handOver(tx, ledger, effects);
      await insertCall(tx, ledger.ledgerId, call, effects);
    },
  };
}

/** True for commands to a call that may not exist yet. A hang-up is remembered, in case a dial comes late. */
function isOpening(input: CallInput): boolean {
  return input.type === 'command' && (input.instruction.do === 'dial' || input.instruction.do === 'hang_up');
}

/** Reads the status of the web client that is checked. */
async function readWebClient(
  tx: Tx,
  { domain, ledger }: { domain: CallDomain; ledger: Ledger },
  check: Check | undefined,
): Promise<WebClientStatus | undefined> {
  if (check === undefined) return undefined;
  const { address, legRef, misses, isRinging } = check;
  const webClient = { ledgerId: ledger.ledgerId, webClientId: address };
  if (isRinging) {
    const isReachable = await domain.isWebClientReachable(tx, webClient);
    if (!isReachable && misses + 1 >= MISSES_MAX) return 'unreachable';
    if ((await domain.findActiveWebClient(tx, ledger, address)) === undefined) return 'revoked';
    return isReachable ? 'available' : 'unreachable';
  }
  // Locked before its legs are read, so that of two calls at once, or one that it makes itself, only the first gets it.
  if (await domain.lockWebClient(tx, webClient)) {
    return (await hasOtherLeg(tx, ledger.ledgerId, { address, legRef })) ? 'busy' : 'available';
  }
  const isOverdue = misses < LOOKS_AGAIN_MAX && (await domain.isWebClientOverdue(tx, webClient));
  return isOverdue ? 'overdue' : 'unreachable';
}

/** The web client whose status a step needs. */
type Check = {
  readonly address: string;
  readonly legRef: string;
  readonly misses: number;
  /** False until the web client rings. */
  readonly isRinging: boolean;
};

/** Returns the web client that the input dials or checks; undefined for other inputs. */
function checkOf(call: SimulatedCall, input: CallInput): Check | undefined {
  if (call.message_text === null && input.type === 'command' && input.instruction.do === 'dial') {
    const { legRef, to: address } = input.instruction;
    const isNew = isWebClient(address) && findLeg(call, legRef) === undefined;
    return isNew ? { address, legRef, misses: 0, isRinging: false } : undefined;
  }
  if (input.type !== 'action' || input.action.do !== 'check_web_client') return undefined;
  const { legRef, misses } = input.action;
  const leg = findLeg(call, legRef);
  if (leg === undefined || leg.state === 'ended') return undefined;
  return { address: leg.address, legRef, misses, isRinging: leg.state !== 'dialing' };
}

/** Actions that one call of the handler carries out. */
const BATCH_MAX = 4;

type ActionWorkerOptions = Pick<CallParts, 'db' | 'executor' | 'speechMs'>;
type ActionJob = Job<ActionPayload>;

/** Carries out scheduled actions of simulated calls when they fall due. */
export function createActionWorker({ db, executor, speechMs }: ActionWorkerOptions): JobHandler<ActionPayload> {
  const carryOut = async (job: ActionJob): Promise<void> => {
    const { id: ref, ledgerId, payload } = job;
    const { callRef, action } = payload;
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    const text = 'text' in action ? action.text : null;
    // Outside the transaction: speaking may start a program.
    const spokenMs = text === null ? 0 : await speechMs(text);
    const input = { type: 'action', action, ref, spokenMs } as const;
    await db.transaction((tx) => executor.execute(tx, { ledger, callRef, input, job }));
  };
  const carryOutInTurn = async (jobs: readonly ActionJob[]): Promise<void> => {
    for (const job of jobs) {
      await carryOut(job).catch((error: unknown) => {
        // Cancelled or planned again while this worker had it: its effects are rolled back, and the next action runs.
        if (!(error instanceof LeaseLostError)) throw error;
      });
    }
  };
  return {
    kind: ACTION_KIND,
    queue: 'voice',
    batchMax: BATCH_MAX,
    // Calls run concurrently, the actions of one call in their order.
    run: (jobs) => allThenThrow([...Map.groupBy(jobs, ({ payload }) => payload.callRef).values()].map(carryOutInTurn)),
  };
}
