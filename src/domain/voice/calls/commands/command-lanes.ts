/**
 * Dispatches the commands of calls. Each call has a lane, which one worker at a time drains. The worker dispatches
 * commands to one leg in order, and commands to different legs concurrently (command-rules.ts). A command's position is
 * its name, and a carrier carries out a name only once. Lanes of emergency calls are claimed before all others.
 *
 * A worker starts a dispatch only while at least half of its lease is left. A worker that stalls beyond its lease, so
 * that another has the lane, therefore dispatches nothing more: a dial never follows its own hang-up. The result of a
 * command and its end in the lane are written in one transaction.
 */
import type { Context } from '../../../../context.ts';
import type { Database } from '../../../../db/database.ts';
import { monotonicMs, sleep } from '../../../../lib/time/time.ts';
import type { Lane, LaneHandler } from '../../../../queue/lanes/lane.ts';
import { isLaneEnded, postponeLane, renewLane } from '../../../../queue/lanes/lanes.ts';
import type { Speech } from '../../../../speech/port.ts';
import { createAudioRoute } from '../../media-streams/leg-audio.ts';
import { createWebClientRoute, type WebClientRoutes } from '../../web-clients/route-commands.ts';
import { callWithCommands, type StoredCommands } from '../execution/call-signal.ts';
import { stepCallWith } from '../execution/executor.ts';
import type { CallInput } from '../state/call-step.ts';
import { type CommandDispatcher, createCommandDispatcher } from './command-dispatcher.ts';
import { type CommandProgress, type CommandResult, isEvident, listReady, resultOf, undoing } from './command-rules.ts';
import { CALL_LANES, isEmergencyGroup } from './lane-groups.ts';
import {
  type CommandBatch,
  postponeCommands,
  readCommands,
  settleCommands,
  type WaitingCommand,
} from './lane-queries.ts';

/**
 * The most lanes that one process drains concurrently: in all, and of one group. The lower limit of a group leaves room
 * for other groups.
 */
const LANES_MAX = 48;
const GROUP_LANES_MAX = 36;
/** The most lanes of one process that wait for slow carriers. LANES_MAX does not count them. */
const LINGERING_MAX = 1_024;

/** After this many dispatches of one call, the lanes of other calls follow. */
const DISPATCHES_PER_CLAIM = 256;
/** The share of a lease that must be left to dispatch a command. */
const LEASE_LEFT_MIN = 0.5;
/**
 * While the carrier has a command, the worker checks for commands that another process adds. The longer the carrier
 * takes, the longer the time between two checks.
 */
const LOOK_AGAIN_MS = { first: 250, longest: 2_000 } as const;

/** Returns the handler of calls' lanes for this process. */
export function createCallLanes(
  context: Pick<Context, 'db' | 'bus' | 'carriers' | 'log' | 'cipher' | 'clock' | 'settings'>,
  speech: Pick<Speech, 'voice'>,
  webClients: WebClientRoutes,
): LaneHandler {
  const audio = createWebClientRoute(context, webClients, createAudioRoute(context));
  const dispatcher = createCommandDispatcher({ ...context, audio }, speech);
  const drains = new Set<CommandDrain>();
  context.db.onSignal((signal) => {
    const callId = callWithCommands(signal);
    if (callId !== undefined) for (const drain of drains) drain.wake(callId);
  });
  return {
    kind: CALL_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => GROUP_LANES_MAX,
    hasPrecedence: isEmergencyGroup,
    lingeringMax: LINGERING_MAX,
    urgent: true,
    prompt: true,
    countsItself: true,
    claimsNew: true,
    drain: async (lane, items) => {
      const stored = items as StoredCommands | undefined;
      const drain = new CommandDrain({ db: context.db, lane, dispatcher, stored });
      drains.add(drain);
      try {
        await drain.run();
      } finally {
        drains.delete(drain);
      }
    },
  };
}

type DrainOptions = {
  readonly db: Database;
  readonly lane: Lane;
  readonly dispatcher: CommandDispatcher;
  /** The commands of a new lane. */
  readonly stored: StoredCommands | undefined;
};

/** Drains the lane of one call: dispatches its commands, and writes their results. */
class CommandDrain {
  readonly #db: Database;
  readonly #lane: Lane;
  readonly #dispatcher: CommandDispatcher;
  /** Dispatches that the carrier has not answered, by the position of the command. None of them rejects. */
  readonly #flights = new Map<number, Promise<unknown>>();
  /** Results that are not written yet, by the position of the command. */
  readonly #results = new Map<number, CommandResult>();
  #newCommands = Promise.withResolvers<void>();
  #dispatches = 0;
  #lookAgainMs: number = LOOK_AGAIN_MS.first;
  #fault: { readonly error: unknown } | undefined;
  #stored: StoredCommands | undefined;

  constructor({ db, lane, dispatcher, stored }: DrainOptions) {
    this.#db = db;
    this.#lane = lane;
    this.#dispatcher = dispatcher;
    this.#stored = stored;
  }

  /** Announces new commands of a call, in case this process is draining its lane. */
  wake(callId: string): void {
    if (callId === this.#lane.laneKey) this.#newCommands.resolve();
  }

  /**
   * Drains the lane. Stops when the lane is empty, when all remaining items wait for a retry, or when other lanes
   * follow.
   */
  async run(): Promise<void> {
    try {
      let isOpen = true;
      while (isOpen) isOpen = await this.#runRound();
    } finally {
      // The claim is held while the carrier has a command, so that no other worker sends it again.
      await Promise.all(this.#flights.values());
    }
  }

  /** Reads the commands, dispatches the ready ones and writes the results. Returns false if the claim must end. */
  async #runRound(): Promise<boolean> {
    this.#newCommands = Promise.withResolvers();
    const { batch, leasedUntil } = this.#takeStored() ?? (await this.#read());
    if (batch.commands.length === 0) throw new Error(`the lane of ${this.#lane.laneKey} counts commands that are gone`);
    await this.#dispatchReady(batch, leasedUntil);
    if (this.#results.size > 0) {
      const results = [...this.#results.values()];
      this.#results.clear();
      await writeResults(this.#db, this.#lane, results);
      return !isLaneEnded(this.#lane);
    }
    if (this.#flights.size > 0) return true;
    if (this.#dispatches < DISPATCHES_PER_CLAIM) await this.#postpone(batch);
    return false;
  }

  #takeStored(): StoredCommands | undefined {
    const stored = this.#stored;
    this.#stored = undefined;
    return stored;
  }

  async #read(): Promise<StoredCommands> {
    const readAt = monotonicMs();
    const batch = await readCommands(this.#db, this.#lane);
    return { batch, leasedUntil: readAt + batch.leaseLeftMs };
  }

  /**
   * Dispatches commands as they become ready, until the carrier has answered all of them, a command has failed, or
   * there may be new commands.
   * @param leasedUntil the end of the lease, by the clock of `performance`
   */
  async #dispatchReady(batch: CommandBatch, leasedUntil: number): Promise<void> {
    let provenUntil = leasedUntil;
    for (;;) {
      if (this.#fault !== undefined) throw this.#fault.error;
      if ([...this.#results.values()].some(({ outcome }) => outcome !== 'done')) return;
      const mayDispatch = this.#dispatches < DISPATCHES_PER_CLAIM;
      const ready = mayDispatch ? listReady(batch, (position) => this.#progressOf(position)) : [];
      if (ready.length === 0) {
        if (this.#flights.size === 0 || !(await this.#hasNextAnswer())) return;
      } else if (provenUntil - monotonicMs() < this.#lane.leaseMs * LEASE_LEFT_MIN) {
        provenUntil = monotonicMs() + this.#lane.leaseMs;
        await renewLane(this.#db, this.#lane);
      } else {
        for (const waiting of ready) this.#dispatch(batch, waiting);
      }
    }
  }

  #progressOf(position: number): CommandProgress | undefined {
    if (this.#flights.has(position)) return 'in_flight';
    const result = this.#results.get(position);
    if (result === undefined) return undefined;
    return result.outcome === 'done' ? 'done' : 'failed';
  }

  #dispatch({ ledger, connectionId, legs }: CommandBatch, waiting: WaitingCommand): void {
    const { position, instruction, unsure } = waiting;
    const callRef = this.#lane.laneKey;
    const command = { callRef, commandRef: `${callRef}:${position}`, instruction };
    const needless = judgeNeed(waiting, legs, this.#dispatcher.isPending(command.commandRef));
    if (needless === 'over') {
      this.#results.set(position, { waiting, outcome: 'done' });
      return;
    }
    if (needless === 'hung_up') {
      this.#results.set(position, { waiting, outcome: 'failed', reason: 'leg_gone', unknown: false });
      return;
    }
    this.#dispatches++;
    this.#lookAgainMs = LOOK_AGAIN_MS.first;
    const flight = this.#dispatcher.dispatch({ ledger, connectionId, command, legs, unsure }).then(
      (dispatched) => {
        this.#flights.delete(position);
        this.#results.set(position, resultOf(waiting, dispatched));
      },
      (error: unknown) => {
        this.#flights.delete(position);
        this.#fault ??= { error };
      },
    );
    this.#flights.set(position, flight);
  }

  /** Waits for the next answer of the carrier. Returns false if new commands may have come first. */
  async #hasNextAnswer(): Promise<boolean> {
    const ended = new AbortController();
    try {
      const answered = await Promise.race([
        ...[...this.#flights.values()].map((flight) => flight.then(() => true)),
        this.#newCommands.promise.then(() => false),
        sleep(this.#lookAgainMs, { signal: ended.signal, ref: false }),
      ]);
      if (answered === undefined) this.#lookAgainMs = Math.min(this.#lookAgainMs * 2, LOOK_AGAIN_MS.longest);
      return answered === true;
    } finally {
      ended.abort();
    }
  }

  /** Ends the claim until the first retry, or at once if commands were added after the batch was read. */
  async #postpone({ commands, pending }: CommandBatch): Promise<void> {
    const waits = commands.flatMap(({ waitMs }) => (waitMs > 0 ? [waitMs] : []));
    const delayMs = Math.ceil(Math.min(...waits));
    await this.#db.transaction((tx) => postponeLane(tx, this.#lane, { delayMs, itemsMax: pending }));
  }
}

/**
 * Returns why a command is needless. `hung_up`: a leg was hung up before it was dialled. `over`: the leg of a dial has
 * ended, or the carrier reported a failure but carried out the command.
 * @param isPending whether the command may still reach the carrier
 */
function judgeNeed(
  { instruction, failures }: WaitingCommand,
  legs: CommandBatch['legs'],
  isPending: boolean,
): 'over' | 'hung_up' | undefined {
  if (failures > 0 && isEvident(instruction, legs)) return 'over';
  if (instruction.do !== 'dial' || isPending) return undefined;
  const state = legs?.find(({ id }) => id === instruction.legRef)?.state;
  if (state === 'ended') return 'over';
  return state === 'ending' ? 'hung_up' : undefined;
}

/** Writes results: removes done and failed commands from the lane, and passes failures to the call's machine. */
async function writeResults(db: Database, lane: Lane, results: readonly CommandResult[]): Promise<void> {
  const failed = results.filter((result) => result.outcome === 'failed');
  const postponed = results.filter((result) => result.outcome === 'postponed');
  const settled = results.flatMap(({ outcome, waiting }) => (outcome === 'postponed' ? [] : [waiting.position]));
  if (failed.length === 0 && postponed.length === 0) {
    await settleCommands(db, lane, settled);
    return;
  }
  await db.transaction(async (tx) => {
    if (failed.length > 0) {
      // Every writer locks the call before the lane.
      const inputs = failed.map(({ waiting, reason }): CallInput => {
        return { type: 'command_failed', command: waiting.instruction, reason };
      });
      const also = failed.flatMap(({ waiting, unknown }) => (unknown ? undoing(waiting.instruction) : []));
      await stepCallWith(tx, lane, lane.laneKey, { inputs, also });
    }
    if (settled.length > 0) await settleCommands(tx, lane, settled);
    const again = postponed.map(({ waiting, unknown, inMs }) => {
      return { position: waiting.position, unsure: unknown, inMs };
    });
    if (again.length > 0) await postponeCommands(tx, lane, again);
  });
}
