/** The only writer of simulated calls. Each step runs in its caller's transaction, together with its events. */
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import type { TakeEvents } from '../../ports/carrier.ts';
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
import type { CallDomain } from './domain.ts';
import { LOOKS_AGAIN_MAX, MISSES_MAX } from './machine/legs.ts';
import { insertCall, loadCall, openCall, saveCall } from './queries.ts';
import { hasOtherLeg } from './web-client-queries.ts';

export type CallRequest = {
  readonly ledger: Ledger;
  readonly callRef: string;
  readonly input: CallInput;
  /** A repeat of the command has no effect. */
  readonly commandRef?: string;
  /** The job of a scheduled action; it is completed with the effects of the action. */
  readonly job?: Job;
};

export type CallExecutor = {
  /** Takes an input into a call. Resolves with the reason if it is refused; then nothing is changed. */
  execute(tx: Tx, request: CallRequest): Promise<CallRefusal | undefined>;
  /** Adds a call. */
  begin(tx: Tx, ledger: Ledger, made: Step): Promise<void>;
};

type ExecutorOptions = { readonly takeEvents: TakeEvents; readonly domain: CallDomain };

export function createCallExecutor({ takeEvents, domain }: ExecutorOptions): CallExecutor {
  const handOver = async (tx: Tx, ledger: Ledger, effects: readonly CallEffect[]): Promise<void> => {
    const events = effects.flatMap((effect) => (effect.do === 'report' ? [effect.event] : []));
    if (events.length > 0) await takeEvents(tx, ledger, events);
  };

  return {
    execute: async (tx, { ledger, callRef, input, commandRef = null, job }) => {
      const load = () => loadCall(tx, ledger.ledgerId, callRef, commandRef);
      let loaded = await load();
      if (loaded === undefined && isOpening(input)) {
        await openCall(tx, ledger.ledgerId, newCall(callRef));
        loaded = await load();
      }
      // Under the lock of the call: the input before this one may have cancelled the action, or planned it again.
      if (job !== undefined) await completeJobs(tx, [job]);
      if (loaded === undefined) return 'not_active';
      const { call, now, isKnownCommand } = loaded;
      if (isKnownCommand) return undefined;
      const webClient = await readWebClient(tx, { domain, ledger, call }, input);
      const made = step(call, webClient === undefined ? input : { ...input, webClient }, now);
      if (made.refusal !== undefined) return made.refusal;
      const { call: after, effects } = made;
      // The domain first: its timers sort before scheduled actions by id, and jobs are locked in the order of their ids.
      await handOver(tx, ledger, effects);
      await saveCall(tx, ledger.ledgerId, { before: call, after, effects, commandRef });
      for (const effect of effects) {
        if (effect.do !== 'wake_web_client') continue;
        domain.wakeWebClient(tx, { ledgerId: ledger.ledgerId, webClientId: effect.webClientId });
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

type Reading = { readonly domain: CallDomain; readonly ledger: Ledger; readonly call: SimulatedCall };

/** Reads the status of the web client that the input dials or checks; undefined for other inputs. */
async function readWebClient(
  tx: Tx,
  { domain, ledger, call }: Reading,
  input: CallInput,
): Promise<WebClientStatus | undefined> {
  const check = checkOf(call, input);
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

type Check = {
  readonly address: string;
  readonly legRef: string;
  readonly misses: number;
  /** False until the web client rings. */
  readonly isRinging: boolean;
};

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
